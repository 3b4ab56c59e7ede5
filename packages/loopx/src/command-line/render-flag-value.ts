import { formatDuration } from "@loopx/contracts";
import type { FlagSpec } from "../command-table/flag-spec.ts";

/** The text that `parseFlagValue` reads back as this value. A placeholder stays as it is. */
export function renderFlagValue(spec: FlagSpec, value: unknown): string {
  if (typeof value === "string") return value;
  if (spec.type === "argv") return JSON.stringify(value);
  if (spec.type === "duration" && typeof value === "number") return formatDuration(value);
  return String(value);
}
