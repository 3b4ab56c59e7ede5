import { digestOf } from "@loopx/contracts";
import { RISK_CATEGORIES, RISK_SEVERITIES, type Risk, type RiskKind } from "@loopx/control-plane";
import { printCommand } from "../command-line/print-command.ts";
import type { OrderedRow, OrderKey } from "./ordered-head.ts";
import type { TextView } from "../packets/shown-text.ts";

export const RISK_KEY_SHAPE = "nnsss";

export function toRiskKey(goalId: string, risk: Risk): OrderKey {
  const severity = RISK_SEVERITIES.indexOf(risk.severity);
  return [severity, RISK_CATEGORIES.indexOf(risk.category), goalId, risk.sourceId, risk.kind];
}

const SUMMARIES: Readonly<Record<RiskKind, string>> = {
  validation_failed: "the last check failed",
  credential_in_text: "a text holds a credential",
  local_path_in_text: "a text holds a path of this machine",
  reopened_after_done: "an approval was taken back after work may have begun on it",
  turn_past_lease: "a turn is open past its lease",
};

export function toRiskPacket(row: OrderedRow<Risk>, text: TextView): object {
  const { goalId, item } = row;
  return {
    goal_id: goalId,
    category: item.category,
    kind: item.kind,
    severity: item.severity,
    summary: renderSummary(item, text),
    occurrence_id: toOccurrenceId(row),
    occurrence_count: item.occurrenceCount,
    evidence_refs: [...new Set([item.sourceId, ...(item.todoId === null ? [] : [item.todoId])])],
    ...(item.agentId === null ? {} : { agent_id: item.agentId }),
    ...(item.seenAt === null ? {} : { seen_at: item.seenAt }),
    next_safe_action: printRiskStep(row),
    requires_user_approval: item.category === "rollback_candidate",
  };
}

function renderSummary({ kind, label }: Risk, text: TextView): string {
  return label === null ? SUMMARIES[kind] : `${SUMMARIES[kind]}: ${text.show(label)}`;
}

/** The same risk has the same id in every view and at every time; no prose is in it. */
function toOccurrenceId({ goalId, item }: OrderedRow<Risk>): string {
  const { kind, sourceId } = item;
  return digestOf({ surface: "global_risks", kind, scope: sourceId, goal_id: goalId })
    .slice("sha256:".length)
    .slice(0, 16);
}

export function printRiskStep({ goalId, item }: OrderedRow<Risk>): string {
  const { todoId, agentId } = item;
  if (agentId !== null) return printCommand("quota status", { goalId, agentId }).shell;
  if (todoId?.startsWith("todo_") === true) return printCommand("todo show", { goalId, todoId }).shell;
  return printCommand(item.category === "boundary_warning" ? "goal show" : "history", { goalId }).shell;
}

export const RISK_COLUMNS = [
  { title: "SEVERITY" },
  { title: "CATEGORY" },
  { title: "ACTIVE STATE ID" },
  { title: "WHAT" },
];

export function toRiskCells({ goalId, item }: OrderedRow<Risk>, text: TextView): readonly string[] {
  return [item.severity, item.category.replaceAll("_", " "), goalId, renderSummary(item, text)];
}
