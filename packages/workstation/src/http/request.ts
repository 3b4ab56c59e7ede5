import type { Fault, FaultAnswer } from "../contract/fault.ts";

/** A request that was answered with no success, or with nothing. */
export class RequestFault extends Error {
  override readonly name = "RequestFault";
  readonly fault: Fault;
  /** Null where no answer came: the server is away. */
  readonly status: number | null;

  constructor(fault: Fault, status: number | null) {
    super(fault.message);
    this.fault = fault;
    this.status = status;
  }
}

/** Asks the server for a document. Throws `RequestFault`, or what the signal aborts with. */
export function getDocument<Document>(path: string, signal?: AbortSignal): Promise<Document> {
  return ask<Document>(path, signal === undefined ? {} : { signal });
}

/** Sends a document and gives the answer. Throws `RequestFault`. */
export function postDocument<Document>(path: string, body: object): Promise<Document> {
  return ask<Document>(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

async function ask<Document>(path: string, init: RequestInit): Promise<Document> {
  const response = await fetch(path, { ...init, credentials: "same-origin" }).catch((error: unknown) => {
    if (init.signal?.aborted === true) throw error;
    throw new RequestFault(AWAY, null);
  });
  const document = await readJson(response);
  if (response.ok && document !== undefined) return document as Document;
  throw new RequestFault((document as FaultAnswer | undefined)?.error ?? UNREADABLE, response.status);
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}

export const AWAY: Fault = {
  code: "server_away",
  category: "environment",
  message: "the Workstation does not answer",
  hint: "start it again: loopx workstation",
  retry: true,
};

export const UNREADABLE: Fault = {
  code: "internal",
  category: "internal",
  message: "the answer is not one this page can read",
  hint: "reload the page",
  retry: false,
};
