import {
  LoopxError,
  parseAgentId,
  parseDuration,
  parseGoalId,
  parseInstant,
  parseStorableText,
  parseThreadId,
  parseTodoId,
  parseTurnId,
} from "@loopx/contracts";
import type {
  BooleanFlag,
  ChoiceFlag,
  DurationFlag,
  FlagSpec,
  IdFlag,
  IntegerFlag,
} from "../command-table/flag-spec.ts";
import { renderFlagValue } from "./render-flag-value.ts";

/**
 * The typed value of one flag. `name` is the flag as people write it; messages never repeat the value, which may be
 * anything that was pasted. Refuses with `invalid_value`, `invalid_id`, `text_not_storable`.
 */
export function parseFlagValue(name: string, spec: Exclude<FlagSpec, BooleanFlag>, text: string): unknown {
  switch (spec.type) {
    case "text":
      return parseStorableText(text, { field: name, isEmptyAllowed: spec.mayBeEmpty === true });
    case "path":
      return parseStorableText(text, { field: name });
    case "id":
      return parseId(name, spec, text);
    case "choice":
      return parseChoice(name, spec, text);
    case "integer":
      return parseInteger(name, spec, text);
    case "duration":
      return parseBoundedDuration(name, spec, text);
    case "instant":
      return parseInstant(text, name);
    case "argv":
      return parseArgv(name, text);
    default:
      throw new TypeError(`no parser for ${JSON.stringify(spec satisfies never)}`);
  }
}

/** "a, b or c". */
export function joinChoices(choices: readonly string[]): string {
  return choices.length < 2 ? choices.join("") : `${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`;
}

function invalid(name: string, rule: string): LoopxError {
  return new LoopxError("invalid_value", { message: `${name} ${rule}`, details: { flag: name } });
}

function parseId(name: string, spec: IdFlag, text: string): string {
  switch (spec.names) {
    case "goal":
      return parseGoalId(text, name);
    case "agent":
      return parseAgentId(text, name);
    case "thread":
      return parseThreadId(text, name);
    case "turn":
      return parseTurnId(text, name);
    case "todo":
    case "gate":
      // A gate is a todo that asks.
      return parseTodoId(text, name);
    case "token":
      return parseTokenId(text, name);
    default:
      throw new TypeError(`no parser for ids of ${String(spec.names satisfies never)}`);
  }
}

function parseTokenId(text: string, name: string): string {
  if (/^token_[a-z0-9]{6,40}$/.test(text)) return text;
  throw new LoopxError("invalid_id", {
    message: `${name} is malformed`,
    hint: `${name} takes token_ and 6 to 40 of a-z 0-9`,
    details: { field: name },
  });
}

function parseChoice(name: string, spec: ChoiceFlag, text: string): string {
  if (spec.choices.includes(text)) return text;
  const message = `${name} takes ${joinChoices(spec.choices)}`;
  throw new LoopxError("invalid_value", { message, details: { flag: name, choices: spec.choices } });
}

function parseInteger(name: string, spec: IntegerFlag, text: string): number | "none" {
  if (spec.orNone && text === "none") return "none";
  const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= spec.min && value <= (spec.max ?? Number.MAX_SAFE_INTEGER)) return value;
  const range = spec.max === undefined ? `of at least ${spec.min}` : `from ${spec.min} to ${spec.max}`;
  throw invalid(name, `takes a whole number ${range}${spec.orNone ? ", or none" : ""}`);
}

function parseBoundedDuration(name: string, spec: DurationFlag, text: string): number {
  const durationMs = parseDuration(text, name);
  if (durationMs >= (spec.minMs ?? 0) && durationMs <= (spec.maxMs ?? Number.MAX_SAFE_INTEGER)) return durationMs;
  const bounds = [
    ...(spec.minMs === undefined ? [] : [`at least ${renderFlagValue(spec, spec.minMs)}`]),
    ...(spec.maxMs === undefined ? [] : [`at most ${renderFlagValue(spec, spec.maxMs)}`]),
  ];
  throw invalid(name, `takes a duration of ${bounds.join(" and ")}`);
}

function parseArgv(name: string, text: string): readonly string[] {
  const words = parseJson(text);
  const isArgv = Array.isArray(words) && words.every((word) => typeof word === "string");
  if (isArgv && words.length > 0 && words[0] !== "") {
    return words.map((word) => parseStorableText(word, { field: name, isEmptyAllowed: true }));
  }
  throw invalid(name, `takes a JSON array of words, such as '["npm","test"]'`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
