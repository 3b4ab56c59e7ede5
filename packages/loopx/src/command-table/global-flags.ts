import type { FlagRecord } from "./flag-spec.ts";

/** Flags that may stand anywhere on the line, before, between and after the command's words. */
export const GLOBAL_FLAGS = {
  format: {
    type: "choice",
    placeholder: "FORMAT",
    describe: "json: one document on stdout, also on failure; text: for people",
    choices: ["json", "text"],
    default: "text",
  },
  json: { type: "boolean", describe: "the same as --format=json" },
  project: { type: "path", placeholder: "DIR", describe: "project root, instead of the nearest one" },
  registry: { type: "path", placeholder: "FILE", describe: "registry.global.json to find goals in" },
  quiet: { type: "boolean", describe: "no notes on stderr" },
  verbose: { type: "boolean", describe: "diagnostics on stderr" },
  noColor: { type: "boolean", describe: "plain text (NO_COLOR and FORCE_COLOR are honoured too)" },
  help: { type: "boolean", describe: "show help and do nothing else; -h is the same" },
  version: { type: "boolean", describe: "show the version and do nothing else" },
} as const satisfies FlagRecord;

/** What the global flags say, for handlers. */
export interface Globals {
  readonly format: "json" | "text";
  readonly project?: string;
  readonly registry?: string;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly noColor: boolean;
}
