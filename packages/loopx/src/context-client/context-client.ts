// Published by itself as `loopx/context-client`: it imports nothing, and runs wherever there is fetch.

/** What a turn is asked for. */
export interface ContextTurnRequest {
  readonly objective: string;
  readonly consumer: string;
  /** May be left out where the build has one. */
  readonly profile?: string | null;
  readonly inputs?: Readonly<Record<string, string>>;
}

export type ContextOutcome = "READY" | "DEGRADED" | "BLOCKED";
export type ContextLayerState = "AVAILABLE" | "EMPTY" | "STALE" | "UNKNOWN" | "UNAVAILABLE" | "NOT_REQUESTED";

export interface ContextLayer {
  readonly layer: string;
  readonly rule: "required" | "optional" | "excluded";
  readonly state: ContextLayerState;
  readonly selected: boolean;
  /** UTF-8 bytes it takes in the text. */
  readonly bytes: number;
  /** Such as `PROVIDER_TIMEOUT`. */
  readonly reason?: string;
  readonly provider?: string;
  readonly provider_status?: string;
  readonly provider_reason?: string;
  readonly provider_pointer?: string;
  readonly currentness?: "CURRENT" | "STALE" | "UNKNOWN";
  readonly not_selected_because?: string;
}

/** Something that could not be found out, or that blocks. */
export interface ContextFact {
  readonly layer: string;
  readonly provider: string | null;
  readonly reason: string;
  /** A sentence for people. */
  readonly says: string;
}

/** The answer to a turn. BLOCKED is an answer like the others: its `rendered` is empty. */
export interface ContextTurn {
  readonly contract: "context-turn.v1";
  readonly outcome: ContextOutcome;
  readonly trace_id: string;
  readonly traced: boolean;
  readonly profile: string;
  /** Digest of the build. */
  readonly build: string;
  readonly layers: readonly ContextLayer[];
  readonly unknowns: readonly ContextFact[];
  readonly blocked_by?: readonly ContextFact[];
  readonly ignored_inputs?: readonly { readonly input: string; readonly says: string }[];
  readonly budget: { readonly bytes: number; readonly used: number };
  readonly sanitized: number;
  /** The text for the agent. */
  readonly rendered: string;
}

export interface ContextClientOptions {
  /** Of the runtime, such as `http://127.0.0.1:8080`; a path in front of `/v1` is kept. */
  readonly url: string | URL;
  /** The bearer token, or what gives it for each request. */
  readonly token?: string | (() => string | Promise<string>);
  /** Until the whole answer is there; 15,000 unless given, since a turn's providers have 10,000. */
  readonly timeoutMs?: number;
  /** How often a turn is asked for again that failed with `retry`; none unless given. */
  readonly retries?: number;
  /** In place of the global one. */
  readonly fetch?: typeof globalThis.fetch;
}

export interface ContextCallOptions {
  /** Gives the call up: the promise rejects with its reason. */
  readonly signal?: AbortSignal;
}

export interface ContextClient {
  /**
   * Asks for one turn. READY, DEGRADED and BLOCKED are answers; everything else rejects with `ContextClientError`, or with the
   * reason of an aborted signal.
   */
  turn(request: ContextTurnRequest, options?: ContextCallOptions): Promise<ContextTurn>;
}

/**
 * Why there is no answer. `RUNTIME_UNAVAILABLE`: the runtime could not be reached, and nothing else is called so.
 * `CLIENT_TIMEOUT`: it did not answer in time. `ANSWER_INVALID`: what answered is no runtime of this contract. Any other is
 * the runtime's own code, such as `invalid_value` or `runtime_not_ready`.
 */
export class ContextClientError extends Error {
  override readonly name = "ContextClientError";
  readonly code: string;
  /** Of the HTTP answer; undefined where none came. */
  readonly status: number | undefined;
  /** Whether the same call may succeed later. */
  readonly retry: boolean;
  readonly hint: string | undefined;

