import { useRef, useState } from "react";
import { RequestFault } from "./request.ts";

/** What came of the last thing that somebody asked for by a click. */
export interface Asked<Document> {
  readonly document: Document | undefined;
  readonly fault: RequestFault | undefined;
  readonly isAsking: boolean;
  /** Asks; what an earlier asking comes to is of no interest any more. */
  readonly ask: (request: () => Promise<Document>) => void;
}

/** Asks for a document when told to. What came last stays until the next one is there. */
export function useAsked<Document>(): Asked<Document> {
  const [held, setHeld] = useState<Omit<Asked<Document>, "ask">>({
    document: undefined,
    fault: undefined,
    isAsking: false,
  });
  const count = useRef(0);
  const ask = (request: () => Promise<Document>): void => {
    count.current += 1;
    const own = count.current;
    setHeld((last) => ({ ...last, isAsking: true }));
    void settle(request).then((settled) => {
      if (own === count.current) setHeld(settled);
      return settled;
    });
  };
  return { ...held, ask };
}

async function settle<Document>(request: () => Promise<Document>): Promise<Omit<Asked<Document>, "ask">> {
  try {
    return { document: await request(), fault: undefined, isAsking: false };
  } catch (error) {
    if (error instanceof RequestFault) return { document: undefined, fault: error, isAsking: false };
    throw error;
  }
}
