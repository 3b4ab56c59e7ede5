import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { isLoopxError, LoopxError, type Ambient } from "@loopx/contracts";
import {
  createKeyRing,
  openTraceStore,
  parseKeyset,
  resolveSecret,
  type Deployment,
  type TraceStore,
} from "@loopx/runtime-context";
import { makeDirectories, toFileError } from "@loopx/store";
import { loadBinding } from "./binding-place.ts";

export const TRACE_FILE = "traces.db";

/** The files of which one changes with every trace that is written to the store in this folder. */
export function listTraceFiles(folder: string): readonly string[] {
  return [join(folder, TRACE_FILE), join(folder, `${TRACE_FILE}-wal`)];
}

/** The store in `--store`, made where it is missing, to record a deployment's turns under the writer's name. */
export async function openTracesToRecord(
  directory: string,
  { binding, ring }: Pick<Deployment, "binding" | "ring">,
  { ambient, writer }: { readonly ambient: Ambient; readonly writer: string },
): Promise<TraceStore> {
  const folder = resolve(ambient.cwd, directory);
  try {
    makeDirectories(folder, 0o700);
  } catch (error) {
    throw toFileError(error, "the folder of the trace store");
  }
  const path = join(folder, TRACE_FILE);
  return withTraceHint(async () => {
    const traces = await openTraceStore({ path, ring, writer, audit: binding.audit, now: () => ambient.now() });
    await traces.purgeExpired();
    return traces;
  });
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
  flags: { readonly store: string; readonly binding: string },
  ambient: Ambient,
  work: (traces: TraceStore, keyed: KeyedBinding) => Promise<Result>,
): Promise<Result> {
  const path = join(resolve(ambient.cwd, flags.store), TRACE_FILE);
  if (!existsSync(path)) throw toNoTracesError();
  const binding = await loadBinding(flags.binding, ambient);
  const ring = createKeyRing(parseKeyset(resolveSecret(binding.keyset, ambient.env).reveal()), binding.id);
  const options = { path, ring, writer: "reader", audit: binding.audit, now: () => ambient.now() };
  return withTraceHint(async () => {
    const traces = await openTraceStore(options);
    try {
      return await work(traces, { binding, ring });
    } finally {
      await traces.close();
    }
  });
}

/** What any store says when it is damaged; where a trace store lies, `loopx doctor` is told only with `--deep`. */
const DOCTOR = /\bloopx doctor\b/;

async function withTraceHint<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isLoopxError(error) || !DOCTOR.test(error.hint ?? "")) throw error;
    throw new LoopxError(error.code, {
      message: error.message,
      hint:
        error.code === "store_corrupt"
          ? `carry over what can be read: loopx recover --store=DIR, or move ${TRACE_FILE} and what is named after it out of the folder`
          : "look at the folder named with --store and its disk, or name another",
      ...(error.details === undefined ? {} : { details: error.details }),
      cause: error,
    });
  }
}
