import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dispatchRequest, type ProviderReadiness, type RuntimeBinding } from "@loopx/extensions";
import type { AdvisoryRuntime } from "@loopx/decision-context";
import { findEntrypoint } from "../../../packages/extensions/src/entrypoint/entrypoint-identity.ts";

const PROGRAM = join(import.meta.dirname, "fixtures", "provider-that-records.mjs");

export const READY: ProviderReadiness = {
  schema_version: "loopx_extension_provider_readiness_v0",
  status: "ready",
  extension_id: "recorder",
  installed: true,
  enabled: true,
  doctor_verified: true,
  next_action: null,
};

/** A real program as the extension `recorder`, started as any extension is. */
export interface RecordingProvider {
  readonly runtime: AdvisoryRuntime;
  /** The request it was sent, exactly; undefined while no process was started. */
  readonly request: () => string | undefined;
  readonly remove: () => void;
}

/** `answer`: what it writes, or `hang`. `readiness`: other than ready there is no binding. */
export function createRecordingProvider(
  answer: unknown,
  { timeoutMs = 30_000, readiness = READY }: { timeoutMs?: number; readiness?: ProviderReadiness } = {},
): RecordingProvider {
  const directory = mkdtempSync(join(tmpdir(), "loopx-recorder-"));
  const file = join(directory, "request.json");
  const place = { entrypoint: PROGRAM, folder: directory };
  const found = findEntrypoint(place.entrypoint, place.folder);
  if (found.kind !== "found") throw new Error(found.kind);
  const binding: RuntimeBinding = {
    extensionId: "recorder",
    providerVersion: "0.1.0",
    revision: "0000000000000000",
    protocol: "decision_context_advisory_provider_v0",
    argv: [found.path, file, typeof answer === "string" ? answer : JSON.stringify(answer)],
    doctorArgv: undefined,
    timeoutMs,
    place,
    entrypointIdentity: found.identity,
  };
  return {
    runtime: {
      resolve: async () => (readiness.status === "ready" ? { readiness, binding } : { readiness }),
      dispatch: (bound, request, limitMs) =>
        dispatchRequest(bound, request, { timeoutMs: limitMs, environment: process.env }),
    },
    request: () => (existsSync(file) ? readFileSync(file, "utf8") : undefined),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
