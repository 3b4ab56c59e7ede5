import { useRef, useState } from "react";
import type { GoalAt, TodoAt } from "../../contract/goal.ts";
import type { Page } from "../../contract/page.ts";
import { getDocument, RequestFault } from "../../http/request.ts";

interface ThenPages {
  readonly rows: readonly TodoAt[];
  readonly hasMore: boolean;
  readonly fault: RequestFault | undefined;
  readonly more: () => void;
}

/** The todos of a goal as it was, which no longer change: further pages are put behind the first as they are asked for. */
export function useThenPages(path: string, first: Page<TodoAt>): ThenPages {
  const [{ rows, next_cursor: cursor }, setHeld] = useState(first);
  const [fault, setFault] = useState<RequestFault>();
  const isAsking = useRef(false);
  const load = async (from: string): Promise<void> => {
    isAsking.current = true;
    try {
      const { todos } = await getDocument<GoalAt>(`${path}?cursor=${encodeURIComponent(from)}`);
      setFault(undefined);
      setHeld((last) => ({ rows: [...last.rows, ...todos.rows], next_cursor: todos.next_cursor }));
    } catch (error) {
      if (!(error instanceof RequestFault)) throw error;
      setFault(error);
    } finally {
      isAsking.current = false;
    }
  };
  const more = (): void => {
    if (cursor !== null && !isAsking.current) void load(cursor);
  };
  return { rows, hasMore: cursor !== null, fault, more };
}
