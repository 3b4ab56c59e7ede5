import { cutText, LIMITS } from "@loopx/contracts";
import type { Todo } from "@loopx/control-plane";

/** A gate as lists and questions show it. */
export function toGatePacket(todo: Todo): object {
  const shown = cutText(todo.text, LIMITS.todoTextShown);
  return {
    gate_id: todo.todo_id,
    kind: todo.gate?.kind,
    question: shown.text,
    ...(shown.isTruncated ? { text_truncated: true } : {}),
    blocks: todo.gate?.blocks ?? [],
    ...(todo.gate?.decision == null ? {} : { decision: todo.gate.decision, decided_by: todo.gate.decided_by }),
    ...(todo.gate?.ask_again_at == null ? {} : { ask_again_at: todo.gate.ask_again_at }),
  };
}
