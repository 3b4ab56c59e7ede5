import type { Transaction } from "@loopx/store";
import { listAgents } from "../agents/agent-rows.ts";
import { RECENT_TURNS } from "../decision/load-decision-facts.ts";
import { decodeRow, selectFrom } from "../events/entity-table.ts";
import { listLatestTurns, TURNS } from "../turns/turn-rows.ts";
import { REPLAN, type Turn } from "../turns/turn.ts";

/** Events that decisions about the next turn still ask for. */
export interface EventsOfTheGuard {
  readonly seqs: ReadonlySet<number>;
  /** `turn/turn_…`: whose later images have to stay beside them. */
  readonly entities: ReadonlySet<string>;
}

/**
 * Of each turn of planning that the guard may still look at: the event that opened it, and the first todo that its agent
 * wrote after that.
 */
export async function listEventsOfTheGuard(tx: Transaction, goalId: string): Promise<EventsOfTheGuard> {
  const seqs = new Set<number>();
  const entities = new Set<string>();
  for (const turn of await listPlanningTurns(tx, goalId)) {
    for (const event of await listAsked(tx, turn)) {
      seqs.add(event.seq);
      entities.add(`${event.entity}/${event.entity_id}`);
    }
  }
  return { seqs, entities };
}

async function listPlanningTurns(tx: Transaction, goalId: string): Promise<readonly Turn[]> {
  const rows = await tx.all(
    `${selectFrom(TURNS)} WHERE goal_id = ? AND todo_id = ? AND state IN ('open', 'lapsed')`,
    goalId,
    REPLAN,
  );
  const turns = rows.map((row) => decodeRow(TURNS, row));
  for (const { agent_id: agentId } of await listAgents(tx, goalId)) {
    const latest = await listLatestTurns(tx, goalId, { agentId, limit: RECENT_TURNS });
    turns.push(...latest.filter((turn) => turn.todo_id === REPLAN));
  }
  return turns;
}

interface AskedEvent {
  readonly seq: number;
  readonly entity: string;
  readonly entity_id: string;
}

async function listAsked(tx: Transaction, turn: Turn): Promise<readonly AskedEvent[]> {
  const opened = await tx.get<AskedEvent>(
    "SELECT seq, entity, entity_id FROM events WHERE goal_id = ? AND entity = 'turn' AND entity_id = ? AND type = 'turn_opened.v1'",
    turn.goal_id,
    turn.turn_id,
  );
  if (opened === undefined) return [];
  const added = await tx.get<AskedEvent>(
    "SELECT seq, entity, entity_id FROM events WHERE goal_id = ? AND seq > ? AND type = 'todo_added.v1' AND actor = ? " +
      "ORDER BY seq LIMIT 1",
    turn.goal_id,
    opened.seq,
    JSON.stringify({ kind: "agent", agent_id: turn.agent_id }),
  );
  return added === undefined ? [opened] : [opened, added];
}
