import type { ConformanceCheck } from "@loopx/contracts";
import type { HttpProviderBinding } from "../binding/deployment-binding.ts";
import { parseDescribeAnswer } from "../providers/answer/describe-answer.ts";
import { parseLookupAnswer, PROVIDER_CONTRACT, type LookupAnswer } from "../providers/answer/lookup-answer.ts";
import { isFault, type ProviderFault } from "../providers/provider-fault.ts";
import { fail, pass, skip, type ConformanceReport } from "./conformance-report.ts";
import { explainFault } from "./explain-fault.ts";
import { openProviderProbe, type Probed, type ProbeParts, type ProviderProbe } from "./provider-probe.ts";

/** What the provider is asked: one value it has a record of, and one it has none of. */
export interface ConformanceSample {
  readonly provider: string;
  readonly key: string;
  readonly value: string;
  readonly missingValue: string;
}

/**
 * Holds a live HTTP provider against context-provider.v1, with the credential and bounds of a binding.
 *
 * Some twenty requests, one after another; nothing of an answer is in the report. Never throws for what a provider does.
 */
export async function checkProvider(
  binding: HttpProviderBinding,
  sample: ConformanceSample,
  parts: ProbeParts,
): Promise<ConformanceReport> {
  const probe = await openProviderProbe(binding, parts);
  try {
    return await runChecks({ binding, sample, parts, probe, answered: [] });
  } finally {
    await probe.close();
  }
}

interface Checking {
  readonly binding: HttpProviderBinding;
  readonly sample: ConformanceSample;
  readonly parts: ProbeParts;
  readonly probe: ProviderProbe;
  /** Milliseconds of each lookup that was answered. */
  readonly answered: number[];
}

async function runChecks(checking: Checking): Promise<ConformanceReport> {
  const described = await checkDescribe(checking);
  const checks = [described.check];
  for (const [name, check] of CHECKS) {
    // Of a provider that can't be asked, each further check would say something that nobody found out.
    checks.push(described.isReached ? await check(checking) : skip(name, NOT_ASKED));
  }
  checks.push(described.isReached ? checkRedirects(checks) : skip("redirects", NOT_ASKED));
  const sorted = checking.answered.toSorted((left, right) => left - right);
  const [medianMs, slowestMs] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  return {
    isConformant: checks.every(({ state }) => state !== "failed"),
    checks,
    version: described.version,
    latency: medianMs === undefined || slowestMs === undefined ? null : { count: sorted.length, medianMs, slowestMs },
  };
}

const NOT_ASKED = "couldn't be asked";
const DESCRIBE = JSON.stringify({ contract: PROVIDER_CONTRACT, capability: "describe" });

function toLookup({ sample, binding }: Checking, more: object = {}): string {
  const { provider, key, value } = sample;
  const limit = binding.maxItems;
  return JSON.stringify({ contract: PROVIDER_CONTRACT, capability: "lookup", provider, key, value, limit, ...more });
}

/** What `describe` came to; `isReached` where a provider answered at all, and didn't turn the credential away. */
interface Described {
  readonly check: ConformanceCheck;
  readonly version: string | null;
  readonly isReached: boolean;
}

async function checkDescribe({ probe, parts }: Checking): Promise<Described> {
  const name = "describe";
  const { reply } = await probe.send(DESCRIBE);
  if (reply.kind === "not_found") {
    return { check: fail(name, "answered 404", "answer describe at this URL"), version: null, isReached: true };
  }
  const answer = reply.kind === "fault" ? reply.fault : parseDescribeAnswer(reply.value);
  if (!isFault(answer))
    return { check: pass(name, "says that it can look up"), version: answer.version, isReached: true };
  const wantsToken = answer.reason === "AUTH_REFUSED" && parts.secret === null;
  const check = failWith(
    name,
    answer,
    wantsToken ? "it wants a bearer token: name it with --secret=env:NAME" : undefined,
  );
  const isReached = answer.status !== "UNAVAILABLE" || (answer.reason ?? "").startsWith("UPSTREAM_");
  return { check, version: null, isReached };
}

async function checkFound(checking: Checking): Promise<ConformanceCheck> {
  const name = "found";
  const answer = await lookUp(checking, toLookup(checking), checking.binding.maxItems);
  if (answer === "not_found" || (!isFault(answer) && answer.items.length === 0)) {
    return fail(name, "has no record of the value", "name a value that it has a record of: --value=VALUE");
  }
  if (isFault(answer)) return failWith(name, answer);
  return pass(name, `${answer.items.length} item(s), ${answer.currentness}, each as the contract says`);
}

async function checkNotFound(checking: Checking): Promise<ConformanceCheck> {
  const name = "not found";
  const asked = toLookup(checking, { value: checking.sample.missingValue });
  const answer = await lookUp(checking, asked, checking.binding.maxItems);
  if (answer === "not_found") return pass(name, "answered 404");
  if (isFault(answer)) return failWith(name, answer, "answer 404 where there is no record, whatever the value");
  if (answer.items.length === 0) return pass(name, "answered an empty list, which means the same as 404");
  const other = await lookUp(checking, toLookup(checking), checking.binding.maxItems);
  if (other !== "not_found" && !isFault(other) && JSON.stringify(other.items) === JSON.stringify(answer.items)) {
    return fail(
      name,
      "answers two values with the same records",
      "look up by the value asked for, and answer 404 where there is no record",
    );
  }
  return skip(
    name,
    "has a record of the value that was to be missing",
    "name one that isn't there: --missing-value=VALUE",
  );
}

