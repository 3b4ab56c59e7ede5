import { cutText, LIMITS } from "@loopx/contracts";
import type { Todo } from "@loopx/control-plane";

/** What a gate blocks, and what a verdict changed: so many ids are listed, the rest are counted. */
export const GATE_TARGETS_SHOWN = 10;

/** A gate as lists and questions show it. */
export function toGatePacket(todo: Todo): object {
  const shown = cutText(todo.text, LIMITS.todoTextShown);
  const blocks = todo.gate?.blocks ?? [];
  const reason =
    todo.gate?.decision == null || todo.reason === null ? null : cutText(todo.reason, LIMITS.todoTextShown);
  return {
    gate_id: todo.todo_id,
    kind: todo.gate?.kind,
    question: shown.text,
    ...(shown.isTruncated ? { text_truncated: true } : {}),
    blocks: blocks.slice(0, GATE_TARGETS_SHOWN),
    ...(blocks.length > GATE_TARGETS_SHOWN ? { blocks_count: blocks.length } : {}),
    ...(todo.gate?.decision == null ? {} : { decision: todo.gate.decision, decided_by: todo.gate.decided_by }),
    ...(reason === null ? {} : { reason: reason.text, ...(reason.isTruncated ? { reason_truncated: true } : {}) }),
    ...(todo.gate?.ask_again_at == null ? {} : { ask_again_at: todo.gate.ask_again_at }),
  };
}
