import { useCallback, useEffect, useRef, useState } from "react";
import type { ContextTraceRow, ContextTracesAnswer, ContextTraceSearch } from "../../contract/context-traces.ts";
import { listenTo } from "../../http/live.ts";
import { postDocument, RequestFault } from "../../http/request.ts";

/** The traces that fit a search, as far as pages were asked for. */
export interface FoundTraces {
  /** Undefined before the first page is there. */
  readonly rows: readonly ContextTraceRow[] | undefined;
  readonly hasMore: boolean;
  readonly fault: RequestFault | undefined;
  readonly loadMore: () => void;
  /** Begins again with the latest. */
  readonly reload: () => void;
}

interface Held {
  readonly rows: readonly ContextTraceRow[] | undefined;
  readonly cursor: string | null;
  readonly fault: RequestFault | undefined;
}

const NOTHING: Held = { rows: undefined, cursor: null, fault: undefined };

/**
 * Searches page by page. With new traces all pages that were shown are asked for again, so rows keep their places. A page
 * that comes when the search is another one by then is dropped.
 */
export function useTraces(place: string, search: ContextTraceSearch): FoundTraces {
  const [held, setHeld] = useState(NOTHING);
  const asking = useRef<string | undefined>(undefined);
  const path = `/api/context/places/${place}/traces/search`;
  const wanted = JSON.stringify([path, search]);

  const pageCount = useRef(1);
  const beginnings = useRef(0);
  const load = useCallback(
    async (cursor: string | null, count = 1): Promise<void> => {
      // Of two that begin anew the later one counts: it sees more.
      if (cursor === null) beginnings.current += 1;
      const own = `${wanted} ${cursor ?? beginnings.current}`;
      if (cursor !== null && asking.current === own) return;
      asking.current = own;
      const [to, filters] = JSON.parse(wanted) as [string, ContextTraceSearch];
      const next = await askPages(to, cursor === null ? filters : { ...filters, cursor }, count);
      if (asking.current !== own) return;
      asking.current = undefined;
      pageCount.current = cursor === null ? count : pageCount.current + 1;
      setHeld((last) => join(cursor === null ? undefined : last.rows, next));
    },
    [wanted],
  );
  useEffect(() => {
    setHeld(NOTHING);
    void load(null);
    return listenTo(["traces"], () => void load(null, pageCount.current));
  }, [load]);

  const { cursor } = held;
  const loadMore = useCallback(() => void (cursor === null ? undefined : load(cursor)), [load, cursor]);
  const reload = useCallback(() => void load(null), [load]);
  return { rows: held.rows, hasMore: cursor !== null, fault: held.fault, loadMore, reload };
}

function join(before: readonly ContextTraceRow[] | undefined, next: ContextTracesAnswer | RequestFault): Held {
  if (next instanceof RequestFault) return { rows: before, cursor: null, fault: next };
  return { rows: [...(before ?? []), ...next.traces], cursor: next.next_cursor, fault: undefined };
}

/** Some pages as one, each asked for behind the one before. */
async function askPages(
  path: string,
  search: ContextTraceSearch,
  count: number,
): Promise<ContextTracesAnswer | RequestFault> {
  let found = await ask(path, search);
  for (let page = 1; page < count && !(found instanceof RequestFault) && found.next_cursor !== null; page += 1) {
    const next = await ask(path, { ...search, cursor: found.next_cursor });
    found = next instanceof RequestFault ? next : { ...next, traces: [...found.traces, ...next.traces] };
  }
  return found;
}

async function ask(path: string, search: ContextTraceSearch): Promise<ContextTracesAnswer | RequestFault> {
  try {
    return await postDocument<ContextTracesAnswer>(path, search);
  } catch (error) {
    if (error instanceof RequestFault) return error;
    throw error;
  }
}
