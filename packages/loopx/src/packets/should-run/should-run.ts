import { cutText, ERROR_TABLE, type LoopxError } from "@loopx/contracts";
import type { NextTurn } from "@loopx/control-plane";
import { printCommand } from "../../command-line/print-command.ts";
import type { CommandResult } from "../../output/command-result.ts";
import type { TextStyle } from "../../output/text-style.ts";
import { joinLines, OWNER_RUNS_THESE, renderFacts, renderNext } from "../render-facts.ts";
import { QUESTION_SHOWN, type Asking, type DecisionBody, type ShownContext } from "./decision-body.ts";
import { renderQuestions } from "./render-questions.ts";
import { renderThrottled, renderUnsettled, renderWait } from "./render-waiting.ts";
import { renderReplan, renderRun } from "./render-work.ts";

const SCHEMA = "loopx_should_run_v1";

/** The one packet of `quota should-run`: `decision` and what it needs, each fact once. */
export function renderShouldRun(next: NextTurn, asking: Asking): CommandResult {
  const { decision } = next;
  const shouldRun = decision.kind === "run" || decision.kind === "replan";
  const { context } = asking;
  const body = withContext(renderDecision(next, asking), context);
  const packet = {
    ok: decision.kind !== "repair",
    schema_version: SCHEMA,
    decision: decision.kind,
    should_run: shouldRun,
    goal_id: asking.goalId,
    agent_id: asking.agentId,
    ...(shouldRun ? { goal: toGoal(next) } : {}),
    ...body.fields,
    ...(next.releasedTurnId === null ? {} : { released_turn_id: next.releasedTurnId }),
    ...(body.next.length === 0 ? {} : { next: body.next }),
    ...(context === undefined ? {} : { context: context.packet }),
  };
  return {
    packet,
    text: (style) => joinLines(renderText({ decision: decision.kind, shouldRun }, body, style), context?.text ?? ""),
    exitCode: decision.kind === "repair" ? ERROR_TABLE.turn_already_settled.exit : 0,
  };
}

function withContext(body: DecisionBody, context: ShownContext | undefined): DecisionBody {
  if (context === undefined) return body;
  return { ...body, facts: [...body.facts, ...context.facts], next: [...body.next, ...context.next] };
}

function toGoal({ goal }: NextTurn): object {
  const objective = cutText(goal.objective, QUESTION_SHOWN);
  return {
    revision: goal.revision,
    objective: objective.text,
    ...(objective.isTruncated ? { objective_truncated: true } : {}),
  };
}

function renderDecision(next: NextTurn, asking: Asking): DecisionBody {
  const { decision } = next;
  const { goalId } = asking;
  switch (decision.kind) {
    case "run":
      return renderRun(next, decision, asking);
    case "replan":
      return renderReplan(next, asking);
    case "ask_user":
      return renderQuestions(next, decision, asking);
    case "wait":
      return renderWait(decision.reason, decision.until, asking);
    case "throttled":
      return renderThrottled(next.goal, decision, asking);
    case "repair":
      return renderUnsettled(decision, asking);
    case "paused":
      return {
        fields: { reason: "goal_paused" },
        facts: [["why", "the goal is paused until an owner resumes it"]],
        next: [printCommand("goal resume", { goalId }).shell],
        isForOwner: true,
      };
    case "done":
      return { fields: { reason: decision.reason }, facts: [["why", decision.reason.replaceAll("_", " ")]], next: [] };
  }
}

/** A state that cannot be acted on, or a caller that is not known: an answer all the same, never `run`. */
export function renderShouldRunFailure(error: LoopxError, asking: Pick<Asking, "goalId" | "agentId">): CommandResult {
  const isUnknown = UNKNOWN_CODES.includes(error.code);
  const kind = isUnknown ? "refused" : "repair";
  const hint = error.hint;
  return {
    packet: {
      ok: false,
      schema_version: SCHEMA,
      decision: kind,
      should_run: false,
      goal_id: asking.goalId,
      agent_id: asking.agentId,
      code: error.code,
      message: error.message,
      ...(hint === undefined ? {} : hint.startsWith("loopx ") ? { next: [hint] } : { hint }),
      ...(error.details === undefined ? {} : { details: error.details }),
    },
    text: (style) =>
      renderText(
        { decision: kind, shouldRun: false },
        {
          fields: {},
          facts: [["why", error.message]],
          next: hint === undefined ? [] : [hint],
        },
        style,
      ),
    exitCode: ERROR_TABLE[error.code].exit,
  };
}

const UNKNOWN_CODES: readonly string[] = [
  "unknown_goal",
  "unknown_agent",
  "project_not_connected",
  "project_not_resolved",
];

function renderText(
  head: { readonly decision: string; readonly shouldRun: boolean },
  body: DecisionBody,
  style: TextStyle,
): string {
  const title = head.shouldRun ? style.green(head.decision) : style.yellow(head.decision);
  return joinLines(
    style.bold(title),
    renderFacts(body.facts, style),
    renderNext(body.next, style, body.isForOwner === true ? OWNER_RUNS_THESE : "next"),
  );
}
