import type { Instant } from "@loopx/contracts";
import type { Transaction } from "@loopx/store";
import { anyText, instant, integer, listOf, oneOf, orNull, shape } from "../events/column-rule.ts";
import { decodeRow, selectFrom, takeStored, type EntityTable } from "../events/entity-table.ts";
import { EVIDENCE_OUTCOMES, type Evidence, type EvidenceFile, type Turn, type ValidationResult } from "./turn.ts";

export const TURNS: EntityTable<Turn> = {
  name: "turns",
  key: ["goal_id", "turn_id"],
  columns: {
    goal_id: anyText,
    turn_id: anyText,
    agent_id: anyText,
    todo_id: anyText,
    state: oneOf(["open", "lapsed", "settled", "released"]),
    holder: orNull(anyText),
    claim_epoch: integer(0),
    lease_expires_at: instant,
    opened_at: instant,
    closed_at: orNull(instant),
  },
  json: [],
  flags: [],
};

const IS_FILE = shape<EvidenceFile>({ path: anyText, sha256: anyText, bytes: integer(0) });
const IS_RESULT = shape<ValidationResult>({
  status: oneOf(["passed", "failed", "not_run"]),
  label: orNull(anyText),
  exit_code: orNull(integer(0)),
  timed_out: oneOf([true, false]),
  ran_in: oneOf([null, "root", "worktree"]),
  output: orNull(anyText),
});

export const EVIDENCE: EntityTable<Evidence> = {
  name: "evidence",
  key: ["goal_id", "evidence_id"],
  columns: {
    goal_id: anyText,
    evidence_id: anyText,
    agent_id: orNull(anyText),
    todo_id: orNull(anyText),
    turn_id: orNull(anyText),
    outcome: oneOf(EVIDENCE_OUTCOMES),
    text: anyText,
    files: listOf(IS_FILE),
    validation: orNull(IS_RESULT),
    recorded_at: instant,
  },
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

/** How many turns of the goal are open: they count as used until they are charged or released. */
export async function countOpenTurns(tx: Transaction, goalId: string): Promise<number> {
  const row = await tx.get<{ open: number }>(
    "SELECT COUNT(*) AS open FROM turns WHERE goal_id = ? AND state = 'open'",
    goalId,
  );
  return row?.open ?? 0;
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
  const oldest = takeStored(window?.oldest ?? null, orNull(instant), { table: TURNS.name, column: "opened_at" });
  return { total: total?.used ?? 0, inWindow: window?.used ?? 0, oldestInWindowAt: oldest };
}
