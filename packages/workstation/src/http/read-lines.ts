import type { FaultAnswer } from "../contract/fault.ts";
import { AWAY, RequestFault, UNREADABLE } from "./request.ts";

interface LinesRequest {
  readonly path: string;
  readonly body: object;
  /** Ends the reading, and with it whatever the server does for it. */
  readonly signal: AbortSignal;
}

/** Sends a document and gives each line of JSON as it comes. Throws `RequestFault` where no answer begins. */
export async function readLines(
  { path, body, signal }: LinesRequest,
  take: (document: unknown) => void,
): Promise<void> {
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), signal };
  const response = await fetch(path, { ...init, credentials: "same-origin" }).catch(() => undefined);
  if (response === undefined) throw new RequestFault(AWAY, null);
  if (!response.ok || response.body === null) throw await toFault(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }) as const);
    if (done) break;
    const lines = `${rest}${value}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) take(JSON.parse(line));
  }
}

async function toFault(response: Response): Promise<RequestFault> {
  const answer = (await response.json().catch(() => undefined)) as FaultAnswer | undefined;
  return new RequestFault(answer?.error ?? UNREADABLE, response.status);
}
