import { useEffect, useRef, useState } from "react";
import type { ContextRunLine } from "../../contract/context-runs.ts";
import { readLines } from "../../http/read-lines.ts";
import { AWAY, RequestFault } from "../../http/request.ts";

/** A run as the page has it: how far it is, then what came of it. */
export interface Run<Report> {
  readonly progress: { readonly done: number; readonly total: number } | undefined;
  readonly report: Report | undefined;
  readonly fault: RequestFault | undefined;
  readonly isRunning: boolean;
  readonly start: (path: string, body: object) => void;
  readonly stop: () => void;
}

type Held<Report> = Omit<Run<Report>, "start" | "stop">;

/** Runs something on the server that tells how far it is. Leaving the page ends it, there too. */
export function useRun<Report>(): Run<Report> {
  const [held, setHeld] = useState<Held<Report>>(IDLE);
  const ending = useRef<AbortController | undefined>(undefined);
  const stop = (): void => {
    ending.current?.abort();
    setHeld((last) => ({ ...last, isRunning: false, progress: undefined }));
  };
  const start = (path: string, body: object): void => {
    ending.current?.abort();
    const own = new AbortController();
    ending.current = own;
    setHeld({ ...IDLE, isRunning: true });
    const take = (document: unknown): void => {
      const line = document as ContextRunLine<Report>;
      if (!own.signal.aborted) setHeld((last) => toHeld(last, line));
    };
    void follow({ path, body, signal: own.signal }, take).then((fault) => {
      // A run whose last line is missing broke off.
      if (!own.signal.aborted) setHeld((last) => (last.isRunning ? { ...IDLE, fault } : last));
      return fault;
    });
  };
  useEffect(() => () => ending.current?.abort(), []);
  return { ...held, start, stop };
}

/** Settles when no line will come any more, with what to say if the last one did not. */
async function follow(...[request, take]: Parameters<typeof readLines>): Promise<RequestFault> {
  try {
    await readLines(request, take);
    return new RequestFault(AWAY, null);
  } catch (error) {
    if (error instanceof RequestFault) return error;
    throw error;
  }
}

const IDLE = { progress: undefined, report: undefined, fault: undefined, isRunning: false } as const;

function toHeld<Report>(last: Held<Report>, line: ContextRunLine<Report>): Held<Report> {
  switch (line.kind) {
    case "progress":
      return { ...last, progress: line };
    case "report":
      return { ...IDLE, report: line.report };
    case "error": {
      const { code, message, hint } = line.error;
      const fault = { code, category: "refused", message, retry: false, ...(hint === null ? {} : { hint }) };
      return { ...IDLE, fault: new RequestFault(fault, null) };
    }
  }
}
