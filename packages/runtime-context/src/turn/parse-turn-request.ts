import { LoopxError } from "@loopx/contracts";
import type { TurnRequest } from "../kernel/turn-plan.ts";

/** What one request may carry (facts 5.2, T10). */
export const REQUEST_LIMITS = { inputs: 32, valueCharacters: 4096 } as const;

const FIELDS = ["objective", "consumer", "profile", "inputs"];
const ID = /^[a-z][a-z0-9-]{0,62}$/;
/** What a project may name an input. */
const INPUT_NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;

/**
 * The request in a parsed JSON document.
 *
 * Closed: an unknown field is refused. Every refusal is `invalid_value`, names the field and repeats no value.
 */
export function parseTurnRequest(document: unknown): TurnRequest {
  const body = toRecord(document, "the request");
  const unknown = Object.keys(body).some((field) => !FIELDS.includes(field));
  if (unknown) throw fault("the request", `takes ${FIELDS.join(", ")}`);
  return {
    objective: toId(body["objective"], "objective"),
    consumer: toId(body["consumer"], "consumer"),
    profile: body["profile"] === undefined || body["profile"] === null ? null : toId(body["profile"], "profile"),
    inputs: toInputs(body["inputs"]),
  };
}

function toInputs(value: unknown): TurnRequest["inputs"] {
  if (value === undefined) return {};
  const entries = Object.entries(toRecord(value, "inputs"));
  if (entries.length > REQUEST_LIMITS.inputs) throw fault("inputs", `takes at most ${REQUEST_LIMITS.inputs} keys`);
  const inputs: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, text] of entries) {
    if (!INPUT_NAME.test(name))
      throw fault("inputs", "takes names of letters, digits and _ . - beginning with a letter");
    if (typeof text !== "string") throw fault(`inputs.${name}`, "takes text");
    if (text.length > REQUEST_LIMITS.valueCharacters || !text.isWellFormed() || text.includes("\0")) {
      throw fault(`inputs.${name}`, `takes well-formed text of at most ${REQUEST_LIMITS.valueCharacters} characters`);
    }
    inputs[name] = text;
  }
  return inputs;
}

function toId(value: unknown, field: string): string {
  if (typeof value === "string" && ID.test(value)) return value;
  throw fault(field, "takes an id: lower-case letters, digits and -, beginning with a letter");
}

function toRecord(value: unknown, field: string): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  throw fault(field, "takes a JSON object");
}

function fault(field: string, takes: string): LoopxError {
  return new LoopxError("invalid_value", { message: `${field} ${takes}`, details: { field } });
}
