import { createContextClient } from "../../../packages/loopx/src/context-client/context-client.ts";
import { readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { startContextServer, type ContextServer } from "../../support/context-server.ts";
import { findAnswerFaults, type AnswerSchema } from "../../support/answer-faults.ts";
import { readField } from "../../support/read-field.ts";
import { BINDING, createSupportDesk, editBinding, STORE } from "../../support/support-desk.ts";
import { verifies } from "../../support/verifies.ts";

const desk = await createSupportDesk();
const running: ContextServer[] = [];

afterEach(async () => {
  for (const server of running.splice(0)) {
    server.signal("SIGTERM");
    await server.ended;
  }
  await desk.restartCrm([]);
});
afterAll(() => desk.remove());

async function serve(...flags: readonly string[]): Promise<ContextServer> {
  const server = await startContextServer(desk, flags);
  running.push(server);
  return server;
}

const REQUEST = {
  objective: "answer-ticket",
  consumer: "support-agent",
  inputs: { customerId: "CUST-1042", orderId: "ORD-20001" },
};

async function post(server: ContextServer, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${server.url}/v1/turns`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

/** Sends bytes as they are; `fetch` sends no such request. */
async function sendRaw(server: ContextServer, text: string): Promise<string> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.setEncoding("utf8").end(text);
  let answer = "";
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}

describe("the runtime over HTTP", () => {
  test("answers the client that the package has", async () => {
    const server = await serve();
    const client = createContextClient({ url: server.url });
    const turn = await client.turn(REQUEST);
    expect([turn.outcome, turn.traced, turn.layers.map(({ layer }) => layer)]).toEqual([
      "READY",
      true,
      ["house-rules", "customer-profile", "order-status", "earlier-tickets"],
    ]);
    expect(turn.rendered).toContain("Enterprise plan");
    const unknown = client.turn({ ...REQUEST, objective: "sell-lamps" });
    await expect(unknown).rejects.toMatchObject({ code: "invalid_value", status: 400, retry: false });
  });

  test("carries out turns, keeps traces, and logs neither values nor bodies", async () => {
    verifies("traces.search");
    const server = await serve();
    const answer = await post(server, REQUEST);
    const turn: unknown = await answer.json();
    expect([answer.status, readField(turn, "outcome")]).toEqual([200, "READY"]);
    const found: unknown = await (
      await fetch(`${server.url}/v1/traces?provider=customer-data&providerStatus=OK`)
    ).json();
    expect(readField(found, "traces", 0, "trace_id")).toBe(readField(turn, "trace_id"));
    const trace = await fetch(`${server.url}/v1/traces/${String(readField(turn, "trace_id"))}`);
    expect(await trace.text()).not.toMatch(/CUST-1042|lamps/);
    expect((await fetch(`${server.url}/v1/openapi.json`)).status).toBe(200);
    expect(JSON.stringify(server.log)).not.toMatch(/CUST-1042|lamps/);
    expect(server.log.filter(({ event }) => event === "request")[0]).toMatchObject({ route: "/v1/turns", status: 200 });
  });

  test("DEGRADED and BLOCKED are 200, and a provider's timeout is not the runtime's", async () => {
    verifies("providers.timeout-is-its-own");
    await desk.restartCrm(["--slow=customer-data"]);
    const late = await post(await serve(), REQUEST);
    const text = await late.text();
    expect(late.status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ outcome: "BLOCKED" });
    expect(text).toContain("TIMEOUT");
    expect(text).not.toMatch(/RUNTIME_UNAVAILABLE|RUNTIME_NOT_READY/);
  });

  test("refuses what is no request: 4xx with a code", async () => {
    const server = await serve();
    const cases = [
      { body: "{", status: 400, code: "invalid_value" },
      { body: { ...REQUEST, extra: 1 }, status: 400, code: "invalid_value" },
      { body: { ...REQUEST, objective: "no-such" }, status: 400, code: "invalid_value" },
      { body: { ...REQUEST, inputs: { customerId: "x".repeat(300_000) } }, status: 413, code: "text_too_long" },
      { body: '{"objective":"a","objective":"b"}', status: 400, code: "invalid_value" },
    ];
    for (const { body, status, code } of cases) {
      const answer = await post(server, body);
      expect([answer.status, readField(await answer.json(), "error", "code")]).toEqual([status, code]);
    }
    expect((await post(server, REQUEST, { "content-type": "text/plain" })).status).toBe(400);
    const encoded = await post(server, REQUEST, { "content-encoding": "gzip" });
    expect([encoded.status, readField(await encoded.json(), "error", "details", "field")]).toEqual([
      400,
      "content-encoding",
    ]);
    expect((await fetch(`${server.url}/v1/traces/trace_none`)).status).toBe(404);
    const nowhere = await fetch(`${server.url}/nothing`);
    expect(nowhere.status).toBe(404);
    expect(readField(await nowhere.json(), "error")).toMatchObject({ code: "unknown_route", category: "usage" });
  });

  test.each(["Host: evil.example", "Authorization: Bearer b", "Content-Type: text/plain"])(
    "refuses a second header that two readers could take differently: %s",
    async (second) => {
      const server = await serve();
      const body = JSON.stringify(REQUEST);
      const answer = await sendRaw(
        server,
        `POST /v1/turns HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer a\r\nContent-Type: application/json\r\n` +
          `${second}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toContain('"code":"invalid_value"');
    },
  );

  test.each([
    ["a host that is none", "GET /healthz HTTP/1.1\r\nHost: a b\r\n", 400],
    ["a target that is no path", "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n", 400],
    ["an odd expectation", "GET /healthz HTTP/1.1\r\nHost: localhost\r\nExpect: cake\r\n", 417],
  ])("refuses %s with a code", async (_, head, status) => {
    const server = await serve();
    const answer = await sendRaw(server, `${head}Connection: close\r\n\r\n`);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer.slice(answer.indexOf("\r\n\r\n"))).toContain('"code":"invalid_value"');
  });

  test("answers what its OpenAPI document tells of", async () => {
    await desk.restartCrm(["--slow=customer-data"]);
    const server = await serve();
    const { paths } = (await (await fetch(`${server.url}/v1/openapi.json`)).json()) as { paths: unknown };
    const schemaOf = (path: string, method: string, status: number): AnswerSchema =>
      readField(
        paths,
        path,
        method,
        "responses",
        String(status),
        "content",
        "application/json",
        "schema",
      ) as AnswerSchema;
    const blocked = await post(server, { ...REQUEST, inputs: { ...REQUEST.inputs, stray: "x" } });
    expect(findAnswerFaults(await blocked.json(), schemaOf("/v1/turns", "post", 200))).toEqual([]);
    const refused = await post(server, { ...REQUEST, objective: "no-such" });
    expect(findAnswerFaults(await refused.json(), schemaOf("/v1/turns", "post", 400))).toEqual([]);
    for (const path of ["/v1/traces", "/v1/providers", "/healthz", "/readyz"]) {
      const answer = await fetch(`${server.url}${path}`);
      expect(findAnswerFaults(await answer.json(), schemaOf(path, "get", answer.status))).toEqual([]);
    }
    expect(findAnswerFaults({ ok: true, more: 1 }, schemaOf("/healthz", "get", 200))).toEqual([".more is not told of"]);
  });

  test("is alive and not ready while a provider is down", async () => {
    verifies("providers.http-describe");
    await desk.crm.stop();
    const server = await serve();
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    const ready = await fetch(`${server.url}/readyz`);
    expect(ready.status).toBe(503);
    expect(readField(await ready.json(), "error")).toMatchObject({
      code: "runtime_not_ready",
      details: { reason: "RUNTIME_NOT_READY" },
      retry: true,
    });
    const providers: unknown = await (await fetch(`${server.url}/v1/providers`)).json();
    expect(readField(providers, "providers", 0)).toMatchObject({ provider: "customer-data", ready: false });
  });
});

