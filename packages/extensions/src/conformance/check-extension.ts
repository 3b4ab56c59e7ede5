import { probeProgram, type DoctorReport, type ProbeWorld } from "../doctor/probe-program.ts";
import { dispatchRequest } from "../dispatch/dispatch-request.ts";
import { toRuntimeBinding, type RuntimeBinding } from "../dispatch/runtime-binding.ts";
import { findEntrypoint } from "../entrypoint/entrypoint-identity.ts";
import type { RevisionDraft } from "../lifecycle/decide-operation.ts";
import { ADVISORY_CAPABILITY, ADVISORY_PROTOCOL } from "../manifest/manifest.ts";
import { checkWritesNothing } from "./check-writes-nothing.ts";
import type { ConformanceCheck } from "@loopx/contracts";
import type { ConformanceReport } from "./conformance-report.ts";
import { listRetrieveCases } from "./retrieve-cases.ts";

/** No request of a check waits longer, whatever the manifest allows. */
const LONGEST_MS = 10_000;

export interface ConformanceOptions extends ProbeWorld {
  readonly scopeRef?: string | undefined;
  readonly query?: string | undefined;
}

/**
 * Holds an extension against its contract, without installing it: manifest, program, doctor, and for an advisory provider
 * requests it must answer and requests it must not. Each runs under the limits of a real one.
 */
export async function checkExtension(draft: RevisionDraft, options: ConformanceOptions): Promise<ConformanceReport> {
  const checks: ConformanceCheck[] = [];
  for await (const check of runChecks(draft, options)) checks.push(check);
  const count = (state: ConformanceCheck["state"]): number => checks.filter((each) => each.state === state).length;
  return {
    ok: count("failed") === 0 && count("skipped") === 0,
    schema_version: "loopx_extension_check_v0",
    extension_id: draft.manifest.provider.id,
    version: draft.manifest.provider.version,
    passed_count: count("passed"),
    failed_count: count("failed"),
    skipped_count: count("skipped"),
    checks,
  };
}

async function* runChecks(draft: RevisionDraft, options: ConformanceOptions): AsyncGenerator<ConformanceCheck> {
  const { manifest } = draft;
  yield { name: "states a manifest", state: "passed", found: `revision ${draft.revision}` };
  const report = await probeProgram(draft, options);
  yield judgeDoctor(report);
  const found = findEntrypoint(draft.entrypoint, draft.folder);
  const isAdvisory = manifest.implementations.some(
    ({ capability_id: id, protocol }) => id === ADVISORY_CAPABILITY && protocol === ADVISORY_PROTOCOL,
  );
  if (!isAdvisory) return;
  const cases = listRetrieveCases({ ...options, timeoutMs: toLimit(manifest.runtime.timeout_seconds) });
  if (found.kind !== "found") {
    const skipped = { state: "skipped", found: "there is no program to ask" } as const;
    yield* cases.map(({ name }) => ({ name, ...skipped }));
    return;
  }
  const binding: RuntimeBinding = toRuntimeBinding(draft, found);
  for (const { name, request, timeoutMs, judge } of cases) {
    yield { name, ...judge(await dispatchRequest(binding, request, { ...options, timeoutMs })) };
  }
  const [first] = cases;
  if (first !== undefined) yield checkWritesNothing(binding, first, options);
}

function toLimit(timeoutSeconds: number): number {
  return Math.min(timeoutSeconds * 1000, LONGEST_MS);
}

const DOCTOR_REMEDIES: Readonly<Partial<Record<DoctorReport["status"], string>>> = {
  entrypoint_missing: "name a file that is there and may be executed: chmod +x",
  doctor_not_configured: 'add doctor_args = ["--doctor"], and let the program end with 0 where it could answer',
};

function judgeDoctor(report: DoctorReport): ConformanceCheck {
  const name = "verifies itself";
  const { status, failure_kind: failure } = report;
  if (report.verified) return { name, state: "passed", found: "its doctor ended with 0" };
  return {
    name,
    state: "failed",
    found: failure === null ? status : `${status}: ${failure}`,
    remedy: DOCTOR_REMEDIES[status] ?? "let the program end with 0 for its doctor_args, in time and without a change",
  };
}
