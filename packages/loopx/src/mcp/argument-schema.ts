import type { JSONObject } from "@modelcontextprotocol/server";
import type { FlagSpec } from "../command-table/flag-spec.ts";
import { nameFlagsAsArguments } from "./argument-name.ts";

/**
 * The schema of an argument, from the flag it stands for. What it leaves out the command's own parser refuses: each byte
 * of it is read by every agent that sees the tools.
 */
export function toArgumentSchema(flag: FlagSpec): JSONObject {
  const isDuration = flag.type === "duration";
  const description = `${nameFlagsAsArguments(flag.describe)}${isDuration ? ", such as 30m or 2h" : ""}`;
  const value = toValueSchema(flag);
  if (flag.type === "boolean" || !flag.repeatable) return { ...value, description };
  return { type: "array", items: value, description };
}

function toValueSchema(flag: FlagSpec): JSONObject {
  switch (flag.type) {
    case "boolean":
      return { type: "boolean" };
    case "text":
    case "id":
    case "path":
    case "duration":
      return { type: "string" };
    case "choice":
      return { type: "string", enum: [...flag.choices] };
    case "integer":
      return toIntegerSchema(flag);
    case "instant":
      return { type: "string", format: "date-time" };
    case "argv":
      return { type: "array", items: { type: "string" } };
    default:
      throw new TypeError(`no schema for ${JSON.stringify(flag satisfies never)}`);
  }
}

function toIntegerSchema({ min, max, orNone }: Extract<FlagSpec, { type: "integer" }>): JSONObject {
  const integer = { type: "integer", minimum: min, ...(max === undefined ? {} : { maximum: max }) };
  return orNone ? { anyOf: [integer, { const: "none" }] } : integer;
}