describe("who may ask", () => {
  test("with a token every request but the probes needs it", async () => {
    writeFileSync(join(desk.folder, "token"), "a-token-of-this-test\n", { mode: 0o600 });
    const server = await serve("--token-file=token");
    expect((await post(server, REQUEST)).status).toBe(401);
    expect((await post(server, REQUEST, { authorization: "Bearer a-token-of-this-tesT" })).status).toBe(401);
    expect((await fetch(`${server.url}/v1/traces`)).status).toBe(401);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect((await post(server, REQUEST, { authorization: "Bearer a-token-of-this-test" })).status).toBe(200);
  });

  test("without one other machines are not served, nor a page that calls this machine by another name", async () => {
    const flags = ["serve", `--build=${desk.build}`, BINDING, STORE, "--port=0", "--host=0.0.0.0"];
    expect(await desk.run(flags)).toMatchObject({ exitCode: 2, json: { error: { code: "missing_flag" } } });
    const { request } = await import("node:http");
    const server = await serve();
    const status = await new Promise((resolve, reject) => {
      const call = request(`${server.url}/v1/traces`, { headers: { host: "desk.example.org" } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      call.on("error", reject).end();
    });
    expect(status).toBe(401);
  });

  test("a port that is taken is said, and the command ends", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => {
      taken.listen(0, "127.0.0.1", resolve);
    });
    const address = taken.address();
    const port = typeof address === "object" ? (address?.port ?? 0) : 0;
    const refused = await desk.run(["serve", `--build=${desk.build}`, BINDING, STORE, `--port=${port}`]);
    taken.close();
    expect(refused).toMatchObject({ exitCode: 2, json: { error: { code: "invalid_value" } } });
  });
});

