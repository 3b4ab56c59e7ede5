import type { OnProgress } from "@loopx/runtime-context/offline";
import type { ContextRunLine } from "@loopx/workstation/contract";
import { renderDocumentText } from "../render-document.ts";
import { respond } from "../security/respond.ts";
import { toFault } from "./place-row.ts";

/** Thrown through a run whose reader has gone: nobody waits for what would come of it. */
const GONE = Symbol("the reader has gone");

/**
 * The answer of a run that takes its time: a line of JSON for each stretch of it, and a last one with what came of it or why
 * nothing did. Ends the run when the page that asked for it goes away.
 */
export function streamRun<Report extends object>(run: (onProgress: OnProgress) => Promise<Report>): Response {
  let isGone = false;
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      const encoder = new TextEncoder();
      const write = (line: ContextRunLine<Report>): void => {
        if (!isGone) controller.enqueue(encoder.encode(`${renderDocumentText(line)}\n`));
      };
      const onProgress: OnProgress = (done, total) => {
        if (isGone) throw GONE;
        write({ kind: "progress", done, total });
      };
      void finish(run(onProgress), write).then(() => (isGone ? undefined : controller.close()));
    },
    cancel: () => {
      isGone = true;
    },
  });
  return respond(stream, { headers: { "content-type": "application/x-ndjson" } });
}

async function finish<Report extends object>(
  running: Promise<Report>,
  write: (line: ContextRunLine<Report>) => void,
): Promise<void> {
  try {
    write({ kind: "report", report: await running });
  } catch (error) {
    if (error !== GONE) write({ kind: "error", error: toFault(error) });
  }
}