  constructor(
    code: string,
    parts: { message: string; retry: boolean; status?: number; hint?: string | undefined; cause?: unknown },
  ) {
    super(parts.message, parts.cause === undefined ? undefined : { cause: parts.cause });
    this.code = code;
    this.status = parts.status;
    this.retry = parts.retry;
    this.hint = parts.hint;
  }
}

/** A client of `loopx context serve`. Nothing is sent until it is asked for a turn. Throws a TypeError for a URL that is none. */
export function createContextClient(options: ContextClientOptions): ContextClient {
  const { retries = 0 } = options;
  const base = new URL(options.url);
  const url = new URL(`${base.pathname.replace(/\/+$/, "")}/v1/turns`, base.origin).href;
  return {
    async turn(request, { signal } = {}) {
      for (let attempt = 0; ; attempt += 1) {
        try {
          return await askOnce(url, request, { options, signal });
        } catch (error) {
          const isWorthwhile = error instanceof ContextClientError && error.retry && attempt < retries;
          if (!isWorthwhile) throw error;
          await pause(RETRY_AFTER_MS * 2 ** attempt, signal);
        }
      }
    },
  };
}

const RETRY_AFTER_MS = 200;
const DEFAULT_TIMEOUT_MS = 15_000;

interface Call {
  readonly options: ContextClientOptions;
  readonly signal: AbortSignal | undefined;
}

async function askOnce(url: string, request: ContextTurnRequest, { options, signal }: Call): Promise<ContextTurn> {
  const { token, timeoutMs = DEFAULT_TIMEOUT_MS, fetch = globalThis.fetch } = options;
  const credential = typeof token === "function" ? await token() : token;
  const headers = new Headers({ "content-type": "application/json" });
  if (credential !== undefined) headers.set("authorization", `Bearer ${credential}`);
  const timeout = AbortSignal.timeout(timeoutMs);
  const either = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  // A redirect could lead the token elsewhere.
  const init: RequestInit = {
    method: "POST",
    headers,
    body: JSON.stringify(request),
    redirect: "manual",
    signal: either,
  };
  let status: number | undefined;
  try {
    const response = await fetch(url, init);
    status = response.status;
    return readAnswer(status, await response.text());
  } catch (error) {
    if (error instanceof ContextClientError) throw error;
    if (signal?.aborted === true) throw signal.reason;
    if (timeout.aborted) throw toTimeout(timeoutMs, error);
    throw status === undefined ? toUnreachable(error) : toBrokenOff(status, error);
  }
}

function toTimeout(timeoutMs: number, cause: unknown): ContextClientError {
  const message = `the context runtime did not answer within ${timeoutMs} ms`;
  return new ContextClientError("CLIENT_TIMEOUT", { message, retry: true, cause });
}

function toUnreachable(cause: unknown): ContextClientError {
  const message = "the context runtime cannot be reached";
  const hint = "is it running (loopx context serve), and is this its URL?";
  return new ContextClientError("RUNTIME_UNAVAILABLE", { message, retry: true, hint, cause });
}

function toBrokenOff(status: number, cause: unknown): ContextClientError {
  const message = "the answer of the context runtime broke off";
  return new ContextClientError("ANSWER_INVALID", { message, status, retry: true, cause });
}

function readAnswer(status: number, text: string): ContextTurn {
  const body = parseObject(text);
  if (status === 200 && body?.["contract"] === "context-turn.v1" && "rendered" in body) {
    return body as unknown as ContextTurn;
  }
  const error = toFields(body?.["error"]);
  const { code, message, retry, hint } = error ?? {};
  if (typeof code === "string" && typeof message === "string") {
    const parts = { message, status, retry: retry === true, hint: typeof hint === "string" ? hint : undefined };
    throw new ContextClientError(code, parts);
  }
  const said = `what answered with HTTP ${status} is no context runtime of this version`;
  throw new ContextClientError("ANSWER_INVALID", { message: said, status, retry: status >= 500 });
}

type Fields = Readonly<Record<string, unknown>>;

function parseObject(text: string): Fields | undefined {
  try {
    return toFields(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function toFields(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    const giveUp = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", giveUp, { once: true });
  });
}
