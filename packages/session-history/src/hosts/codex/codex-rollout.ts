import type { MeasuredMessage, MeasureMessage } from "../../ranking/measure-message.ts";
import { objectField, textField } from "../record-fields.ts";
import type { HostRecord, TranscriptReader } from "../session-host.ts";
import { findCodexMessage, isConversationEvent } from "./codex-message.ts";

type Step =
  | { readonly kind: "message"; readonly isEvent: boolean; readonly message: MeasuredMessage }
  /** A person's message with nothing in it to find, a picture for example: it counts when messages are taken back. */
  | { readonly kind: "empty_turn" }
  /** The last `turns` of a person's messages were taken back, with all that followed them. */
  | { readonly kind: "rollback"; readonly turns: number };

/** Reads a rollout. It is the session's when the first `session_meta` says so: a fork carries a copy of its parent's. */
export function readCodexRollout(sessionId: string, measure: MeasureMessage): TranscriptReader {
  const steps: Step[] = [];
  let foundId: string | undefined;
  return {
    take(record, offset) {
      const payload = objectField(record, "payload");
      if (record["type"] === "session_meta") foundId ??= textField(payload, "id");
      else if (payload["type"] === "thread_rolled_back") steps.push({ kind: "rollback", turns: countTurns(payload) });
      else takeMessage(record, offset, payload["type"] === "user_message");
    },
    finish: () => (foundId === sessionId ? listVisible(steps) : undefined),
    count: () => steps.length,
  };

  function takeMessage(record: HostRecord, offset: number, isTurn: boolean): void {
    const message = findCodexMessage(record);
    if (message !== undefined)
      steps.push({ kind: "message", isEvent: isConversationEvent(record), message: measure(message, offset) });
    else if (isTurn) steps.push({ kind: "empty_turn" });
  }
}

function countTurns(payload: HostRecord): number {
  const turns = payload["num_turns"];
  return typeof turns === "number" && turns > 0 ? turns : 0;
}

/** A message sent to or by the model counts only where no event shows the same text. */
function listVisible(steps: readonly Step[]): readonly MeasuredMessage[] {
  const shown = new Set(
    steps.flatMap((step) => (step.kind === "message" && step.isEvent ? [step.message.digest] : [])),
  );
  const visible: (MeasuredMessage | "empty_turn")[] = [];
  for (const step of steps) {
    if (step.kind === "rollback") takeBack(visible, step.turns);
    else if (step.kind === "empty_turn") visible.push("empty_turn");
    else if (step.isEvent || !shown.has(step.message.digest)) visible.push(step.message);
  }
  return visible.filter((one) => one !== "empty_turn");
}

function takeBack(visible: (MeasuredMessage | "empty_turn")[], turns: number): void {
  for (let left = turns; left > 0 && visible.length > 0;) {
    const last = visible.pop();
    if (last === "empty_turn" || last?.role === "user") left -= 1;
  }
}
