import type { AddressPolicy } from "../../binding/address-policy.ts";
import type { HttpProviderBinding } from "../../binding/deployment-binding.ts";
import type { ProviderRequirement } from "../../project/context-project.ts";
import { findCredentialRule } from "../answer/credential-scan.ts";
import { parseDescribeAnswer, type DescribeAnswer } from "../answer/describe-answer.ts";
import { findSecret, toSecretFault } from "../answer/find-secret.ts";
import { parseLookupAnswer, PROVIDER_CONTRACT, type LookupAnswer } from "../answer/lookup-answer.ts";
import { markPlain } from "../answer/plain-answer.ts";
import { createCircuit, type Circuit } from "../circuit.ts";
import { startDeadline, type Deadline } from "../deadline.ts";
import type { ProviderClock } from "../provider-clock.ts";
import { isFault, toUnavailable, type ProviderFault } from "../provider-fault.ts";
import type { DescribeOutcome, ProviderClient, ProviderLookup, ProviderOutcome } from "../provider-outcome.ts";
import { startOutcome, toBoundVersion, toNotReady, toReady } from "../start-outcome.ts";
import type { ConnectionPool } from "./connection-pool.ts";
import { callProvider, createEndpoint, type ProviderReply, type RevealableSecret } from "./provider-call.ts";
import { resolveHost } from "./resolve-host.ts";
import { createVettedConnector, type ResolveHost } from "./vetted-connector.ts";

export interface HttpClientParts {
  readonly clock: ProviderClock;
  readonly secret: RevealableSecret | null;
  readonly policy: AddressPolicy;
  /** The system's resolver when left out. */
  readonly resolveHost?: ResolveHost;
  /** PEM roots that replace the system's. */
  readonly certificateAuthorities?: readonly string[];
  /** Calls at a time; one more is UNAVAILABLE, reason BUSY. 32 when left out. */
  readonly maxInFlight?: number;
}

/** Ten, since one dead socket fails all that wait on it; five seconds are what a readiness probe stands for, too. */
const CIRCUIT_LIMITS = { failureCount: 10, coolDownMs: 5_000 } as const;

/**
 * A client for one provider that speaks context-provider.v1 over HTTP (seed 004, HTTP wire).
 *
 * The lookup value stands in the body alone; path, query and headers are the binding's. One deadline covers DNS to the
 * parsed and scanned answer. Never throws for what a provider does.
 */
export function createHttpProviderClient(
  requirement: ProviderRequirement,
  binding: HttpProviderBinding,
  parts: HttpClientParts,
): ProviderClient {
  const { clock, maxInFlight = 32 } = parts;
  const url = new URL(binding.url);
  const endpoint = createEndpoint(binding, parts.secret);
  const circuit = createCircuit(clock, CIRCUIT_LIMITS);
  let inFlight = 0;
  const closing: (() => void)[] = [];
  let pool: ConnectionPool | undefined;
  let isClosed = false;
  let describedVersion: string | null = null;

  async function loadPool(): Promise<ConnectionPool> {
    const { openConnectionPool } = await import("./connection-pool.ts");
    // Two calls may have come here at once.
    pool ??= openConnectionPool(url.origin, createVettedConnector({ resolveHost, ...parts, url }), maxInFlight);
    return pool;
  }

  /** Runs one call inside the in-flight cap. Loading the library is our own cost: the provider's deadline starts after it. */
  async function run<T>(
    remainingMs: number,
    call: (pool: ConnectionPool, deadline: Deadline) => Promise<T>,
  ): Promise<T> {
    const beganMs = clock.monotonicMs();
    inFlight += 1;
    try {
      const loaded = pool ?? (await loadPool());
      const left = remainingMs - (clock.monotonicMs() - beganMs);
      return await call(loaded, startDeadline(binding.timeoutMs, left, clock));
    } finally {
      inFlight -= 1;
      if (inFlight === 0) for (const goOn of closing) goOn();
    }
  }

  function findRefusal(): ProviderFault | undefined {
    if (isClosed) return toUnavailable("CLOSED");
    return inFlight >= maxInFlight ? toUnavailable("BUSY") : undefined;
  }

  return {
    get circuit() {
      return circuit.state;
    },
    async lookup(lookup, { remainingMs }): Promise<ProviderOutcome> {
      const outcome = startOutcome("http", clock);
      const refusal = findRefusal() ?? (circuit.mayCall() ? undefined : toUnavailable("CIRCUIT_OPEN"));
      if (refusal !== undefined) return outcome.failed(refusal, 0);
      const limit = Math.min(lookup.limit, requirement.maxItems, binding.maxItems);
      return run(remainingMs, async (loaded, deadline) => {
        const reply = await callProvider(loaded, endpoint, toLookupBody(requirement, lookup, limit), deadline);
        const { itemBytes, maxAgeSeconds } = binding;
        const bounds = { limit, itemBytes, maxAgeSeconds, now: clock.now() };
        const answer = await readLookupReply(reply, deadline, (value) => parseLookupAnswer(value, bounds));
        recordIn(circuit, answer);
        if (isFault(answer)) return outcome.failed(answer, reply.attempts);
        return outcome.answered({ ...answer, ...toVersion(answer, describedVersion, binding) }, reply.attempts);
      });
    },
    async describe(): Promise<DescribeOutcome> {
      const refusal = findRefusal();
      if (refusal !== undefined) return toNotReady(refusal, clock);
      const body = JSON.stringify({ contract: PROVIDER_CONTRACT, capability: "describe" });
      const answer = await run(Infinity, async (loaded, deadline) =>
        readDescribeReply(await callProvider(loaded, endpoint, body, deadline)),
      );
      if (isFault(answer)) return toNotReady(answer, clock);
      describedVersion = answer.version;
      return toReady(answer.version, clock);
    },
    async close(): Promise<void> {
      isClosed = true;
      // Each has a deadline, so this ends.
      if (inFlight > 0) await new Promise<void>((resolve) => closing.push(resolve));
      await pool?.destroy();
    },
  };
}

