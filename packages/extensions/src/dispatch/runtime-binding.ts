import type { ExtensionRevision } from "../lifecycle/extension.ts";

/** All that one request to a provider needs: one revision, one program, its limits. Made from one look at the home's store. */
export interface RuntimeBinding {
  readonly extensionId: string;
  readonly providerVersion: string;
  readonly revision: string;
  readonly protocol: string;
  /** Program and arguments, executed as they are; the program by its resolved path. */
  readonly argv: readonly string[];
  /** The same for the doctor; undefined where the manifest names no arguments for it. */
  readonly doctorArgv: readonly string[] | undefined;
  readonly timeoutMs: number;
  /** Where the program's identity is looked at once more before it is started. */
  readonly place: { readonly entrypoint: string; readonly folder: string };
  readonly entrypointIdentity: string;
}

/** The binding of a revision whose program was found. */
export function toRuntimeBinding(
  revision: Pick<ExtensionRevision, "manifest" | "entrypoint" | "folder" | "revision">,
  found: { readonly path: string; readonly identity: string },
): RuntimeBinding {
  const { manifest, entrypoint, folder } = revision;
  const { args, doctor_args: doctorArgs, protocol, timeout_seconds: timeoutSeconds } = manifest.runtime;
  return {
    extensionId: manifest.provider.id,
    providerVersion: manifest.provider.version,
    revision: revision.revision,
    protocol,
    argv: [found.path, ...args],
    doctorArgv: doctorArgs.length === 0 ? undefined : [found.path, ...args, ...doctorArgs],
    timeoutMs: timeoutSeconds * 1000,
    place: { entrypoint, folder },
    entrypointIdentity: found.identity,
  };
}
