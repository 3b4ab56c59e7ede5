import { LoopxError } from "@loopx/contracts";
import { anObject, optional, orNull, readDocument, report, type Rule } from "../documents/field-rule.ts";
import { privateText } from "../documents/public-text.ts";

const PLACE_MAX = 4096;
const VALUE_MAX = 1024;

/** How a source provider reads layers of a Context Project. The layer itself is the source's locator. */
export interface LayerSettings {
  /** Folder of the build. */
  readonly build: string;
  /** Name or file of the deployment's binding. */
  readonly binding: string;
  readonly objective: string;
  readonly consumer: string;
  readonly profile: string | null;
  readonly inputs: Readonly<Record<string, string>>;
}

const inputs: Rule<Readonly<Record<string, string>>> = (value, place) => {
  const isRecord = typeof value === "object" && value !== null && !Array.isArray(value);
  const entries = isRecord ? Object.entries(value) : [];
  if (isRecord && entries.every(([, given]) => typeof given === "string")) return Object.fromEntries(entries);
  return report(place, "must be an object of texts");
};

const SETTINGS: Rule<LayerSettings> = anObject({
  build: privateText(PLACE_MAX),
  binding: privateText(PLACE_MAX),
  objective: privateText(VALUE_MAX),
  consumer: privateText(VALUE_MAX),
  profile: optional(orNull(privateText(VALUE_MAX)), null),
  inputs: optional(inputs, {}),
});

/** The settings of the adapter `runtime-context`. Throws `invalid_value` for what breaks their rules. */
export function parseLayerSettings(config: Readonly<Record<string, unknown>>): LayerSettings {
  const read = readDocument(SETTINGS, config);
  if (read.ok) return read.value;
  throw new LoopxError("invalid_value", {
    message: "the settings of runtime-context break a rule",
    details: { problems: read.problems },
  });
}
