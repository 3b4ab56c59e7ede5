import type { Transaction } from "@loopx/store";
import { anyText, instant, oneOf, orNull } from "../events/column-rule.ts";
import { decodeRow, selectFrom, type EntityTable } from "../events/entity-table.ts";
import type { ContextAttachment } from "./context-attachment.ts";

export const CONTEXT_ATTACHMENTS: EntityTable<ContextAttachment> = {
  name: "context_attachments",
  key: ["goal_id", "profile"],
  columns: {
    goal_id: anyText,
    profile: anyText,
    status: oneOf(["attached", "detached"]),
    context_project: anyText,
    binding: anyText,
    objective: anyText,
    consumer: anyText,
    inputs: isTextRecord,
    trace_store: orNull(anyText),
    changed_at: instant,
  },
  json: ["inputs"],
  flags: [],
};

function isTextRecord(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((entry) => typeof entry === "string");
}

/** What is attached under this name; undefined where nothing is, or is no longer. */
export async function findContextAttachment(
  tx: Transaction,
  goalId: string,
  profile: string,
): Promise<ContextAttachment | undefined> {
  const row = await tx.get(
    `${selectFrom(CONTEXT_ATTACHMENTS)} WHERE goal_id = ? AND profile = ? AND status = 'attached'`,
    goalId,
    profile,
  );
  return row && decodeRow(CONTEXT_ATTACHMENTS, row);
}

/** What is attached to a goal, by the names of the profiles. */
export async function listContextAttachments(tx: Transaction, goalId: string): Promise<readonly ContextAttachment[]> {
  const rows = await tx.all(
    `${selectFrom(CONTEXT_ATTACHMENTS)} WHERE goal_id = ? AND status = 'attached' ORDER BY profile`,
    goalId,
  );
  return rows.map((row) => decodeRow(CONTEXT_ATTACHMENTS, row));
}

/** What is attached to any goal of a store, by goal and profile. */
export async function listAllContextAttachments(tx: Transaction): Promise<readonly ContextAttachment[]> {
  const rows = await tx.all(`${selectFrom(CONTEXT_ATTACHMENTS)} WHERE status = 'attached' ORDER BY goal_id, profile`);
  return rows.map((row) => decodeRow(CONTEXT_ATTACHMENTS, row));
}
