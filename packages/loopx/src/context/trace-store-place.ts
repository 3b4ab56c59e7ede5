import { join, resolve } from "node:path";
import { LoopxError, type Ambient } from "@loopx/contracts";

/** The flags that name a trace store. */
export interface TraceStoreFlags {
  /** A folder, or the URL of a PostgreSQL server. */
  readonly store: string;
  readonly storePassword?: string | undefined;
}

/** The file of a store in a folder, or a server. */
export type TraceStorePlace =
  | { readonly kind: "file"; readonly folder: string; readonly path: string }
  | { readonly kind: "server"; readonly url: string; readonly password: string | undefined };

export const TRACE_FILE = "traces.db";

/** The files of which one changes with every trace that is written to the store in this folder. */
export function listTraceFiles(folder: string): readonly string[] {
  return [join(folder, TRACE_FILE), join(folder, `${TRACE_FILE}-wal`)];
}

/** Where the flags say that traces are. Refuses with `invalid_value` a password for a folder. */
export function parseTracePlace({ store, storePassword }: TraceStoreFlags, { cwd }: Ambient): TraceStorePlace {
  if (isServerUrl(store)) return { kind: "server", url: store, password: storePassword };
  if (storePassword !== undefined) {
    throw new LoopxError("invalid_value", {
      message: "--store names a folder, which takes no password",
      hint: "leave --store-password out, or name a server: --store=postgresql://USER@HOST/DATABASE",
      details: { field: "store_password" },
    });
  }
  const folder = resolve(cwd, store);
  return { kind: "file", folder, path: join(folder, TRACE_FILE) };
}

/** Refuses with `invalid_value` a server where traces can be in a folder only. */
export function assertTraceFolder(store: string, flag: string): void {
  if (!isServerUrl(store)) return;
  throw new LoopxError("invalid_value", {
    message: `${flag} takes a folder; traces on a server are kept by context serve and context turn`,
    hint: "name a folder, or leave it out",
    details: { field: flag.replace(/^--/, "") },
  });
}

function isServerUrl(store: string): boolean {
  return /^postgres(?:ql)?:/i.test(store);
}
