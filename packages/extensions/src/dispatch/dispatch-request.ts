import { isLoopxError, parseStrictJson } from "@loopx/contracts";
import { findEntrypoint } from "../entrypoint/entrypoint-identity.ts";
import { isWithinProvider, toProviderEnvironment } from "./provider-environment.ts";
import { runProviderProcess, STREAM_MAX_BYTES, type ProviderStop } from "./provider-process.ts";
import type { RuntimeBinding } from "./runtime-binding.ts";

/** Why a request got no answer. Private: it tells its caller's user what to look at, and stands in no receipt. */
export type DispatchFailure =
  | ProviderStop
  | "nonzero_exit"
  | "ok_false"
  | "response_not_json_object"
  | "entrypoint_changed"
  | "request_too_large"
  | "reentrant";

export type DispatchOutcome =
  | { readonly kind: "answered"; readonly response: Readonly<Record<string, unknown>>; readonly latencyMs: number }
  | {
      readonly kind: "failed";
      readonly failure: DispatchFailure;
      /** Of the process, where it ended by itself. */
      readonly exitCode: number | null;
      readonly latencyMs: number;
    };

export interface DispatchOptions {
  /** Capped by the binding's own limit. */
  readonly timeoutMs: number;
  /** The caller's; the provider gets what is on the allow-list. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Ends the provider at once, synchronously. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends one request to a provider's program and gives its one JSON object: strict JSON in UTF-8, at most 1,000,000 bytes,
 * exit code 0, `ok` not false, from the program that was verified, before and after.
 *
 * Never throws for what the provider does, and never waits past the shorter of both deadlines.
 */
export async function dispatchRequest(
  binding: RuntimeBinding,
  request: object,
  options: DispatchOptions,
): Promise<DispatchOutcome> {
  // Needs nothing loaded, unlike `performance`.
  const startedAt = process.uptime();
  const toLatency = (): number => Math.round((process.uptime() - startedAt) * 1000);
  const fail = (failure: DispatchFailure, exitCode: number | null = null): DispatchOutcome => ({
    kind: "failed",
    failure,
    exitCode,
    latencyMs: toLatency(),
  });
  if (isWithinProvider(options.environment)) return fail("reentrant");
  const input = Buffer.from(JSON.stringify(request), "utf8");
  if (input.length > STREAM_MAX_BYTES) return fail("request_too_large");
  if (!isUnchanged(binding)) return fail("entrypoint_changed");
  const end = await runProviderProcess({
    argv: binding.argv,
    input,
    environment: toProviderEnvironment(options.environment),
    timeoutMs: Math.min(options.timeoutMs, binding.timeoutMs),
    signal: options.signal,
  });
  if (end.kind !== "exited") return fail(end.kind);
  if (!isUnchanged(binding)) return fail("entrypoint_changed", end.exitCode);
  if (end.exitCode !== 0) return fail("nonzero_exit", end.exitCode);
  const response = parseAnswer(end.stdout);
  if (response === undefined) return fail("response_not_json_object", end.exitCode);
  if (response["ok"] === false) return fail("ok_false", end.exitCode);
  return { kind: "answered", response, latencyMs: toLatency() };
}

/** Whether the program is still the one that was verified: the look before is not the start itself. */
export function isUnchanged({ place, entrypointIdentity }: RuntimeBinding): boolean {
  const found = findEntrypoint(place.entrypoint, place.folder);
  return found.kind === "found" && found.identity === entrypointIdentity;
}

const BYTE_ORDER_MARK = "\uFEFF";

/** The one object a provider wrote; undefined for anything else, which may hold what nobody should see. */
function parseAnswer(stdout: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(stdout);
    if (text.startsWith(BYTE_ORDER_MARK)) return undefined;
    const value = parseStrictJson(text);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    return value as Readonly<Record<string, unknown>>;
  } catch (error) {
    if (isLoopxError(error) || error instanceof TypeError) return undefined;
    throw error;
  }
}
