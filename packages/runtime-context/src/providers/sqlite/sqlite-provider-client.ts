import type { SqliteProviderBinding } from "../../binding/deployment-binding.ts";
import type { ProviderRequirement } from "../../project/context-project.ts";
import { findSecret } from "../answer/find-secret.ts";
import { parseLookupAnswer, PROVIDER_CONTRACT, type LookupAnswer } from "../answer/lookup-answer.ts";
import { startDeadline, type Deadline } from "../deadline.ts";
import type { ProviderClock } from "../provider-clock.ts";
import { isFault, toUnavailable, type ProviderFault } from "../provider-fault.ts";
import type { DescribeOutcome, ProviderClient, ProviderOutcome } from "../provider-outcome.ts";
import { startOutcome, toBoundVersion, toNotReady, toReady } from "../start-outcome.ts";
import { createChildKeeper, type ChildKeeper } from "./child-keeper.ts";
import type { ChildReply } from "./child-protocol.ts";
import { findChildDriver } from "./find-child-driver.ts";
import type { ChildCommand } from "./start-child.ts";

export interface SqliteClientParts extends Pick<ChildCommand, "runAs"> {
  readonly clock: ProviderClock;
  /** The bundled `sqlite-child`. */
  readonly childEntry: string;
  /** Lookups that run or wait; one more is UNAVAILABLE, reason BUSY. 32 when left out. */
  readonly maxInFlight?: number;
}

/** Seed 004: response bytes. */
const ANSWER_BYTES = 1024 * 1024;

/**
 * A client for one table of one SQLite database, read by key in a process of its own.
 *
 * The only statement is ours; a lookup over its deadline has its process killed. What is read is CURRENT, unless the
 * binding's age limit says otherwise. Never throws for what a database does.
 */
export function createSqliteProviderClient(
  requirement: ProviderRequirement,
  binding: SqliteProviderBinding,
  parts: SqliteClientParts,
): ProviderClient {
  const { clock, maxInFlight = 32 } = parts;
  const keeper = openKeeper(binding, parts);
  let inFlightCount = 0;
  let isClosed = false;

  async function run<T>(
    remainingMs: number,
    ask: (keeper: ChildKeeper, deadline: Deadline) => Promise<T>,
  ): Promise<T | ProviderFault> {
    if (isClosed) return toUnavailable("CLOSED");
    if (keeper === undefined) return { status: "NOT_BOUND", reason: "SQLITE_DRIVER_MISSING" };
    if (inFlightCount >= maxInFlight) return toUnavailable("BUSY");
    inFlightCount += 1;
    try {
      const turn = startDeadline(Infinity, remainingMs, clock);
      const reason = await keeper.warm(turn);
      if (reason !== undefined) return isFault(reason) ? toFault(reason) : toUnavailable("CHILD_CRASHED");
      return await ask(keeper, startDeadline(binding.timeoutMs, turn.remainingMs(), clock));
    } finally {
      inFlightCount -= 1;
    }
  }

  return {
    get circuit() {
      return keeper?.circuit ?? "closed";
    },
    async lookup(lookup, { remainingMs }): Promise<ProviderOutcome> {
      const outcome = startOutcome("sqlite", clock);
      const limit = Math.min(lookup.limit, requirement.maxItems, binding.maxItems);
      const answer = await run(remainingMs, async (child, deadline) => {
        const reply = await child.ask({ op: "lookup", value: lookup.value, limit }, deadline);
        const parsed = readReply(reply, { ...binding, limit, now: clock.now() });
        const secret = isFault(parsed) ? undefined : await findSecret(parsed, deadline);
        return deadline.hasPassed() ? deadline.fault : (secret ?? parsed);
      });
      return isFault(answer)
        ? outcome.failed(answer, 1)
        : outcome.answered({ ...answer, ...toBoundVersion(binding) }, 1);
    },
    async describe(): Promise<DescribeOutcome> {
      const reply = await run(Infinity, (child, deadline) => child.ask({ op: "probe" }, deadline));
      return isFault(reply) ? toNotReady(toFault(reply), clock) : toReady(null, clock);
    },
    async close(): Promise<void> {
      isClosed = true;
      await keeper?.stop();
    },
  };
}

/** Undefined where no SQLite library can be loaded. */
function openKeeper(binding: SqliteProviderBinding, parts: SqliteClientParts): ChildKeeper | undefined {
  const driver = findChildDriver();
  if (driver === undefined) return undefined;
  const { database, table, columns, key, itemBytes, timeoutMs } = binding;
  const command = { entry: parts.childEntry, ...(parts.runAs === undefined ? {} : { runAs: parts.runAs }) };
  const setup = { driver, binding: { database, table, columns, key, itemBytes }, answerBytes: ANSWER_BYTES };
  return createChildKeeper({ command, setup, clock: parts.clock, timeoutMs });
}

/** The child's items are held to the contract of any provider. */
function readReply(
  reply: ChildReply | ProviderFault,
  bounds: Parameters<typeof parseLookupAnswer>[1],
): LookupAnswer | ProviderFault {
  if (isFault(reply)) return toFault(reply);
  if (reply.kind !== "items") return toUnavailable("CHILD_CRASHED");
  if (Array.isArray(reply.items) && reply.items.length === 0) return { status: "NOT_FOUND", reason: null };
  const { items, revision } = reply;
  return parseLookupAnswer({ contract: PROVIDER_CONTRACT, revision, currentness: "CURRENT", items }, bounds);
}

function toFault(fault: ProviderFault | Extract<ChildReply, { kind: "fault" }>): ProviderFault {
  if (!("kind" in fault)) return fault;
  const { status, reason, pointer } = fault;
  return { status, reason, ...(pointer === undefined ? {} : { finding: { pointer, rule: null } }) };
}
