import { setImmediate } from "node:timers/promises";
import { toVisibleText } from "@loopx/contracts";
import type { HttpProviderBinding } from "../../binding/deployment-binding.ts";
import { decodeAnswer, parseAnswerText } from "../answer/parse-answer-json.ts";
import { isPlainJson } from "../answer/plain-answer.ts";
import type { Deadline } from "../deadline.ts";
import { isFault, refuseAnswer, toUnavailable, type ProviderFault } from "../provider-fault.ts";
import { releaseBody } from "./body-buffer.ts";
import type { ConnectionPool } from "./connection-pool.ts";
import { createReflectionCheck, type ReflectionCheck } from "./reflected-credential.ts";
import { runExchange, type AnsweredExchange, type Exchange } from "./run-exchange.ts";
import { isClosedUnanswered, toTransportFault } from "./transport-fault.ts";

/** A credential that is read when it is used. */
export interface RevealableSecret {
  reveal(): string;
}

/** What a provider said to one request: a JSON value, that there is no record (404), or nothing usable. */
export type ProviderReply =
  | ({ readonly attempts: number } & JsonReply)
  | { readonly kind: "not_found"; readonly attempts: number }
  | { readonly kind: "fault"; readonly fault: ProviderFault; readonly attempts: number };

interface JsonReply {
  readonly kind: "json";
  readonly value: unknown;
  /** As `isPlainJson` says. */
  readonly isPlain: boolean;
}

/** Where a provider's requests go. */
export interface ProviderEndpoint {
  readonly binding: HttpProviderBinding;
  readonly path: string;
  readonly secret: RevealableSecret | null;
  /** What follows from the credential, as long as it stays the same. */
  readonly prepare: (credential: string | null) => PreparedCredential;
}

export interface PreparedCredential {
  readonly headers: readonly string[];
  readonly isReflected: ReflectionCheck;
}

/** Where a binding points to. */
export function createEndpoint(binding: HttpProviderBinding, secret: RevealableSecret | null): ProviderEndpoint {
  const { pathname, search } = new URL(binding.url);
  let last: (PreparedCredential & { readonly credential: string | null }) | undefined;
  const prepare = (credential: string | null): PreparedCredential => {
    if (last === undefined || last.credential !== credential) {
      last = { credential, headers: toHeaders(credential), isReflected: createReflectionCheck(credential) };
    }
    return last;
  };
  return { binding, path: `${pathname}${search}`, secret, prepare };
}

const MAX_ATTEMPTS = 2;

/** Sends one request body to the bound endpoint and reads the reply: bounded, strict, and without the credential in it. */
export async function callProvider(
  pool: ConnectionPool,
  endpoint: ProviderEndpoint,
  body: string,
  deadline: Deadline,
): Promise<ProviderReply> {
  const credential = readCredential(endpoint.secret);
  if (typeof credential === "object" && credential !== null) return { kind: "fault", fault: credential, attempts: 0 };
  const { headers, isReflected } = endpoint.prepare(credential);
  const request = { path: endpoint.path, headers, body };
  const rules = { maxBytes: endpoint.binding.maxBytes, isReflected };
  let attempts = 0;
  let exchange: Exchange;
  do {
    attempts += 1;
    exchange = await runExchange(pool, request, rules, deadline);
  } while (attempts < MAX_ATTEMPTS && isRetryable(exchange) && !deadline.hasPassed());
  if (exchange.kind !== "answered") return { kind: "fault", fault: toFault(exchange), attempts };
  const steps = readBody(exchange, isReflected);
  return { ...(exchange.body.length > BYTES_A_TURN ? await readAlone(steps) : readAtOnce(steps)), attempts };
}

function toFault(exchange: Exclude<Exchange, AnsweredExchange>): ProviderFault {
  return exchange.kind === "refused" ? exchange.fault : toTransportFault(exchange);
}

/** A keep-alive socket may die just as it is used again. Undici doesn't send a POST twice by itself. */
function isRetryable(exchange: Exchange): boolean {
  return exchange.kind === "broken" && exchange.isReused && isClosedUnanswered(exchange);
}

type Reply = JsonReply | { readonly kind: "not_found" } | { readonly kind: "fault"; readonly fault: ProviderFault };

/** Each look at a body of 1 MiB takes milliseconds: other turns are let in between them. */
const BYTES_A_TURN = 131_072;

type ReadingSteps = Generator<undefined, Reply, undefined>;

/** Of many large bodies that have come, one at a time is a string and a value too: together they would be several times their size. */
let lastLarge: Promise<unknown> = Promise.resolve();

function readAlone(steps: ReadingSteps): Promise<Reply> {
  const reply = lastLarge.then(() => readStepByStep(steps));
  lastLarge = reply.catch(() => undefined);
  return reply;
}

async function readStepByStep(steps: ReadingSteps): Promise<Reply> {
  for (;;) {
    await setImmediate();
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

function readAtOnce(steps: ReadingSteps): Reply {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** What a body says; between two steps other turns may be let in. */
function* readBody({ httpStatus, body }: AnsweredExchange, isReflected: ReflectionCheck): ReadingSteps {
  // Of a large body a text to search in would be as much memory again; a small text is searched faster.
  const isInBody = isReflected(body.length > BYTES_A_TURN ? body : body.toString("latin1"));
  if (isInBody) return { kind: "fault", fault: refuseAnswer("REFLECTED") };
  if (httpStatus === 404) return { kind: "not_found" };
  yield;
  const byteCount = body.length;
  const text = decodeAnswer(body);
  releaseBody(body);
  if (typeof text !== "string") return { kind: "fault", fault: text };
  yield;
  const json = parseAnswerText(text);
  if (isFault(json)) return { kind: "fault", fault: json };
  yield;
  // Escapes and invisible characters can hide a credential from the search above; what a reader will see holds none of them.
  const mayHide = text.includes("\\") || toVisibleText(text) !== text;
  if (mayHide && isReflected(toVisibleText(JSON.stringify(json.value))))
    return { kind: "fault", fault: refuseAnswer("REFLECTED") };
  return { kind: "json", value: json.value, isPlain: isPlainJson(text, byteCount) };
}

/** The credential is read for each call: a rotated secret is used at once. */
function readCredential(secret: RevealableSecret | null): string | null | ProviderFault {
  if (secret === null) return null;
  let credential: string;
  try {
    credential = secret.reveal();
  } catch {
    return toUnavailable("SECRET_UNAVAILABLE");
  }
  // Visible ASCII: all that a bearer header can carry.
  return /^[\x21-\x7e]{1,4096}$/.test(credential) ? credential : toUnavailable("SECRET_UNUSABLE");
}

/** Nothing here comes from a request, and no trace context of one is passed on. */
function toHeaders(credential: string | null): readonly string[] {
  const fixed = ["content-type", "application/json", "accept", "application/json", "accept-encoding", "identity"];
  return credential === null ? fixed : [...fixed, "authorization", `Bearer ${credential}`];
}
