import { useRef, useState } from "react";
import type { Page } from "../contract/page.ts";
import { getDocument, RequestFault } from "./request.ts";

/** A list whose first page came with something else. */
export interface Further<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
  readonly fault: RequestFault | undefined;
  /** Asks for one more page. */
  readonly more: () => void;
}

/**
 * The first page as it is now and the further ones as they were when they were asked for at `path`. A row that came into
 * the first page meanwhile stands there only.
 */
export function useFurther<Row>(first: Page<Row>, path: string, keyOf: (row: Row) => string): Further<Row> {
  const [further, setFurther] = useState<Page<Row>>();
  const [fault, setFault] = useState<RequestFault>();
  const isAsking = useRef(false);
  const cursor = further === undefined ? first.next_cursor : further.next_cursor;
  const known = new Set(first.rows.map(keyOf));
  const load = async (from: string): Promise<void> => {
    isAsking.current = true;
    try {
      const page = await getDocument<Page<Row>>(`${path}?cursor=${encodeURIComponent(from)}`);
      setFault(undefined);
      setFurther((last) => ({ rows: [...(last?.rows ?? []), ...page.rows], next_cursor: page.next_cursor }));
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
  return {
    rows: [...first.rows, ...(further?.rows ?? []).filter((row) => !known.has(keyOf(row)))],
    hasMore: cursor !== null,
    fault,
    more,
  };
}
