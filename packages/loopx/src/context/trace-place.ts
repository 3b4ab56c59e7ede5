import { existsSync } from "node:fs";
import { LoopxError, type Ambient } from "@loopx/contracts";
import {
  createKeyRing,
  createTraceStore,
  openTraceStore,
  parseKeyset,
  resolveSecret,
  TRACE_MIGRATIONS,
  type Deployment,
  type TraceStore,
} from "@loopx/runtime-context";
import { makeDirectories, toFileError, type Database } from "@loopx/store";
import { loadBinding } from "./binding-place.ts";
import { withTraceHint } from "./trace-hints.ts";
import { parseTracePlace, TRACE_FILE, type TraceStoreFlags, type TraceStorePlace } from "./trace-store-place.ts";

export interface TraceRecorder {
  readonly ambient: Ambient;
  readonly writer: string;
  /** Of a process that goes on when the server of the store was away. */
  readonly isLasting: boolean;
}

/** The store that the flags name, made where it is missing, to record a deployment's turns under the writer's name. */
export async function openTracesToRecord(
  flags: TraceStoreFlags,
  { binding, ring }: Pick<Deployment, "binding" | "ring">,
  { ambient, writer, isLasting }: TraceRecorder,
): Promise<TraceStore> {
  const place = parseTracePlace(flags, ambient);
  const recording = { ring, writer, audit: binding.audit, now: () => ambient.now() };
  if (place.kind === "file") makeFolder(place.folder);
  return withTraceHint(place.kind, async () => {
    const traces =
      place.kind === "file"
        ? await openTraceStore({ path: place.path, ...recording })
        : createTraceStore(await openServer(place, { isLasting, create: true }, ambient), recording);
    try {
      await traces.purgeExpired();
      return traces;
    } catch (error) {
      await traces.close();
      throw error;
    }
  });
}

function makeFolder(folder: string): void {
  try {
    makeDirectories(folder, 0o700);
  } catch (error) {
    throw toFileError(error, "the folder of the trace store");
  }
}

/** The refusal of a folder in which no turn was recorded. */
export function toNoTracesError(): LoopxError {
  return new LoopxError("store_missing", {
    message: `the folder named with --store has no ${TRACE_FILE}`,
    hint: "name the folder that context turn or context serve was given",
    details: { field: "store" },
  });
}

/** A binding with the keys it names, as they are now. */
export type KeyedBinding = Pick<Deployment, "binding" | "ring">;

/** Lets `work` use an existing store with the keys of a binding. Refuses with `store_missing`; nothing is made. */
export async function withTraces<Result>(
  flags: TraceStoreFlags & { readonly binding: string },
  ambient: Ambient,
  work: (traces: TraceStore, keyed: KeyedBinding) => Promise<Result>,
): Promise<Result> {
  const place = parseTracePlace(flags, ambient);
  if (place.kind === "file" && !existsSync(place.path)) throw toNoTracesError();
  const binding = await loadBinding(flags.binding, ambient);
  const ring = createKeyRing(parseKeyset(resolveSecret(binding.keyset, ambient.env).reveal()), binding.id);
  const recording = { ring, writer: "reader", audit: binding.audit, now: () => ambient.now() };
  return withTraceHint(place.kind, async () => {
    const traces =
      place.kind === "file"
        ? await openTraceStore({ path: place.path, ...recording })
        : createTraceStore(await openServer(place, { isLasting: false, create: false }, ambient), recording);
    try {
      return await work(traces, { binding, ring });
    } finally {
      await traces.close();
    }
  });
}

async function openServer(
  { url, password }: TraceStorePlace & { readonly kind: "server" },
  opening: { readonly isLasting: boolean; readonly create: boolean },
  ambient: Ambient,
): Promise<Database> {
  const { openTraceDatabase } = await import("../programs/server-store.ts");
  const options = { ...opening, label: "the trace store", migrations: TRACE_MIGRATIONS };
  return openTraceDatabase({ url, password }, options, ambient);
}
