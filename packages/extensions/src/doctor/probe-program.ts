import { isWithinProvider, toProviderEnvironment } from "../dispatch/provider-environment.ts";
import { runProviderProcess, type ProviderStop } from "../dispatch/provider-process.ts";
import { toRuntimeBinding } from "../dispatch/runtime-binding.ts";
import { findEntrypoint } from "../entrypoint/entrypoint-identity.ts";
import type { ExtensionRevision } from "../lifecycle/extension.ts";

export type DoctorStatus =
  | "probe_required"
  | "ready"
  | "entrypoint_missing"
  | "doctor_not_configured"
  | "provider_unavailable";

export type DoctorFailure =
  | "doctor_not_configured"
  | "folder_too_large"
  | "probe_execution_failed"
  | "probe_nonzero_exit"
  | "probe_timeout"
  | "probe_output_too_large"
  | "probe_aborted"
  | "probe_reentrant"
  | "entrypoint_changed_during_probe";

/** `loopx_extension_doctor_v0`: what was found of an extension's program. */
export interface DoctorReport {
  readonly ok: boolean;
  readonly schema_version: "loopx_extension_doctor_v0";
  readonly extension_id: string;
  readonly version: string;
  readonly status: DoctorStatus;
  /** Whether the program is there and nothing speaks against starting it. */
  readonly available: boolean;
  readonly verified: boolean;
  /** Whether the program was started for this report. */
  readonly executed: boolean;
  /** Of the program that was verified. */
  readonly entrypoint_identity: string | null;
  readonly failure_kind: DoctorFailure | null;
}

/** What a program's start is given of the world. */
export interface ProbeWorld {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal | undefined;
}

type ProbeTarget = Pick<ExtensionRevision, "manifest" | "folder" | "entrypoint" | "revision">;

/** What can be said of a program without starting it: `probe_required`, or why it cannot be probed. */
export function previewProgram(target: ProbeTarget): DoctorReport {
  const found = findEntrypoint(target.entrypoint, target.folder);
  if (target.manifest.runtime.doctor_args.length === 0) {
    return toReport(target, { status: "doctor_not_configured", failure: "doctor_not_configured" });
  }
  if (found.kind === "missing") return toReport(target, { status: "entrypoint_missing" });
  if (found.kind === "folder_too_large") {
    return toReport(target, { status: "provider_unavailable", failure: "folder_too_large" });
  }
  return toReport(target, { status: "probe_required" });
}

/**
 * Starts a program with its doctor arguments, under the same limits as a request: exit code 0 from a program that is the
 * same before and after is the proof.
 */
export async function probeProgram(target: ProbeTarget, world: ProbeWorld): Promise<DoctorReport> {
  const preview = previewProgram(target);
  const before = findEntrypoint(target.entrypoint, target.folder);
  if (preview.status !== "probe_required" || before.kind !== "found") return preview;
  const fail = (failure: DoctorFailure): DoctorReport =>
    toReport(target, { status: "provider_unavailable", failure, executed: failure !== "probe_reentrant" });
  if (isWithinProvider(world.environment)) return fail("probe_reentrant");
  const binding = toRuntimeBinding(target, before);
  const end = await runProviderProcess({
    argv: binding.doctorArgv ?? binding.argv,
    input: new Uint8Array(),
    environment: toProviderEnvironment(world.environment),
    timeoutMs: binding.timeoutMs,
    signal: world.signal,
  });
  if (end.kind !== "exited") return fail(FAILURES[end.kind]);
  if (end.exitCode !== 0) return fail("probe_nonzero_exit");
  const after = findEntrypoint(target.entrypoint, target.folder);
  if (after.kind !== "found" || after.identity !== before.identity) return fail("entrypoint_changed_during_probe");
  return toReport(target, { status: "ready", executed: true, identity: before.identity });
}

const FAILURES: Readonly<Record<ProviderStop, DoctorFailure>> = {
  timeout: "probe_timeout",
  aborted: "probe_aborted",
  execution_failed: "probe_execution_failed",
  response_too_large: "probe_output_too_large",
  stderr_too_large: "probe_output_too_large",
};

interface Finding {
  readonly status: DoctorStatus;
  readonly failure?: DoctorFailure;
  readonly executed?: boolean;
  readonly identity?: string;
}

function toReport({ manifest }: Pick<ProbeTarget, "manifest">, finding: Finding): DoctorReport {
  const { status, failure = null, executed = false, identity = null } = finding;
  return {
    ok: status === "ready" || status === "probe_required",
    schema_version: "loopx_extension_doctor_v0",
    extension_id: manifest.provider.id,
    version: manifest.provider.version,
    status,
    available: status === "ready" || status === "probe_required",
    verified: status === "ready",
    executed,
    entrypoint_identity: identity,
    failure_kind: failure,
  };
}
