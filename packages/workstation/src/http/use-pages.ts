import { useCallback, useEffect, useRef, useState } from "react";
import type { Topic } from "../contract/live.ts";
import { askPages } from "./ask-pages.ts";
import { listenTo } from "./live.ts";
import { RequestFault } from "./request.ts";

/** A list that comes a page at a time, as far as it was asked for. */
export interface Pages<Row> {
  /** Undefined until the first page has come. */
  readonly rows: readonly Row[] | undefined;
  readonly hasMore: boolean;
  readonly fault: RequestFault | undefined;
  /** Asks for one more page. */
  readonly more: () => void;
}

interface Held<Row> extends Omit<Pages<Row>, "more"> {
  readonly path: string;
}

/**
 * The list at a path that takes `cursor`, asked for again as far as it was shown whenever one of the topics is announced.
 * One request at a time.
 */
export function usePages<Row>(path: string, topics: readonly Topic[] = []): Pages<Row> {
  const nothing = { path, rows: undefined, hasMore: false, fault: undefined };
  const [held, setHeld] = useState<Held<Row>>(nothing);
  const loadMore = useRef<() => void>(() => undefined);
  const wanted = topics.join(" ");

  useEffect(() => {
    const ending = new AbortController();
    let pageCount = 1;
    let isAsking = false;
    let isOutdated = false;
    const load = async (): Promise<void> => {
      isOutdated = true;
      if (isAsking) return;
      isAsking = true;
      while (isOutdated) {
        isOutdated = false;
        const next = await tryPages<Row>(path, pageCount, ending.signal);
        if (next === undefined) return;
        setHeld((last) => ({ path, ...next, rows: next.rows ?? (last.path === path ? last.rows : undefined) }));
      }
      isAsking = false;
    };
    loadMore.current = () => {
      if (isAsking) return;
      pageCount += 1;
      void load();
    };
    void load();
    const stop = listenTo(wanted === "" ? [] : (wanted.split(" ") as Topic[]), () => void load());
    return () => {
      ending.abort();
      stop();
    };
  }, [path, wanted]);

  const more = useCallback(() => loadMore.current(), []);
  return { ...(held.path === path ? held : nothing), more };
}

/** The first pages of a list; undefined where nobody waits for them any more. */
async function tryPages<Row>(
  path: string,
  pageCount: number,
  signal: AbortSignal,
): Promise<Omit<Pages<Row>, "more"> | undefined> {
  try {
    const { rows, next_cursor: cursor } = await askPages<Row>(path, { cursor: null, pageCount }, signal);
    return { rows, hasMore: cursor !== null, fault: undefined };
  } catch (error) {
    if (error instanceof RequestFault) return { rows: undefined, hasMore: false, fault: error };
    if (signal.aborted) return undefined;
    throw error;
  }
}
