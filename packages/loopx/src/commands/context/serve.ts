import { resolve } from "node:path";
import { isLoopxError, LoopxError, type Ambient } from "@loopx/contracts";
import {
  createContextApi,
  LiveDeployment,
  resolveSecret,
  startServer,
  type RequestLog,
  type TraceStore,
} from "@loopx/runtime-context";
import { DEFAULT_HOST, isLoopback } from "../../context/loopback.ts";
import { openNamedDeployment } from "../../context/open-runtime.ts";
import { createProviderClock, TURN_DEADLINE_MS } from "../../context/runtime-parts.ts";
import { openServerTelemetry } from "../../context/open-telemetry.ts";
import { openTracesToRecord } from "../../context/trace-place.ts";
import { VERSION } from "../../version.ts";
import { renderQuantity } from "../../packets/render-facts.ts";
import type { CommandHandler, CommandInput } from "../command-handler.ts";

/** How long requests under way may take once the server drains: a turn's own bound. */
const DRAIN_MS = TURN_DEADLINE_MS;

/** Serves turns until SIGINT or SIGTERM, then lets those under way end. SIGHUP loads build and binding anew. */
export const run: CommandHandler<"context serve"> = async (input) => {
  const { flags, ambient } = input;
  const hostname = flags.host ?? DEFAULT_HOST;
  const token = loadToken(flags.tokenFile, hostname, ambient);
  const log = createLog(input);
  const first = await openNamedDeployment(flags, ambient);
  const live = new LiveDeployment(first);
  const traces = await openTracesToRecord(flags, first, {
    ambient,
    // Random, since other machines may serve the same store.
    writer: ambient.newId("serve"),
    isLasting: true,
  });
  const telemetry = openServerTelemetry(ambient, traces);
  const purging = setInterval(() => void purgeExpired(traces, log), PURGE_EVERY_MS).unref();
  let isDraining = false;
  const api = createContextApi({
    deployment: live,
    traces,
    clock: createProviderClock(ambient),
    turnDeadlineMs: TURN_DEADLINE_MS,
    token,
    version: VERSION,
    newTraceId: () => ambient.newId("trace"),
    ...(telemetry.onTurn === undefined ? {} : { onTurn: telemetry.onTurn }),
    isDraining: () => isDraining,
    log: (entry) => {
      telemetry.addRequest(entry);
      log("request", toLogged(entry));
    },
  });
  const server = await startServer(api, { hostname, port: flags.port });
  // Before the line that tells a supervisor it may signal us.
  const stopped = input.untilInterrupted();
  const reloads = reloadOnHangup(live, { flags, ambient, log });
  log("listening", { url: server.url, build: first.build.digest, binding: first.binding.digest });
  await stopped;
  isDraining = true;
  log("draining", {});
  await Promise.all([server.stop(DRAIN_MS), reloads.end()]);
  await live.close();
  clearInterval(purging);
  await traces.close();
  const lostSpanCount = await telemetry.close(DRAIN_MS);
  if (lostSpanCount > 0) log("spans_lost", { count: lostSpanCount });
  reloads.stopListening();
  const { storedCount, lostCount } = traces.status;
  return {
    packet: {
      ok: true,
      schema_version: "loopx_context_serve_v1",
      url: server.url,
      traces: { stored: storedCount, lost: lostCount },
    },
    text: () => `stopped; ${renderQuantity(storedCount, "trace")} stored, ${lostCount} lost`,
  };
};

/** Content is gone at most this much after its time, also where no turn is asked for. */
const PURGE_EVERY_MS = 60_000;

async function purgeExpired(traces: TraceStore, log: Log): Promise<void> {
  try {
    const count = await traces.purgeExpired();
    if (count > 0) log("content_purged", { count });
  } catch (error) {
    if (!isLoopxError(error)) throw error;
    // It is tried again in a minute; meanwhile nothing reads what has expired.
    log("content_not_purged", { code: error.code });
  }
}

type Log = (event: string, facts: object) => void;

/** One JSON document a line: never a value, a header or a body. */
function createLog({ ambient, note }: Pick<CommandInput<"context serve">, "ambient" | "note">): Log {
  return (event, facts) => note(JSON.stringify({ at: ambient.now(), event, ...facts }));
}

function toLogged({ method, route, status, durationMs }: RequestLog): object {
  return { method, route, status, duration_ms: durationMs };
}

/** Refuses with `missing_flag` to serve other machines without a token. */
function loadToken(tokenFile: string | undefined, hostname: string, ambient: Ambient): string | null {
  if (tokenFile !== undefined) {
    return resolveSecret({ kind: "file", path: resolve(ambient.cwd, tokenFile) }, ambient.env).reveal();
  }
  if (isLoopback(hostname)) return null;
  throw new LoopxError("missing_flag", {
    message: "an address other machines can reach is served with a token only",
    hint: "write one to a file of mode 0600 and name it with --token-file, or leave --host out",
    details: { flags: ["--token-file"] },
  });
}

interface Reloading {
  readonly flags: CommandInput<"context serve">["flags"];
  readonly ambient: Ambient;
  readonly log: Log;
}

interface Reloads {
  /** Begins no further one; settles when the one under way has ended. */
  end(): Promise<void>;
  /** Until then a SIGHUP is taken and ignored: untaken it would end the process, and the turns under way with it. */
  stopListening(): void;
}

/** One reload at a time, each with the files as they are when it begins. */
function reloadOnHangup(live: LiveDeployment, reloading: Reloading): Reloads {
  let last = Promise.resolve();
  let hasEnded = false;
  const reload = (): void => {
    if (!hasEnded) last = last.then(() => reloadOnce(live, reloading));
  };
  process.on("SIGHUP", reload);
  return {
    end: () => {
      hasEnded = true;
      return last;
    },
    stopListening: () => void process.off("SIGHUP", reload),
  };
}

async function reloadOnce(live: LiveDeployment, { flags, ambient, log }: Reloading): Promise<void> {
  try {
    const next = await openNamedDeployment(flags, ambient);
    await live.replace(next);
    live.noteReload({ at: ambient.now(), refused: null });
    log("reloaded", { build: next.build.digest, binding: next.binding.digest });
  } catch (error) {
    if (!isLoopxError(error)) throw error;
    const refused = { code: error.code, message: error.message };
    live.noteReload({ at: ambient.now(), refused });
    log("reload_refused", refused);
  }
}
