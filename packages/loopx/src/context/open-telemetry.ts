import type { Ambient } from "@loopx/contracts";
import { createSpanExporter, readOtlpSettings, type SpanExporter } from "@loopx/runtime-context";
import { VERSION } from "../version.ts";

/** An exporter as the environment asks for it, or null where it asks for none. Refuses with `invalid_value`. */
export function openTelemetry(env: Ambient["env"]): SpanExporter | null {
  const settings = readOtlpSettings(env);
  return settings === null ? null : createSpanExporter(settings, VERSION);
}
