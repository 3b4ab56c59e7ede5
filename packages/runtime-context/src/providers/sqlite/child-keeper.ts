import { createCircuit, type CircuitState } from "../circuit.ts";
import { startDeadline, type Deadline } from "../deadline.ts";
import type { ProviderClock } from "../provider-clock.ts";
import { toUnavailable, type ProviderFault } from "../provider-fault.ts";
import type { ChildReply, ChildRequest, ChildSetup } from "./child-protocol.ts";
import { CRASHED, startChild, type ChildCommand, type SqliteChild } from "./start-child.ts";

/** Keeps one child for one database: starts it when needed, gives it one request at a time, kills it when time is up. */
export interface ChildKeeper {
  /** Of crashes. */
  readonly circuit: CircuitState;
  /**
   * Starts the child ahead of a request, since starting a process is our own cost and not the provider's. Gives the reason
   * where there is no child; at the deadline nothing, for the request then runs into it.
   */
  warm(deadline: Deadline): Promise<ChildReply | ProviderFault | undefined>;
  /** The child's reply, or the deadline's fault. Requests wait for each other within their deadlines. */
  ask(request: ChildRequest, deadline: Deadline): Promise<ChildReply | ProviderFault>;
  /** Waits for what was asked, then ends the child. */
  stop(): Promise<void>;
}

export interface KeeperParts {
  readonly command: ChildCommand;
  readonly setup: ChildSetup;
  readonly clock: ProviderClock;
  /** For clearing up after a kill. */
  readonly timeoutMs: number;
}

const LATE = Symbol("late");

const CRASH_LIMITS = { failureCount: 3, coolDownMs: 30_000 } as const;

export function createChildKeeper({ command, setup, clock, timeoutMs }: KeeperParts): ChildKeeper {
  const circuit = createCircuit(clock, CRASH_LIMITS);
  const dying = new Set<Promise<void>>();
  let current: Promise<SqliteChild | ChildReply> | undefined;
  let tail: Promise<unknown> = Promise.resolve();

  function start(): Promise<SqliteChild | ChildReply> {
    current ??= startChild(command, setup).then((child) => {
      if ("ask" in child) return child;
      current = undefined;
      if (child === CRASHED) circuit.recordFailure();
      return child;
    });
    return current;
  }

  function discard(child: SqliteChild): void {
    current = undefined;
    const death = child.kill();
    dying.add(death);
    void death.then(() => dying.delete(death));
  }

  async function askNow(request: ChildRequest, deadline: Deadline): Promise<ChildReply | ProviderFault> {
    if (circuit.state === "open") return toUnavailable("CIRCUIT_OPEN");
    const child = await orLate(start(), deadline);
    if (child === LATE) return deadline.fault;
    if (!("ask" in child)) return child;
    const reply = await orLate(child.ask(request), deadline);
    if (reply === LATE) {
      discard(child);
      // What the dead child left beside a WAL database is removed by the next that opens and closes it.
      if (request.op !== "settle") void ask({ op: "settle" }, startDeadline(timeoutMs, Infinity, clock));
      return deadline.fault;
    }
    if (reply === undefined) {
      discard(child);
      circuit.recordFailure();
      return CRASHED;
    }
    circuit.recordAnswer();
    return reply;
  }

  async function ask(request: ChildRequest, deadline: Deadline): Promise<ChildReply | ProviderFault> {
    const earlier = tail;
    const mine = orLate(earlier, deadline).then((turn) => (turn === LATE ? deadline.fault : askNow(request, deadline)));
    // Whoever comes next waits for all before, also when this one gave up waiting.
    tail = Promise.allSettled([earlier, mine]);
    return mine;
  }

  return {
    get circuit() {
      return circuit.state;
    },
    async warm(deadline) {
      if (circuit.state === "open") return toUnavailable("CIRCUIT_OPEN");
      const child = await orLate(start(), deadline);
      return child === LATE || "ask" in child ? undefined : child;
    },
    ask,
    async stop() {
      // Clearing up is asked for while an earlier request ends, so there may be more behind it.
      for (let seen: unknown; seen !== tail;) await (seen = tail);
      const child = await current;
      if (child !== undefined && "ask" in child) discard(child);
      await Promise.all(dying);
    },
  };
}

function orLate<T>(work: Promise<T>, deadline: Deadline): Promise<T | typeof LATE> {
  return new Promise((resolve, reject) => {
    const stopClock = deadline.onPassed(() => resolve(LATE));
    void work.then(resolve, reject).finally(stopClock);
  });
}
