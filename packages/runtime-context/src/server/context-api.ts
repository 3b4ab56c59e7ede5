import { createHash, timingSafeEqual } from "node:crypto";
import { ERROR_TABLE, fromRefusal, isLoopxError, LoopxError, toErrorPacket } from "@loopx/contracts";
import { Hono } from "hono";
import type { ProviderClock } from "../providers/provider-clock.ts";
import { parseTraceParent, type TraceParent } from "../telemetry/trace-parent.ts";
import type { ContextTrace } from "../trace/context-trace.ts";
import { toTracePagePacket } from "../trace/trace-page-packet.ts";
import { parseTraceQuery } from "../trace/trace-query.ts";
import type { TraceStore } from "../trace/trace-store.ts";
import { parseTurnRequest } from "../turn/parse-turn-request.ts";
import { runTurn } from "../turn/run-turn.ts";
import { renderTurnPacket } from "../turn/turn-packet.ts";
import type { LiveDeployment } from "./live-deployment.ts";
import { renderOpenApi } from "./open-api.ts";
import { readJsonBody } from "./read-body.ts";
import { Readiness } from "./readiness.ts";

export interface ContextApiParts {
  readonly deployment: LiveDeployment;
  readonly traces: TraceStore;
  readonly clock: ProviderClock;
  readonly turnDeadlineMs: number;
  /** Bearer token that every request but the health probes needs; null on loopback. */
  readonly token: string | null;
  readonly version: string;
  newTraceId(): string;
  /** Told of each turn that was carried out, with the span of its caller. Must not throw. */
  onTurn?(trace: ContextTrace, parent: TraceParent | undefined): void;
  /** True from the moment the server drains: no new turn begins. */
  isDraining(): boolean;
  /** One line a request: method, route, status, milliseconds. Never a value, header or body. */
  log(entry: RequestLog): void;
}

export interface RequestLog {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
  readonly outcome?: string;
}

/**
 * The runtime's HTTP API. Holds no state of its own.
 *
 * READY, DEGRADED and BLOCKED are 200; a bad request is 4xx; 503 only when the runtime itself cannot serve.
 */
export function createContextApi(parts: ContextApiParts): Hono {
  const api = new Hono();
  const readiness = new Readiness(parts.clock);

  api.use(async (context, next) => {
    const beganMs = parts.clock.monotonicMs();
    await next();
    parts.log({
      method: context.req.method,
      route: context.req.routePath,
      status: context.res.status,
      durationMs: Math.round(parts.clock.monotonicMs() - beganMs),
    });
  });
  api.onError((error) => renderError(error));
  api.notFound(() => {
    throw new LoopxError("unknown_route", { message: "no such route", hint: "GET /v1/openapi.json lists them" });
  });

  api.get("/healthz", () => toJson({ ok: true }));
  api.get("/readyz", async () => {
    const providers = await readiness.check(parts.deployment.current);
    if (parts.isDraining()) throw notReady(DRAINING);
    if (!providers.every(({ isReady }) => isReady)) throw notReady("a provider does not answer its readiness probe");
    return toJson({ ok: true });
  });

  api.use("/v1/*", async (context, next) => {
    if (parts.token === null && !isLoopbackUrl(context.req.url)) {
      throw new LoopxError("unauthorised", { message: "without a token only requests to a loopback name are taken" });
    }
    if (!isAuthorised(context.req.header("authorization"), parts.token)) {
      throw new LoopxError("unauthorised", { message: "a bearer token is needed" });
    }
    return next();
  });
  api.get("/v1/openapi.json", () => toJson(renderOpenApi(parts.version)));
  api.post("/v1/turns", async (context) => {
    if (parts.isDraining()) throw notReady(DRAINING);
    const request = parseTurnRequest(await readJsonBody(context.req.raw));
    const answer = await parts.deployment.use((deployment) => runTurn(deployment, request, parts));
    if (!answer.ok) throw fromRefusal(answer);
    parts.onTurn?.(answer.trace, parseTraceParent(context.req.header("traceparent")));
    const headers = answer.isTraced ? HEADERS : { ...HEADERS, "x-loopx-trace": "lost" };
    return new Response(renderTurnPacket(answer), { headers });
  });
  api.get("/v1/providers", async () => {
    const providers = await readiness.check(parts.deployment.current);
    return toJson({
      build: parts.deployment.current.build.digest,
      binding: { revision: parts.deployment.current.binding.revision, digest: parts.deployment.current.binding.digest },
      providers: providers.map(({ provider, type, isReady, status, reason, version, observedAt, finding }) => ({
        provider,
        type,
        ready: isReady,
        circuit: parts.deployment.current.clients.get(provider)?.circuit ?? null,
        status,
        reason,
        ...(finding === undefined ? {} : { pointer: finding.pointer }),
        version,
        observed_at: observedAt,
      })),
      last_reload: parts.deployment.lastReload,
      traces: parts.traces.status,
    });
  });
  api.get("/v1/traces", async (context) => {
    const page = await parts.traces.search(parseTraceQuery(context.req.query()));
    return toJson(toTracePagePacket(page));
  });
  api.get("/v1/traces/:id", async (context) => {
    const trace = await parts.traces.find(context.req.param("id"));
    if (trace === undefined) throw new LoopxError("unknown_trace", { message: "no trace has this id" });
    return toJson(trace);
  });
  return api;
}

const DRAINING = "the runtime is shutting down";

/** `reason` is the seed's word for it. */
function notReady(message: string): LoopxError {
  const hint = "GET /v1/providers says how each provider is";
  return new LoopxError("runtime_not_ready", { message, hint, details: { reason: "RUNTIME_NOT_READY" } });
}

const HEADERS = { "content-type": "application/json", "cache-control": "no-store" } as const;

/** Headers are given with the response: one that is added later makes the server copy it as a stream. */
function toJson(document: object, status = 200): Response {
  return new Response(JSON.stringify(document), { status, headers: HEADERS });
}

const LOOPBACK_URL = /^https?:\/\/(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})(?::\d{1,5})?\//;

/** A web page whose name was pointed at this machine sends that name: without a token, nothing else tells it apart. */
function isLoopbackUrl(url: string): boolean {
  return LOOPBACK_URL.test(url) || LOOPBACK_URL.test(new URL(url).href);
}

/** Compares digests, so that neither length nor content of the token shows in the time it takes (facts K6). */
function isAuthorised(header: string | undefined, token: string | null): boolean {
  if (token === null) return true;
  const given = /^Bearer (.+)$/.exec(header ?? "")?.[1] ?? "";
  return timingSafeEqual(toDigest(given), toDigest(token));
}

function toDigest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function renderError(error: unknown): Response {
  return toJson(toErrorPacket(error), isLoopxError(error) ? ERROR_TABLE[error.code].http : 500);
}
