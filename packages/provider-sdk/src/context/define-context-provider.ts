import { findRecordsFault, type ContextRecords } from "./context-item.ts";
import { CONTEXT_CONTRACT, parseContextRequest, type ContextLookup, type ContextRequest } from "./context-request.ts";
import { readBody } from "./read-body.ts";

export interface LookupContext {
  /** Aborted when the caller is gone. */
  readonly signal: AbortSignal;
}

export interface ContextProviderDefinition {
  /** Your version, and whether lookups would work now: what it throws makes the provider not ready. */
  readonly describe: () => ContextDescription | Promise<ContextDescription>;
  /** Looks a value up. `undefined` where there is no record of it. */
  readonly lookup: (
    lookup: ContextLookup,
    context: LookupContext,
  ) => ContextRecords | undefined | Promise<ContextRecords | undefined>;
  /** Whether a request may be answered, such as `checkBearer(token)`. Left out, every request may. */
  readonly authorise?: (request: Request) => boolean | Promise<boolean>;
  /** Told what went wrong; nothing of it leaves the process. `console.error` when left out. */
  readonly report?: (error: unknown) => void;
}

export interface ContextDescription {
  readonly version?: string | undefined;
}

/**
 * Makes a provider of `context-provider.v1` out of two functions: a fetch handler for any server that takes one.
 *
 * It never rejects. 401 without authority, 405 for another method than POST, 400 and 413 for what is no request, 404 where
 * there is no record, 500 where `describe` or `lookup` throws or gives what the contract doesn't take.
 */
export function defineContextProvider(definition: ContextProviderDefinition): (request: Request) => Promise<Response> {
  // oxlint-disable-next-line no-console -- where an author looks, on every runtime that has fetch
  const { authorise = () => true, report = console.error } = definition;
  return async (request) => {
    try {
      if (!(await authorise(request))) return refuse(401, "the bearer token is missing or wrong");
      if (request.method !== "POST") return refuse(405, "only POST is answered");
      const text = await readBody(request);
      if (text === undefined) return refuse(413, "the body is too large");
      const asked = parseContextRequest(text);
      return "fault" in asked ? refuse(400, asked.fault) : await answer(definition, asked, request.signal);
    } catch (error) {
      report(error);
      return refuse(500, "the provider failed");
    }
  };
}

async function answer(
  { describe, lookup }: ContextProviderDefinition,
  asked: ContextRequest,
  signal: AbortSignal,
): Promise<Response> {
  const contract = CONTEXT_CONTRACT;
  // JSON leaves out what is undefined, here and below.
  if (asked.capability === "describe") {
    return send(200, { contract, version: (await describe()).version, capabilities: ["describe", "lookup"] });
  }
  const { capability: _capability, ...wanted } = asked;
  const records = await lookup(wanted, { signal });
  if (records === undefined || records.items.length === 0) return refuse(404, "no record");
  const fault = findRecordsFault(records);
  if (fault !== undefined) throw new TypeError(`the lookup's answer breaks the contract: ${fault}`);
  const { items, currentness, revision, version } = records;
  const shown = items.slice(0, asked.limit).map(({ id, title, content, metadata, updatedAt }) => ({
    id,
    title,
    content,
    metadata,
    updatedAt,
  }));
  return send(200, { contract, version, revision, currentness: currentness ?? "UNKNOWN", items: shown });
}

function refuse(status: number, message: string): Response {
  return send(status, { error: message });
}

function send(status: number, body: object): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", "cache-control": "no-store" },
  });
}