describe("signals", () => {
  test("SIGTERM lets the turn under way end, then the process, with its traces written; a SIGHUP then changes nothing", async () => {
    await desk.restartCrm(["--slow=ticket-history"]);
    const server = await serve();
    const turn = post(server, REQUEST);
    // The turn is under way once another request was served after it: its slow provider takes longer.
    await fetch(`${server.url}/healthz`);
    const draining = server.waitFor("draining");
    server.signal("SIGTERM");
    await draining;
    server.signal("SIGHUP");
    const answer = await turn;
    expect(answer.status).toBe(200);
    expect(readField(await answer.json(), "outcome")).toBe("DEGRADED");
    const { exitCode, stdout } = await server.ended;
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, traces: { stored: 1, lost: 0 } });
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
  });

  test("SIGHUP swaps build and binding at once; a pair that is refused leaves the old one serving", async () => {
    const server = await serve();
    const binding = readFileSync(join(desk.folder, "deployment", "context-binding.json"), "utf8");
    try {
      const before: unknown = await (await fetch(`${server.url}/v1/providers`)).json();
      editBinding(desk.folder, (text) => text.replace('"timeoutMs": 300', '"timeoutMs": 400'));
      const reloaded = server.waitFor("reloaded");
      server.signal("SIGHUP");
      const { binding: digest } = await reloaded;
      const after: unknown = await (await fetch(`${server.url}/v1/providers`)).json();
      expect(readField(after, "binding", "digest")).toBe(digest);
      expect(digest).not.toBe(readField(before, "binding", "digest"));

      editBinding(desk.folder, (text) => text.replace('"timeoutMs": 400', '"timeoutMs": 4'));
      const refused = server.waitFor("reload_refused");
      server.signal("SIGHUP");
      expect(await refused).toMatchObject({ code: "binding_invalid" });
      const kept: unknown = await (await fetch(`${server.url}/v1/providers`)).json();
      expect(readField(kept, "binding", "digest")).toBe(digest);
      expect(readField(kept, "last_reload", "refused")).toMatchObject({ code: "binding_invalid" });
      expect(readField(await (await post(server, REQUEST)).json(), "outcome")).toBe("READY");
    } finally {
      editBinding(desk.folder, () => binding);
    }
  });

  test("SIGHUP takes another deployment id and audit mode; each id's traces stay whole for its own binding", async () => {
    const server = await serve();
    const binding = readFileSync(join(desk.folder, "deployment", "context-binding.json"), "utf8");
    const listProblems = async (): Promise<readonly unknown[]> => {
      const chains = readField((await desk.run(["traces", "verify", STORE, BINDING])).json, "chains");
      return (chains as readonly object[]).map((chain) => readField(chain, "problem"));
    };
    try {
      await post(server, REQUEST);
      const reloaded = server.waitFor("reloaded");
      editBinding(desk.folder, () =>
        binding.replace('"support-desk-local"', '"another-desk"').replace("{", '{"audit": "required",'),
      );
      server.signal("SIGHUP");
      await reloaded;
      const after: unknown = await (await fetch(`${server.url}/v1/providers`)).json();
      expect(readField(after, "last_reload", "refused")).toBeNull();
      const answer: unknown = await (await post(server, REQUEST)).json();
      const trace: unknown = await (
        await fetch(`${server.url}/v1/traces/${String(readField(answer, "trace_id"))}`)
      ).json();
      expect(trace).toMatchObject({ deployment: "another-desk" });
      server.signal("SIGTERM");
      await server.ended;
      const found = await listProblems();
      expect(found.filter((problem) => problem === undefined)).toHaveLength(1);
      expect(new Set(found)).toEqual(new Set([undefined, "OTHER_DEPLOYMENT"]));
    } finally {
      editBinding(desk.folder, () => binding);
    }
    const problems = await listProblems();
    expect(problems.filter((problem) => problem === "OTHER_DEPLOYMENT")).toHaveLength(1);
    expect(new Set(problems)).toEqual(new Set([undefined, "OTHER_DEPLOYMENT"]));
  });

  test("SIGHUP takes the build that was made meanwhile, again and again", async () => {
    const server = await serve();
    const path = join(desk.folder, "project", "context.project.yaml");
    const project = readFileSync(path, "utf8");
    const serving = async (): Promise<unknown> =>
      readField(await (await fetch(`${server.url}/v1/providers`)).json(), "build");
    for (const count of [3, 4, 2]) {
      writeFileSync(path, project.replace("maxItems: 2", `maxItems: ${count}`));
      const built = (await desk.run(["build", "--project=project", "--output=builds"])).json;
      expect(await serving()).not.toBe(readField(built, "digest"));
      const reloaded = server.waitFor("reloaded");
      server.signal("SIGHUP");
      expect((await reloaded)["build"]).toBe(readField(built, "digest"));
      expect(await serving()).toBe(readField(built, "digest"));
    }
  });
});
