import { useCallback, useEffect, useRef, useState } from "react";
import type { Topic } from "../contract/live.ts";
import { listenTo } from "./live.ts";
import { getDocument, RequestFault } from "./request.ts";

/** A document of the server as the page has it: what came last stays while it is asked for again. */
export interface Resource<Document> {
  readonly document: Document | undefined;
  readonly fault: RequestFault | undefined;
  /** Asks again now. */
  readonly reload: () => void;
}

interface Held<Document> {
  readonly path: string;
  readonly document: Document | undefined;
  readonly fault: RequestFault | undefined;
}

/**
 * The document at a path, asked for again whenever one of the topics is announced. One request at a time: what is announced
 * meanwhile is one more after it.
 */
export function useResource<Document>(path: string, topics: readonly Topic[] = []): Resource<Document> {
  const [held, setHeld] = useState<Held<Document>>({ path, document: undefined, fault: undefined });
  const loadNow = useRef<() => void>(() => undefined);
  const wanted = topics.join(" ");

  useEffect(() => {
    const ending = new AbortController();
    let isAsking = false;
    let isOutdated = false;
    const load = async (): Promise<void> => {
      if (isAsking) {
        isOutdated = true;
        return;
      }
      isAsking = true;
      do {
        isOutdated = false;
        const next = await ask<Document>(path, ending.signal);
        if (next === undefined) return;
        setHeld((last) => ({ path, document: next.document ?? findLast(last, path), fault: next.fault }));
      } while (isOutdated);
      isAsking = false;
    };
    loadNow.current = () => void load();
    void load();
    const stop = listenTo(wanted === "" ? [] : (wanted.split(" ") as Topic[]), () => void load());
    return () => {
      ending.abort();
      stop();
    };
  }, [path, wanted]);

  const reload = useCallback(() => loadNow.current(), []);
  // Until the effect has run, what is held may be of the path before.
  return held.path === path ? { ...held, reload } : { document: undefined, fault: undefined, reload };
}

type Answered<Document> = Pick<Held<Document>, "document" | "fault">;

/** Undefined where nobody waits for the answer any more. */
async function ask<Document>(path: string, signal: AbortSignal): Promise<Answered<Document> | undefined> {
  try {
    return { document: await getDocument<Document>(path, signal), fault: undefined };
  } catch (error) {
    if (error instanceof RequestFault) return { document: undefined, fault: error };
    if (signal.aborted) return undefined;
    throw error;
  }
}

function findLast<Document>(last: Held<Document>, path: string): Document | undefined {
  return last.path === path ? last.document : undefined;
}
