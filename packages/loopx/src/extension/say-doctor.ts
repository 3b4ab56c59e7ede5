import type { DoctorReport } from "@loopx/extensions";

const STATUS: Readonly<Record<DoctorReport["status"], string>> = {
  ready: "verified",
  probe_required: "its program is there and is yet to be started",
  entrypoint_missing: "its program is not there, or may not be executed (chmod +x)",
  doctor_not_configured: "its manifest names no doctor_args, so nothing can verify it",
  provider_unavailable: "its program did not verify itself",
};

const FAILURE: Readonly<Record<NonNullable<DoctorReport["failure_kind"]>, string>> = {
  doctor_not_configured: "",
  folder_too_large: "its folder holds more than 256 files or 8 MiB: give the extension a folder of its own",
  probe_execution_failed: "it could not be started: look at its first line (#!) and its mode",
  probe_nonzero_exit: "it ended with another exit code than 0",
  probe_timeout: "it did not end within timeout_seconds",
  probe_output_too_large: "it wrote more than 1,000,000 bytes",
  probe_aborted: "it was interrupted",
  probe_reentrant: "no program of an extension may start another one",
  entrypoint_changed_during_probe: "its files changed while it ran",
};

/** What a doctor found, for people. */
export function sayDoctor({ status, failure_kind: failure }: DoctorReport): string {
  const more = failure === null ? "" : FAILURE[failure];
  return more === "" ? STATUS[status] : `${STATUS[status]}: ${more}`;
}
