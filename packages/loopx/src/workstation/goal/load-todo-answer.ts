import type { EvidenceRow, TodoAnswer } from "@loopx/workstation/contract";
import type { Instant } from "@loopx/contracts";
import {
  findLastCompaction,
  findTodo,
  listEventsOfEntity,
  listEvidenceOfTodo,
  listTurns,
  loadLastSeq,
  type Evidence,
} from "@loopx/control-plane";
import type { Transaction } from "@loopx/store";
import { toEventRow } from "./event-row.ts";
import { toGateRows } from "./gate-rows.ts";
import { toTodoRows } from "./todo-rows.ts";
import { toTurnRow } from "./turn-row.ts";

const ROWS_SHOWN = 20;

/** One todo or gate whole, with the latest of its evidence, turns and events; undefined where there is none. */
export async function loadTodoAnswer(
  tx: Transaction,
  of: { readonly goalId: string; readonly todoId: string },
  now: Instant,
): Promise<TodoAnswer | undefined> {
  const { goalId, todoId } = of;
  const todo = await findTodo(tx, goalId, todoId);
  if (todo === undefined) return undefined;
  const [row] = await toTodoRows(tx, goalId, [todo]);
  const [gate = null] = await toGateRows(tx, goalId, [todo]);
  if (row === undefined) return undefined;
  const evidence = await listEvidenceOfTodo(tx, goalId, { todoId, limit: ROWS_SHOWN });
  const turns = await listTurns(tx, goalId, { todoId, limit: ROWS_SHOWN });
  const events = await listEventsOfEntity(tx, { goalId, entity: "todo", entityId: todoId }, ROWS_SHOWN);
  const { note, created_by, created_at, updated_at, depends_on, successor_todo_id, validation } = todo;
  const details = { note, created_by, created_at, updated_at, depends_on, successor_todo_id };
  return {
    at: now,
    seq: await loadLastSeq(tx, goalId),
    todo: { ...row, ...details, validation: validation?.argv ?? null },
    gate,
    evidence: evidence.map(toEvidenceRow),
    turns: turns.map(toTurnRow),
    events: events.map(toEventRow),
    compacted_until: (await findLastCompaction(tx, goalId))?.through_at ?? null,
  };
}

function toEvidenceRow(evidence: Evidence): EvidenceRow {
  const { evidence_id, agent_id, turn_id, outcome, text, files, validation, recorded_at } = evidence;
  const check =
    validation === null
      ? null
      : {
          status: validation.status,
          label: validation.label,
          exit_code: validation.exit_code,
          output: validation.output,
        };
  return { evidence_id, agent_id, turn_id, outcome, text, files, validation: check, recorded_at };
}
