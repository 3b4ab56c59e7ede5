import type { Instant } from "@loopx/contracts";
import type { Transaction } from "@loopx/store";
import { decodePart } from "../events/entity-table.ts";
import { GATE_TARGETS } from "../gates/gate-shape.ts";
import { IS_HOLDING } from "../gates/gate-target-rows.ts";
import { isOneOf, type SqlPart } from "./candidate-class.ts";
import { NAMED } from "./candidate-rows.ts";
import type { CandidateTodo, GateFact } from "./decision.ts";
import { countLeftOut } from "./left-out.ts";
import { isUndecided } from "./runnable-todo.ts";

/** Whose decision the gates are read for. */
interface Asked {
  readonly agentId: string;
  readonly todos: readonly CandidateTodo[];
}

/**
 * The gates that the decision can tell apart: of those that hold live work or all of this agent's the first few, and of
 * those that name one of these todos one of each kind.
 */
export async function listGateFacts(
  tx: Transaction,
  goalId: string,
  asked: Asked,
  now: Instant,
): Promise<readonly GateFact[]> {
  const held = selectHeld(goalId, asked.agentId, now);
  const sizes = await listClasses(tx, held);
  const gateIds = new Set(await listGateIdsOver(tx, goalId, asked));
  for (const size of sizes) for (const gateId of await listFirst(tx, held, size)) gateIds.add(gateId);
  const facts = await loadFacts(tx, goalId, { asked, gateIds: [...gateIds] });
  const leftOut = countLeftOut(
    sizes,
    facts.map((gate) => ({ ...gate, class: classify(gate, asked.agentId, now) })),
  );
  return facts.map((gate) => ({ ...gate, left_out: leftOut.get(gate.todo_id) ?? 0 }));
}

/** Only the gates that `findHold` needs for these todos. */
export async function listGatesOver(tx: Transaction, goalId: string, asked: Asked): Promise<readonly GateFact[]> {
  return loadFacts(tx, goalId, { asked, gateIds: await listGateIdsOver(tx, goalId, asked) });
}

/**
 * The gates that are in the way of live work, each row with its class: what `decideIdle` asks of it.
 *
 * A gate that an owner rejected is asked about only when it holds all work.
 */
function selectHeld(goalId: string, agentId: string, now: Instant): SqlPart {
  const forAll = isOneOf("target", toWholeTargets(agentId));
  return {
    sql:
      "SELECT gate_id, priority, position, ask_again_at, CASE WHEN decision = 'rejected' THEN 'rejected' " +
      "WHEN decision = 'deferred' AND (ask_again_at IS NULL OR ask_again_at > ?) THEN 'put_off' " +
      "ELSE 'undecided' END AS class " +
      `FROM gate_targets held WHERE goal_id = ? AND ${IS_HOLDING} AND (${forAll.sql} OR ` +
      "(COALESCE(decision, '') <> 'rejected' AND EXISTS (SELECT 1 FROM todos named " +
      "WHERE named.goal_id = held.goal_id AND named.todo_id = held.target " +
      "AND named.role = 'agent' AND named.status IN ('open', 'blocked', 'deferred'))))",
    parameters: [now, goalId, ...forAll.parameters],
  };
}

/** The class of a gate that was read, as `selectHeld` tells it; approved ones have none. */
function classify(gate: GateFact, agentId: string, now: Instant): string {
  if (isUndecided(gate, now)) return "undecided";
  const isForAll = toWholeTargets(agentId).some((target) => gate.blocks.includes(target));
  return gate.decision === "rejected" && isForAll ? "rejected" : "";
}

function toWholeTargets(agentId: string): readonly string[] {
  return ["goal", `agent:${agentId}`];
}

// In the order of the index of what holds, so that nothing is sorted.
const ONCE = "SELECT gate_id, MIN(class) AS class, MIN(ask_again_at) AS ask_again_at";
const EACH = "GROUP BY priority, position, gate_id";

interface ClassSize {
  readonly class: string;
  readonly count: number;
  readonly ask_again_at: string | null;
}

async function listClasses(tx: Transaction, held: SqlPart): Promise<readonly ClassSize[]> {
  return tx.all<ClassSize>(
    "SELECT class, COUNT(*) AS count, MIN(ask_again_at) AS ask_again_at " +
      `FROM (${ONCE} FROM (${held.sql}) classified ${EACH}) gate GROUP BY class ORDER BY class`,
    ...held.parameters,
  );
}

/** The first gates of a class, and the one that is asked again first. */
async function listFirst(tx: Transaction, held: SqlPart, size: ClassSize): Promise<readonly string[]> {
  const list = async (where: SqlPart, limit: number): Promise<readonly string[]> => {
    const rows = await tx.all<{ gate_id: string }>(
      `${ONCE} FROM (${held.sql}) classified WHERE ${where.sql} ${EACH} ORDER BY priority, position, gate_id LIMIT ${limit}`,
      ...held.parameters,
      ...where.parameters,
    );
    return rows.map((row) => row.gate_id);
  };
  const first = await list({ sql: "class = ?", parameters: [size.class] }, NAMED);
  if (size.class !== "put_off" || size.ask_again_at === null) return first;
  const soonest = { sql: "class = ? AND ask_again_at = ?", parameters: [size.class, size.ask_again_at] };
  return [...first, ...(await list(soonest, 1))];
}

/** Of the gates that name one of the targets: one that holds it, and one of each kind that approves it. */
async function listGateIdsOver(tx: Transaction, goalId: string, asked: Asked): Promise<readonly string[]> {
  const isAsked = isOneOf("target", toTargets(asked));
  const rows = await tx.all<{ gate_id: string }>(
    `SELECT MIN(gate_id) AS gate_id FROM gate_targets WHERE goal_id = ? AND ${isAsked.sql} ` +
      `GROUP BY target, CASE WHEN ${IS_HOLDING} THEN '' ELSE kind END`,
    goalId,
    ...isAsked.parameters,
  );
  return rows.map((row) => row.gate_id);
}

function toTargets({ agentId, todos }: Asked): readonly string[] {
  return [...toWholeTargets(agentId), ...todos.filter((todo) => todo.role === "agent").map((todo) => todo.todo_id)];
}

interface TargetRow {
  readonly gate_id: string;
  readonly target: string;
  readonly kind: string;
  readonly decision: GateFact["decision"];
  readonly ask_again_at: Instant | null;
}

async function loadFacts(
  tx: Transaction,
  goalId: string,
  { asked, gateIds }: { readonly asked: Asked; readonly gateIds: readonly string[] },
): Promise<readonly GateFact[]> {
  if (gateIds.length === 0) return [];
  const isGate = isOneOf("gate_id", gateIds);
  const rows = await tx.all<TargetRow>(
    `SELECT gate_id, target, kind, decision, ask_again_at FROM gate_targets WHERE goal_id = ? AND ${isGate.sql} ` +
      "ORDER BY priority, position",
    goalId,
    ...isGate.parameters,
  );
  const targets = new Set(toTargets(asked));
  const facts = new Map<string, GateFact & { readonly blocks: string[] }>();
  for (const row of rows) {
    const { gate_id, target, ...gate } = decodePart(GATE_TARGETS, row);
    // Only gates that are in the way of live work are read.
    const fact = facts.get(gate_id) ?? { ...gate, todo_id: gate_id, blocks: [], names_work: true, left_out: 0 };
    facts.set(gate_id, fact);
    if (targets.has(target)) fact.blocks.push(target);
  }
  return [...facts.values()];
}
