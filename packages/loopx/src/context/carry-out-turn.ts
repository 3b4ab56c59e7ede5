import type { Ambient } from "@loopx/contracts";
import { parseTraceParent, runTurn, type Deployment, type TurnAnswer, type TurnRequest } from "@loopx/runtime-context";
import { printCommand } from "../command-line/print-command.ts";
import { unwrap } from "../packets/unwrap.ts";
import { withRepairHint } from "../project/with-repair-hint.ts";
import { openTelemetry } from "./open-telemetry.ts";
import { createProviderClock, TURN_DEADLINE_MS } from "./runtime-parts.ts";
import { openTracesToRecord } from "./trace-place.ts";

/** One writer for all turns of commands on one deployment: a trace that is taken out of its chain shows. */
const WRITER = "context-turn";

/** A command doesn't wait longer for a collector. */
const EXPORT_MS = 2000;

/** Where the trace goes, and how the user named it and the binding. */
export interface TracedTurn {
  readonly request: TurnRequest;
  /** Undefined keeps no trace. */
  readonly store: string | undefined;
  readonly storePassword?: string | undefined;
  readonly binding: string;
}

export interface CarriedOutTurn {
  readonly answer: TurnAnswer;
  /** Why the trace was not kept though it was to be, with the command that looks at its store; undefined where it was. */
  readonly loss: string | undefined;
}

/** Carries out one turn for a process that ends after it: what became of the trace is known when this settles. */
export async function carryOutTurn(
  deployment: Deployment,
  { request, store, storePassword, binding }: TracedTurn,
  ambient: Ambient,
): Promise<CarriedOutTurn> {
  const writer = `${WRITER}.${deployment.binding.id}`;
  const telemetry = openTelemetry(ambient.env);
  const traces =
    store === undefined
      ? null
      : await openTracesToRecord({ store, storePassword }, deployment, { ambient, writer, isLasting: false });
  try {
    const parts = {
      clock: createProviderClock(ambient),
      newTraceId: () => ambient.newId("trace"),
      traces,
      turnDeadlineMs: TURN_DEADLINE_MS,
    };
    const verify = printCommand("context traces verify", { store: store ?? "", storePassword, binding }).shell;
    const made = unwrap(await withRepairHint(verify, () => runTurn(deployment, request, parts)));
    // Nobody looks at this process's counters later: what became of the trace is said now.
    await traces?.flush();
    telemetry?.add(made.trace, { parent: parseTraceParent(ambient.env["TRACEPARENT"]), isServed: false });
    const lossCode = traces?.status.lastLossCode ?? null;
    const loss = lossCode === null ? undefined : `the trace was not kept (${lossCode}): ${verify}`;
    return { answer: { ...made, isTraced: made.isTraced && lossCode === null }, loss };
  } finally {
    await telemetry?.close(EXPORT_MS);
    await traces?.close();
  }
}
