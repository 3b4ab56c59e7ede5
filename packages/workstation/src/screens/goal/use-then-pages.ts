import { useState } from "react";
import type { GoalAt, TodoAt } from "../../contract/goal.ts";
import type { Page } from "../../contract/page.ts";
import { getDocument } from "../../http/request.ts";

/** The todos of a goal as it was, which no longer change: further pages are put behind the first as they are asked for. */
export function useThenPages(
  path: string,
  first: Page<TodoAt>,
): { readonly rows: readonly TodoAt[]; readonly hasMore: boolean; readonly more: () => void } {
  const [held, setHeld] = useState(first);
  const { rows, next_cursor: cursor } = held;
  const more = (): void => {
    if (cursor === null) return;
    void getDocument<GoalAt>(`${path}?cursor=${encodeURIComponent(cursor)}`).then(({ todos }) =>
      setHeld((last) =>
        last.next_cursor === cursor ? { rows: [...last.rows, ...todos.rows], next_cursor: todos.next_cursor } : last,
      ),
    );
  };
  return { rows, hasMore: cursor !== null, more };
}
