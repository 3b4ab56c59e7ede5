import { toEpochMs } from "@loopx/contracts";
import type { Progress } from "@loopx/control-plane";
import type { OrderedRow, OrderKey } from "./ordered-head.ts";
import type { TextView } from "../packets/shown-text.ts";

/** Latest first. */
export function toProgressKey(goalId: string, { at, order }: Progress): OrderKey {
  return [-toEpochMs(at), goalId, -order];
}

export function toProgressPacket({ goalId, item }: OrderedRow<Progress>, text: TextView): object {
  return {
    goal_id: goalId,
    type: item.type,
    at: item.at,
    ...(item.todoId === null ? {} : { todo_id: item.todoId }),
    ...(item.text === null ? {} : { title: text.show(item.text) }),
  };
}

export const PROGRESS_COLUMNS = [{ title: "AT" }, { title: "ACTIVE STATE ID" }, { title: "WHAT" }, { title: "TITLE" }];

export function toProgressCells({ goalId, item }: OrderedRow<Progress>, text: TextView): readonly string[] {
  const what = item.type.replace(/\.v\d+$/, "").replaceAll("_", " ");
  return [item.at, goalId, what, item.text === null ? "" : text.show(item.text)];
}