async function checkLimit(checking: Checking): Promise<ConformanceCheck> {
  const answer = await lookUp(checking, toLookup(checking, { limit: 1 }), 1);
  if (answer === "not_found")
    return skip("limit 1", "has no record of the value", "name one that it has: --value=VALUE");
  if (isFault(answer)) return failWith("limit 1", answer);
  return pass("limit 1", `${answer.items.length} item(s)`);
}

async function checkBadKey(checking: Checking): Promise<ConformanceCheck> {
  const name = "bad key";
  const { reply } = await checking.probe.send(toLookup(checking, { key: "not an input" }));
  return judgeRefusal(name, reply, "refuse a key that is no name of an input with 400, or answer 404");
}

async function checkContract(checking: Checking): Promise<ConformanceCheck> {
  const { reply } = await checking.probe.send(toLookup(checking, { contract: "context-provider.v0" }));
  return judgeRefusal("wrong contract", reply, "look at contract first, and refuse any other with 400");
}

const OVERSIZE_BYTES = 131_072;

async function checkOversize(checking: Checking): Promise<ConformanceCheck> {
  const name = "oversize";
  const { probe } = checking;
  const { reply } = await probe.send(toLookup(checking, { value: "x".repeat(OVERSIZE_BYTES) }));
  // A server may well close the connection on a body it doesn't want: what counts is that it lives.
  const isClosed =
    reply.kind === "fault" && reply.fault.status === "UNAVAILABLE" && reply.fault.reason !== "UPSTREAM_5XX";
  const after = await probe.send(DESCRIBE);
  if (after.reply.kind !== "json") {
    return fail(name, "doesn't answer after a request of 128 KiB", "stop reading a body at some KiB, and answer 413");
  }
  if (isClosed) return pass(name, "closed the connection on 128 KiB, and answers on");
  return judgeRefusal(name, reply, "stop reading a body at some KiB, and answer 413");
}

async function checkAuthority({ probe, parts }: Checking): Promise<ConformanceCheck> {
  const name = "auth";
  if (parts.secret === null) {
    return skip(
      name,
      "no secret is bound, so anybody may ask",
      "give it a bearer token, and name it: --secret=env:NAME",
    );
  }
  for (const [credential, what] of [
    [null, "without a bearer token"],
    ["loopx-wrong-token", "with a wrong bearer token"],
  ] as const) {
    const { reply } = await probe.send(DESCRIBE, credential);
    const isRefused = reply.kind === "fault" && reply.fault.reason === "AUTH_REFUSED";
    if (!isRefused) return fail(name, `doesn't refuse a request ${what}`, "answer 401 or 403 before anything else");
  }
  return pass(name, "refuses no token and a wrong one");
}

const TIMED_LOOKUPS = 5;

async function checkLatency(checking: Checking): Promise<ConformanceCheck> {
  const name = "latency";
  const { timeoutMs, maxItems } = checking.binding;
  for (let count = 0; count < TIMED_LOOKUPS; count += 1) {
    const answer = await lookUp(checking, toLookup(checking), maxItems);
    if (answer !== "not_found" && isFault(answer) && answer.status === "TIMEOUT") return failWith(name, answer);
  }
  if (checking.answered.length === 0) return skip(name, "no lookup was answered", "mend what is said above first");
  const slowestMs = Math.max(...checking.answered);
  return pass(name, `the slowest of ${checking.answered.length} took ${Math.ceil(slowestMs)} of ${timeoutMs} ms`);
}

/** What follows `describe`, in the order in which it is shown. */
const CHECKS: readonly (readonly [string, (checking: Checking) => Promise<ConformanceCheck>])[] = [
  ["found", checkFound],
  ["not found", checkNotFound],
  ["limit 1", checkLimit],
  ["bad key", checkBadKey],
  ["wrong contract", checkContract],
  ["oversize", checkOversize],
  ["auth", checkAuthority],
  ["latency", checkLatency],
];

/** Redirects are never followed, so any of the answers above would have shown one. */
function checkRedirects(checks: readonly ConformanceCheck[]): ConformanceCheck {
  const redirected = checks.filter(({ found }) => found.includes("REDIRECT"));
  if (redirected.length === 0) return pass("redirects", "none");
  const { remedy } = explainFault({ status: "INVALID_RESPONSE", reason: "REDIRECT" });
  return fail("redirects", `${redirected.length} of the checks above were redirected`, remedy);
}

async function lookUp(
  { probe, binding, parts, answered }: Checking,
  body: string,
  limit: number,
): Promise<LookupAnswer | ProviderFault | "not_found"> {
  const { reply, durationMs }: Probed = await probe.send(body);
  if (reply.kind === "fault") return reply.fault;
  answered.push(durationMs);
  if (reply.kind === "not_found") return "not_found";
  const { itemBytes, maxAgeSeconds } = binding;
  return parseLookupAnswer(reply.value, { limit, itemBytes, maxAgeSeconds, now: parts.clock.now() });
}

/** Of a request that is none: a 4xx says so, and 404 that there is nothing. */
function judgeRefusal(name: string, reply: Probed["reply"], remedy: string): ConformanceCheck {
  if (reply.kind === "not_found") return pass(name, "answered 404");
  if (reply.kind === "json") return fail(name, "answered it like any other", remedy);
  const { reason } = reply.fault;
  if (reason === "HTTP_STATUS" || reason === "UPSTREAM_4XX") return pass(name, "refused");
  return failWith(name, reply.fault, remedy);
}

function failWith(name: string, fault: ProviderFault, instead?: string): ConformanceCheck {
  const { says, remedy } = explainFault(fault);
  const isOwn = fault.reason === "REDIRECT" || fault.status === "TIMEOUT";
  return fail(name, says, isOwn ? remedy : (instead ?? remedy));
}