/** Reasons that say nothing of whether the provider can be reached: they concern us, or a single request. */
const NO_FAILURE: ReadonlySet<string | null> = new Set([
  "ADDRESS_REFUSED",
  "AUTH_REFUSED",
  "CLOSED",
  "SECRET_UNAVAILABLE",
  "SECRET_UNUSABLE",
]);

/** A turn that had little time left tells nothing of its provider. */
function recordIn(circuit: Circuit, answer: LookupAnswer | ProviderFault): void {
  if (!isFault(answer) || (answer.status !== "TIMEOUT" && answer.status !== "UNAVAILABLE")) circuit.recordAnswer();
  else if (answer.reason !== "TURN_DEADLINE" && !NO_FAILURE.has(answer.reason)) circuit.recordFailure();
}

/** Members in the seed's order: the bytes are part of the contract. */
function toLookupBody(requirement: ProviderRequirement, { value }: ProviderLookup, limit: number): string {
  return JSON.stringify({
    contract: PROVIDER_CONTRACT,
    capability: "lookup",
    provider: requirement.id,
    key: requirement.lookup.input,
    value,
    limit,
  });
}

async function readLookupReply(
  reply: ProviderReply,
  deadline: Deadline,
  parse: (value: unknown) => LookupAnswer | ProviderFault,
): Promise<LookupAnswer | ProviderFault> {
  const answer = reply.kind === "json" ? parse(reply.value) : toFault(reply, { status: "NOT_FOUND", reason: null });
  if (reply.kind === "json" && reply.isPlain && !isFault(answer)) answer.items.forEach(markPlain);
  const secret = isFault(answer) ? undefined : await findSecret(answer, deadline);
  // Parsing and scanning count too.
  return deadline.hasPassed() ? deadline.fault : (secret ?? answer);
}

function readDescribeReply(reply: ProviderReply): DescribeAnswer | ProviderFault {
  if (reply.kind !== "json") return toFault(reply, toUnavailable("DESCRIBE_NOT_FOUND"));
  const answer = parseDescribeAnswer(reply.value);
  const rule = isFault(answer) ? undefined : findCredentialRule(answer.version ?? "");
  return rule === undefined ? answer : toSecretFault(rule, "/version");
}

function toFault(reply: Exclude<ProviderReply, { kind: "json" }>, notFound: ProviderFault): ProviderFault {
  return reply.kind === "fault" ? reply.fault : notFound;
}

/** Seed 004, Provenance: where the version that is recorded comes from. */
function toVersion(
  answer: LookupAnswer,
  described: string | null,
  binding: HttpProviderBinding,
): Pick<ProviderOutcome, "version" | "versionSource"> {
  if (answer.version !== null) return { version: answer.version, versionSource: "response" };
  return described === null ? toBoundVersion(binding) : { version: described, versionSource: "describe" };
}
