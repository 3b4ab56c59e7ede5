import { useEffect, useRef, useState } from "react";
import type { Page } from "../contract/page.ts";
import { askPages } from "./ask-pages.ts";
import { RequestFault } from "./request.ts";

/** A list whose first page came with something else. */
export interface Further<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
  readonly fault: RequestFault | undefined;
  /** Asks for one more page. */
  readonly more: () => void;
}

/**
 * The first page as it is now and the further ones, at `path`, as far as they were asked for. They are asked for again with
 * each new first page, and stay as they are until the answer is there: rows keep their places. One request at a time.
 */
export function useFurther<Row>(first: Page<Row>, path: string, keyOf: (row: Row) => string): Further<Row> {
  const [further, setFurther] = useState<Page<Row>>();
  const [fault, setFault] = useState<RequestFault>();
  const loading = useRef({ pageCount: 0, isAsking: false, isOutdated: false, cursor: first.next_cursor });

  const load = async (): Promise<void> => {
    const state = loading.current;
    state.isOutdated = true;
    if (state.isAsking) return;
    state.isAsking = true;
    try {
      while (state.isOutdated) {
        state.isOutdated = false;
        const { cursor, pageCount } = state;
        const next = await askPages<Row>(path, { cursor, pageCount });
        // What began behind an older first page would leave a gap, or show a row twice.
        if (!state.isOutdated) setFurther(next);
      }
      setFault(undefined);
    } catch (error) {
      if (!(error instanceof RequestFault)) throw error;
      setFault(error);
    } finally {
      state.isAsking = false;
    }
  };
  const latest = useRef(load);
  latest.current = load;

  useEffect(() => {
    const state = loading.current;
    state.cursor = first.next_cursor;
    if (state.pageCount === 0) return;
    if (first.next_cursor !== null) return void latest.current();
    // All of it fits on the first page now.
    state.pageCount = 0;
    setFurther(undefined);
  }, [first]);

  const known = new Set(first.rows.map(keyOf));
  const cursor = further === undefined ? first.next_cursor : further.next_cursor;
  const more = (): void => {
    if (cursor === null || loading.current.isAsking) return;
    loading.current.pageCount += 1;
    void load();
  };
  return {
    rows: [...first.rows, ...(further?.rows ?? []).filter((row) => !known.has(keyOf(row)))],
    hasMore: cursor !== null,
    fault,
    more,
  };
}
