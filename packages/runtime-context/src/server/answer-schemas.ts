import { PROVIDER_STATUSES } from "../providers/provider-outcome.ts";
import { REQUEST_LIMITS } from "../turn/parse-turn-request.ts";

export const OUTCOMES = ["READY", "DEGRADED", "BLOCKED"] as const;

const TEXT = { type: "string" } as const;
const FLAG = { type: "boolean" } as const;
const COUNT = { type: "integer", minimum: 0 } as const;
const MAYBE_TEXT = { type: ["string", "null"] } as const;
const STATUS = { enum: PROVIDER_STATUSES } as const;

/** An object of which these members are always there and the optional ones where there is something to say. */
function record(required: Readonly<Record<string, object>>, optional: Readonly<Record<string, object>> = {}): object {
  return { type: "object", required: Object.keys(required), properties: { ...required, ...optional } };
}

function say<Schema extends object>(description: string, schema: Schema): Schema & { readonly description: string } {
  return { ...schema, description };
}

function list(items: object): object {
  return { type: "array", items };
}

const FACT = record({ layer: TEXT, provider: MAYBE_TEXT, reason: TEXT, says: say("a sentence for people", TEXT) });

const LAYER = record(
  {
    layer: TEXT,
    rule: { enum: ["required", "optional", "excluded"] },
    state: { enum: ["AVAILABLE", "EMPTY", "STALE", "UNKNOWN", "UNAVAILABLE", "NOT_REQUESTED"] },
    selected: FLAG,
    bytes: COUNT,
  },
  {
    reason: say("such as PROVIDER_TIMEOUT", TEXT),
    provider: TEXT,
    provider_status: STATUS,
    provider_reason: say("why, such as UNKNOWN_FIELD", TEXT),
    provider_pointer: say("JSON pointer to the refused place in the answer", TEXT),
    currentness: { enum: ["CURRENT", "STALE", "UNKNOWN"] },
    not_selected_because: TEXT,
  },
);

/** What `parseTurnRequest` takes. */
export const TURN_REQUEST = {
  type: "object",
  additionalProperties: false,
  required: ["objective", "consumer"],
  properties: {
    objective: { type: "string", description: "id of an objective of the build" },
    consumer: { type: "string", description: "id of a consumer of the build" },
    profile: { type: ["string", "null"], description: "may be left out where the build has one" },
    inputs: {
      type: "object",
      description: "values by name; one that the build doesn't ask for is named in `ignored_inputs`",
      additionalProperties: { type: "string", maxLength: REQUEST_LIMITS.valueCharacters },
      maxProperties: REQUEST_LIMITS.inputs,
    },
  },
} as const;

/** What `toTurnPacket` makes. */
export const TURN_ANSWER = record(
  {
    contract: { const: "context-turn.v1" },
    outcome: { enum: OUTCOMES },
    trace_id: TEXT,
    traced: say("whether the trace is kept", FLAG),
    profile: TEXT,
    build: say("digest of the build", TEXT),
    layers: list(LAYER),
    unknowns: say("what could not be found out", list(FACT)),
    budget: record({ bytes: COUNT, used: COUNT }),
    sanitized: say("characters that were neutralised in provider material", COUNT),
    rendered: say("the text for the agent; empty when BLOCKED", TEXT),
  },
  {
    ignored_inputs: say("given inputs that nothing asks for", list(record({ input: TEXT, says: TEXT }))),
    blocked_by: say("one for each required layer that blocks", list(FACT)),
  },
);

/** What `toTracePagePacket` makes. */
export const TRACES_ANSWER = record({
  traces: list(
    record({
      trace_id: TEXT,
      at: say("when the turn began", TEXT),
      objective: TEXT,
      consumer: TEXT,
      profile: TEXT,
      outcome: { enum: OUTCOMES },
      duration_ms: COUNT,
      providers: list(record({ provider: TEXT, status: STATUS, reason: MAYBE_TEXT })),
    }),
  ),
  next_cursor: say("null on the last page", MAYBE_TEXT),
});

/** What `GET /v1/providers` answers. */
export const PROVIDERS_ANSWER = record({
  build: say("digest of the build", TEXT),
  binding: record({ revision: TEXT, digest: TEXT }),
  providers: list(
    record(
      {
        provider: TEXT,
        type: say("http or sqlite; null where it is not bound", MAYBE_TEXT),
        ready: FLAG,
        circuit: say("open while lookups fail without being sent; null where it is not bound", {
          enum: ["closed", "open", "half_open", null],
        }),
        status: STATUS,
        reason: MAYBE_TEXT,
        version: MAYBE_TEXT,
        observed_at: TEXT,
      },
      { pointer: say("JSON pointer to the refused place in its description", TEXT) },
    ),
  ),
  last_reload: say("whether the last SIGHUP was taken; null before the first", {
    type: ["object", "null"],
    properties: {
      at: TEXT,
      refused: say("null where the new pair serves", {
        type: ["object", "null"],
        properties: { code: TEXT, message: TEXT },
      }),
    },
  }),
  traces: say("how many were stored, wait and were lost since the server began", { type: "object" }),
});

/** Every answer that is no success. */
export const ERROR_ANSWER = record({
  ok: { const: false },
  error: record(
    { code: TEXT, category: TEXT, message: TEXT, retry: say("whether the same call may succeed later", FLAG) },
    { hint: TEXT, details: { type: "object" } },
  ),
});
