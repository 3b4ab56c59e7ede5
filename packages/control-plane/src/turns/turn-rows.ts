import type { Instant } from "@loopx/contracts";
import type { Transaction } from "@loopx/store";
import { decodeRow, selectFrom, type EntityTable } from "../events/entity-table.ts";
import type { Evidence, Turn } from "./turn.ts";

export const TURNS: EntityTable<Turn> = {
  name: "turns",
  key: ["goal_id", "turn_id"],
  columns: [
    "goal_id",
    "turn_id",
    "agent_id",
    "todo_id",
    "state",
    "holder",
    "claim_epoch",
    "lease_expires_at",
    "opened_at",
    "closed_at",
  ],
  json: [],
  flags: [],
};

export const EVIDENCE: EntityTable<Evidence> = {
  name: "evidence",
  key: ["goal_id", "evidence_id"],
  columns: [
    "goal_id",
    "evidence_id",
    "agent_id",
    "todo_id",
    "turn_id",
    "outcome",
    "text",
    "files",
    "validation",
    "recorded_at",
  ],
  json: ["files", "validation"],
  flags: [],
};

export async function findTurn(tx: Transaction, goalId: string, turnId: string): Promise<Turn | undefined> {
  const row = await tx.get(`${selectFrom(TURNS)} WHERE goal_id = ? AND turn_id = ?`, goalId, turnId);
  return row && decodeRow(TURNS, row);
}

/** The agent's one open turn. */
export async function findOpenTurn(tx: Transaction, goalId: string, agentId: string): Promise<Turn | undefined> {
  const row = await tx.get(
    `${selectFrom(TURNS)} WHERE goal_id = ? AND agent_id = ? AND state = 'open'`,
    goalId,
    agentId,
  );
  return row && decodeRow(TURNS, row);
}

export async function findEvidenceOfTurn(
  tx: Transaction,
  goalId: string,
  turnId: string,
): Promise<Evidence | undefined> {
  const row = await tx.get(`${selectFrom(EVIDENCE)} WHERE goal_id = ? AND turn_id = ?`, goalId, turnId);
  return row && decodeRow(EVIDENCE, row);
}

/** The agent's latest turns, newest first. */
export async function listLatestTurns(
  tx: Transaction,
  goalId: string,
  agent: { readonly agentId: string; readonly limit: number },
): Promise<readonly Turn[]> {
  const rows = await tx.all(
    `${selectFrom(TURNS)} WHERE goal_id = ? AND agent_id = ? ORDER BY opened_at DESC, turn_id DESC LIMIT ?`,
    goalId,
    agent.agentId,
    agent.limit,
  );
  return rows.map((row) => decodeRow(TURNS, row));
}

/** When the agent last noted something without a turn: what it says of turns that had nothing to show. */
export async function findLastNoteAt(tx: Transaction, goalId: string, agentId: string): Promise<Instant | undefined> {
  const row = await tx.get<{ last: Instant | null }>(
    "SELECT MAX(recorded_at) AS last FROM evidence " +
      "WHERE goal_id = ? AND agent_id = ? AND turn_id IS NULL AND todo_id IS NULL",
    goalId,
    agentId,
  );
  return row?.last ?? undefined;
}

export interface TurnUse {
  /** Turns charged or reserved since the goal began. */
  readonly total: number;
  /** The same within the window. */
  readonly inWindow: number;
  /** When the oldest turn of the window was opened. */
  readonly oldestInWindowAt: Instant | null;
}

/** How many turns the goal has used; a released turn was never charged. */
export async function loadTurnUse(tx: Transaction, goalId: string, windowStart: Instant | null): Promise<TurnUse> {
  const total = await tx.get<{ used: number }>(
    "SELECT COUNT(*) AS used FROM turns WHERE goal_id = ? AND state <> 'released'",
    goalId,
  );
  if (windowStart === null) return { total: total?.used ?? 0, inWindow: 0, oldestInWindowAt: null };
  const window = await tx.get<{ used: number; oldest: Instant | null }>(
    "SELECT COUNT(*) AS used, MIN(opened_at) AS oldest FROM turns WHERE goal_id = ? AND state <> 'released' AND opened_at > ?",
    goalId,
    windowStart,
  );
  return { total: total?.used ?? 0, inWindow: window?.used ?? 0, oldestInWindowAt: window?.oldest ?? null };
}
