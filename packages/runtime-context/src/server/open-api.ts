import { PROVIDER_STATUSES } from "../providers/provider-outcome.ts";
import { TRACE_PAGE } from "../trace/trace-query.ts";
import {
  ERROR_ANSWER,
  OUTCOMES,
  PROVIDERS_ANSWER,
  TRACES_ANSWER,
  TURN_ANSWER,
  TURN_REQUEST,
} from "./answer-schemas.ts";

/** The OpenAPI 3.1 document of the runtime's HTTP API: what `GET /v1/openapi.json` answers and the reference is made of. */
export function renderOpenApi(version: string): object {
  return {
    openapi: "3.1.0",
    info: { title: "LoopX context runtime", version },
    paths: {
      "/v1/turns": {
        post: {
          summary: "Carry out one turn: READY, DEGRADED and BLOCKED are answers alike",
          requestBody: { required: true, content: { "application/json": { schema: TURN_REQUEST } } },
          responses: {
            200: {
              ...json("the turn, with the rendered context", TURN_ANSWER),
              headers: { "x-loopx-trace": { description: "`lost` where the trace was not kept", schema: TEXT } },
            },
            413: json("the request is over 256 KiB", ERROR_ANSWER),
            ...FAULTS,
          },
        },
      },
      "/v1/traces": {
        get: {
          summary: "Search traces, latest first; everything that is given must hold",
          parameters: TRACE_PARAMETERS,
          responses: { 200: json("one page", TRACES_ANSWER), ...FAULTS },
        },
      },
      "/v1/traces/{id}": {
        get: {
          summary: "One trace, as it was written (`context.trace.v1`)",
          parameters: [{ name: "id", in: "path", required: true, description: "`trace_id` of a turn", schema: TEXT }],
          responses: {
            200: json("the trace: names, keyed digests and times, never a value", { type: "object" }),
            404: json("no trace has this id", ERROR_ANSWER),
            ...FAULTS,
          },
        },
      },
      "/v1/providers": {
        get: {
          summary: "What is served, and how each provider described itself in the last five seconds",
          responses: { 200: json("build, binding and providers", PROVIDERS_ANSWER), ...FAULTS },
        },
      },
      "/v1/openapi.json": {
        get: { summary: "This document", responses: { 200: json("OpenAPI 3.1", { type: "object" }), ...FAULTS } },
      },
      "/healthz": { get: { summary: "Whether the process is alive", responses: { 200: json("it is", OK) } } },
      "/readyz": {
        get: {
          summary: "Whether every provider describes itself",
          responses: {
            200: json("each of them does", OK),
            503: json("`error.code` is `runtime_not_ready`", ERROR_ANSWER),
          },
        },
      },
    },
  };
}

const TEXT = { type: "string" } as const;
const OK = { type: "object", required: ["ok"], properties: { ok: { const: true } } } as const;

const TRACE_PARAMETERS = [
  query("provider", "turns that looked at this provider"),
  query("providerStatus", "with this status of it, or of any", PROVIDER_STATUSES),
  query("objective", "id"),
  query("consumer", "id"),
  query("outcome", "outcome of the turn", OUTCOMES),
  query("layer", "turns in which this layer took part"),
  query("since", "turns that began then or later, RFC 3339"),
  query("until", "turns that began before, RFC 3339"),
  query("cursor", "`next_cursor` of the page before"),
  query("limit", `traces per page, 1 to ${TRACE_PAGE.most}, ${TRACE_PAGE.default} unless given`),
];

const FAULTS = {
  400: json("a bad request: `error.code` names why, and the message the field", ERROR_ANSWER),
  401: json("no token, or another", ERROR_ANSWER),
  503: json("the runtime itself cannot serve", ERROR_ANSWER),
} as const;

function json(description: string, schema: object): object {
  return { description, content: { "application/json": { schema } } };
}

function query(name: string, description: string, words?: readonly string[]): object {
  return { name, in: "query", description, schema: words === undefined ? TEXT : { ...TEXT, enum: words } };
}
