import { PROVIDER_STATUSES } from "../providers/provider-outcome.ts";

/** The OpenAPI 3.1 document of the runtime's HTTP API. */
export function renderOpenApi(version: string): object {
  return {
    openapi: "3.1.0",
    info: { title: "LoopX context runtime", version },
    paths: {
      "/v1/turns": {
        post: {
          summary: "Carry out one turn",
          requestBody: { required: true, content: { "application/json": { schema: TURN_REQUEST } } },
          responses: { 200: json("READY, DEGRADED or BLOCKED, with the rendered context", TURN_ANSWER), ...FAULTS },
        },
      },
      "/v1/traces": {
        get: {
          summary: "Search traces, latest first",
          parameters: [
            query("provider"),
            query("providerStatus", PROVIDER_STATUSES),
            query("objective"),
            query("consumer"),
            query("outcome", OUTCOMES),
            query("layer"),
            query("since"),
            query("until"),
            query("cursor"),
            query("limit"),
          ],
          responses: { 200: json("one page", { type: "object" }), ...FAULTS },
        },
      },
      "/v1/traces/{id}": {
        get: {
          summary: "One trace (context.trace.v1)",
          parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
          responses: { 200: json("the trace", { type: "object" }), ...FAULTS },
        },
      },
      "/v1/providers": {
        get: {
          summary: "Providers and their readiness",
          responses: { 200: json("providers", { type: "object" }), ...FAULTS },
        },
      },
      "/healthz": { get: { summary: "Alive", responses: { 200: json("alive", { type: "object" }) } } },
      "/readyz": {
        get: {
          summary: "Every provider describes itself",
          responses: {
            200: json("ready", { type: "object" }),
            503: json("error.code is runtime_not_ready", { type: "object" }),
          },
        },
      },
    },
  };
}

const OUTCOMES = ["READY", "DEGRADED", "BLOCKED"] as const;

const TURN_REQUEST = {
  type: "object",
  additionalProperties: false,
  required: ["objective", "consumer"],
  properties: {
    objective: { type: "string" },
    consumer: { type: "string" },
    profile: { type: ["string", "null"] },
    inputs: { type: "object", additionalProperties: { type: "string", maxLength: 4096 }, maxProperties: 32 },
  },
} as const;

const TURN_ANSWER = {
  type: "object",
  required: ["contract", "outcome", "trace_id", "layers", "unknowns", "budget", "rendered"],
  properties: {
    contract: { const: "context-turn.v1" },
    outcome: { enum: OUTCOMES },
    trace_id: { type: "string" },
    rendered: { type: "string" },
  },
} as const;

const FAULTS = {
  400: json("a bad request: error.code names why", { type: "object" }),
  401: json("no or another token", { type: "object" }),
  503: json("the runtime itself cannot serve", { type: "object" }),
} as const;

function json(description: string, schema: object): object {
  return { description, content: { "application/json": { schema } } };
}

function query(name: string, words?: readonly string[]): object {
  return { name, in: "query", schema: words === undefined ? { type: "string" } : { type: "string", enum: words } };
}
