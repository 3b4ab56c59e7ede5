import { toAttributes, type OtlpAttribute } from "./otlp-attributes.ts";
import type { OtlpSettings } from "./otlp-settings.ts";

/** Who exports, as OTLP names it. */
export function toResource({ resource }: OtlpSettings): { readonly attributes: readonly OtlpAttribute[] } {
  return { attributes: toAttributes(resource) };
}

/** Sends one document; whether the collector took it. Nothing is sent twice, and nothing is thrown. */
export async function postOtlp(settings: OtlpSettings, document: object, timeoutMs: number): Promise<boolean> {
  try {
    const response = await fetch(settings.url, {
      method: "POST",
      headers: { ...settings.headers, "content-type": "application/json" },
      body: JSON.stringify(document),
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
