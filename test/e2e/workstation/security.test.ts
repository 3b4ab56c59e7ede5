import { chmodSync, writeFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createOwnerToken } from "../../support/create-owner-token.ts";
import { createWorkingGoal, type WorkingGoal } from "../../support/working-goal.ts";
import {
  readToken,
  startWorkstation,
  type HttpAnswer,
  type HttpRequest,
  type WorkstationServer,
} from "../../support/workstation-server.ts";

let goal: WorkingGoal;
let server: WorkstationServer;
let cookie: string;
beforeAll(async () => {
  goal = await createWorkingGoal(1);
  server = await startWorkstation(goal.world);
  cookie = await server.signIn();
});
afterAll(async () => {
  await server.stop();
  goal.world.remove();
});

const signInWith = (token: string, asked: HttpRequest = {}): Promise<HttpAnswer> =>
  server.ask("/api/session", { method: "POST", headers: { origin: server.url }, body: { token }, ...asked });

describe("the link", () => {
  test("leads to this machine alone, with 256 bits that no request carries by itself", () => {
    expect(server.link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}$/);
  });

  test("lets one browser in, once", async () => {
    const token = readToken(await server.nextLink());
    expect((await signInWith(token)).status).toBe(200);
    const again = await signInWith(token);
    expect(again).toMatchObject({
      status: 401,
      json: { error: { code: "unauthorised", details: { field: "token" } } },
    });
    expect(again.headers["set-cookie"]).toBeUndefined();
    expect((await signInWith("")).status).toBe(401);
  });

  test("lets nobody in once its five minutes are over, and nobody stays in who was away for twelve hours", async () => {
    for (const [aheadMs, isLetIn] of [
      [5 * 60_000 - 30_000, true],
      [5 * 60_000, false],
    ] as const) {
      const file = join(goal.world.directory, `ahead-${aheadMs}`);
      const own = await startAhead(file, aheadMs);
      const token = readToken(own.link);
      writeFileSync(file, "");
      const answer = await own.ask("/api/session", { method: "POST", headers: { origin: own.url }, body: { token } });
      expect(answer.status).toBe(isLetIn ? 200 : 401);
      if (!isLetIn) expect([readField(answer), answer.headers["set-cookie"]]).toEqual(["token", undefined]);
      await own.stop();
    }
    const file = join(goal.world.directory, "away");
    const own = await startAhead(file, 12 * 3_600_000);
    const headers = { cookie: await own.signIn() };
    expect((await own.ask("/api/session", { headers })).status).toBe(200);
    writeFileSync(file, "");
    expect((await own.ask("/api/session", { headers })).status).toBe(401);
    await own.stop();
  });

  test("gives a cookie that no script reads, no other site sends, and no other port takes for its own", async () => {
    const answer = await signInWith(readToken(await server.nextLink()));
    const [given = ""] = answer.headers["set-cookie"] ?? [];
    const [pair = "", ...attributes] = given.split("; ");
    expect(pair).toMatch(new RegExp(`^loopx_workstation_${server.port}=[\\w-]{43}$`));
    expect(attributes).toEqual(["Path=/", "HttpOnly", "SameSite=Strict"]);
    expect(answer.text).not.toContain(pair.split("=")[1]);
  });

  test("is asked for as a JSON object, and named in the refusal of anything else", async () => {
    for (const body of [{}, { token: 1 }, { token: "x", credential: 2 }]) {
      expect(await signInWith("", { body })).toMatchObject({
        status: 400,
        json: { error: { code: "invalid_value", details: { field: "token" } } },
      });
    }
    expect((await signInWith("", { body: "[]" })).status).toBe(400);
  });
});

describe("whoever is not let in", () => {
  test.each(["/api/session", "/api/events", "/api/anything"])("gets nothing of %s", async (path) => {
    for (const wrong of ["", `loopx_workstation_${server.port}=`, "loopx_workstation_1=x", `${cookie}x`]) {
      const answer = await server.ask(path, { headers: wrong === "" ? {} : { cookie: wrong } });
      expect(answer).toMatchObject({ status: 401, json: { error: { code: "unauthorised" } } });
    }
  });

  test("gets the page, which holds nothing", async () => {
    const page = await server.ask("/goals/importer-goal");
    expect(page.status).toBe(200);
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(page.text).not.toContain(goal.goalId);
  });
});

describe("a request that is not the page's own", () => {
  test.each([
    ["a name that was pointed at this machine", { host: "attacker.example" }],
    ["the same with our port", { host: "attacker.example:PORT" }],
    ["another port of ours", { host: "127.0.0.1:1" }],
    ["another address of this machine", { host: "127.0.0.2:PORT" }],
    ["a page of another site", { origin: "https://attacker.example" }],
    ["a page of another port", { origin: "http://127.0.0.1:1" }],
    ["a page without an origin", { origin: "null" }],
    ["a page of another site, as the browser says", { "sec-fetch-site": "cross-site" }],
    ["a page of the same site on another port, as the browser says", { "sec-fetch-site": "same-site" }],
    ["an opening of the API", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" }],
  ])("is refused, signed in or not: %s", async (_what, headers) => {
    const own = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace("PORT", String(server.port))]),
    );
    for (const method of ["GET", "POST"]) {
      const answer = await server.ask("/api/session", {
        method,
        headers: { origin: server.url, cookie, ...own },
        ...(method === "POST" ? { body: { token: "x" } } : {}),
      });
      expect(answer).toMatchObject({ status: 401, json: { error: { code: "unauthorised" } } });
      expect(Object.keys(headers)).toContain(readField(answer));
    }
    if ("host" in headers) expect((await server.ask("/", { headers: own })).status).toBe(401);
  });

  test("is refused where it changes something and says nothing of its origin", async () => {
    const token = readToken(await server.nextLink());
    const answer = await signInWith(token, { headers: { cookie } });
    expect(readField(answer)).toBe("origin");
    // The link is still good: it was not even looked at.
    expect((await signInWith(token)).status).toBe(200);
  });

  test("may open the page, which then asks for itself", async () => {
    const headers = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" };
    expect((await server.ask("/goals/importer-goal", { headers })).status).toBe(200);
    expect((await server.ask("/", { headers: { ...headers, "sec-fetch-mode": "no-cors" } })).status).toBe(401);
  });

  test("is no opening of the page where it is one of the API, however that is written", async () => {
    const headers = { cookie, "sec-fetch-site": "same-site", "sec-fetch-mode": "navigate" };
    for (const path of ["/api/session", "/%61pi/session", "/x/../api/session", "/%61pi/goals/importer-goal"]) {
      expect((await server.ask(path, { headers })).status, path).toBe(401);
    }
  });

  test("is one whose target names another host", async () => {
    const answer = await server.ask("/api/session", {
      target: "http://attacker.example/api/session",
      headers: { cookie },
    });
    expect([answer.status, readField(answer)]).toEqual([401, "host"]);
  });

  test("under the machine's own name is the page's own", async () => {
    const host = `localhost:${server.port}`;
    const headers = { host, origin: `http://${host}`, cookie };
    expect((await server.ask("/api/session", { headers })).status).toBe(200);
  });
});

describe("every answer", () => {
  test.each([
    ["the page", "/", 200],
    ["a script", "script", 200],
    ["an answer", "/api/session", 200],
    ["a missing file", "/assets/none.js", 404],
    ["a missing route", "/api/none", 404],
    ["a refusal", "/api/session", 401],
  ])("carries the policy: %s", async (_what, path, status) => {
    const script = /\/assets\/[\w.-]+\.js/.exec((await server.ask("/")).text)?.[0] ?? "";
    const answer = await server.ask(path === "script" ? script : path, { headers: status === 401 ? {} : { cookie } });
    expect(answer.status).toBe(status);
    const { "content-security-policy": policy = "", ...headers } = answer.headers;
    expect(String(policy).split("; ")).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "cache-control": path === "script" ? "private, max-age=31536000, immutable" : "no-store",
    });
    expect(headers["access-control-allow-origin"]).toBeUndefined();
  });

  test("is one of ours also where the method or the body makes no sense", async () => {
    const own = { origin: server.url, cookie };
    expect((await server.ask("/", { method: "POST", headers: own, body: {} })).status).toBe(404);
    const broken = await server.ask("/api/session", {
      method: "POST",
      headers: { ...own, "content-type": "application/json" },
      body: "{",
    });
    expect(broken).toMatchObject({ status: 400, json: { ok: false } });
    expect(broken.text).not.toMatch(/\bat \/|node:/);
  });

  test("names no file that a request asks for by a way around", async () => {
    for (const path of ["/assets/../../main.cjs", "/assets/%2e%2e/main.cjs", "/assets/..%2fmain.cjs", "/main.cjs"]) {
      expect((await server.ask(path)).text).not.toContain("use strict");
    }
  });
});

describe("an address that other machines reach", () => {
  test.each([
    [["--host=192.0.2.1"]],
    [["--host=192.0.2.1", "--allow-remote"]],
    [["--host=192.0.2.1", "--credential-file=credential"]],
  ])("is not served by %j alone", async (flags) => {
    const answer = await goal.world.run(["workstation", "--port=0", ...flags]);
    expect(answer).toMatchObject({ exitCode: 2, json: { error: { code: "missing_flag" } } });
  });

  test("is one that is named: all there are have no name to hold a request against", async () => {
    const file = writeCredential(0o600);
    for (const host of ["0.0.0.0", "::", "0", "::0"]) {
      const flags = [`--host=${host}`, "--allow-remote", `--credential-file=${file}`];
      const answer = await goal.world.run(["workstation", "--port=0", ...flags]);
      expect(answer.json).toMatchObject({ error: { code: "invalid_value", details: { field: "host" } } });
    }
  });

  test("wants a credential that others can't read", async () => {
    const flags = ["--host=192.0.2.1", "--allow-remote", `--credential-file=${writeCredential(0o644)}`];
    const answer = await goal.world.run(["workstation", "--port=0", ...flags]);
    expect(answer.json).toMatchObject({ error: { code: "secret_unavailable" } });
  });
});

const outward = Object.values(networkInterfaces())
  .flat()
  .find((address) => address !== undefined && address.family === "IPv4" && !address.internal)?.address;

test.skipIf(outward === undefined)(
  "so served, a link lets in who knows the credential, and is not used up by a wrong one",
  async () => {
    const host = outward ?? "";
    const flags = [`--host=${host}`, "--allow-remote", `--credential-file=${writeCredential(0o600)}`];
    const remote = await startWorkstation(goal.world, { flags });
    const token = readToken(remote.link);
    const signIn = (body: object): Promise<HttpAnswer> =>
      remote.ask("/api/session", { method: "POST", headers: { origin: remote.url }, body });
    expect(remote.url).toBe(`http://${host}:${remote.port}`);
    for (const credential of [undefined, "", "let-me-in-let-me-out"]) {
      const answer = await signIn({ token, ...(credential === undefined ? {} : { credential }) });
      expect({ status: answer.status, field: readField(answer) }).toEqual({ status: 401, field: "credential" });
    }
    expect((await signIn({ token, credential: "let-me-in-let-me-in" })).status).toBe(200);
    expect((await remote.ask("/", { headers: { host: `localhost:${remote.port}` } })).status).toBe(401);
    await remote.stop();
  },
);

describe("what is decided on the page", () => {
  test("is nothing, where an agent started the server, and the page says why", async () => {
    const agents = await startWorkstation(goal.world, { env: { CLAUDECODE: "1" } });
    const answer = await agents.ask("/api/session", { headers: { cookie: await agents.signIn() } });
    expect(answer.json).toMatchObject({ ok: true, may_decide: false });
    expect((answer.json as { why_not: string }).why_not).toMatch(/started by an agent of claude-code/);
    await agents.stop();
  });

  test("is an owner's, where one started it", async () => {
    const file = await createOwnerToken(goal.world);
    const owners = await startWorkstation(goal.world, { flags: [`--owner-token-file=${file}`] });
    const answer = await owners.ask("/api/session", { headers: { cookie: await owners.signIn() } });
    expect(answer.json).toMatchObject({ ok: true, may_decide: true, why_not: null });
    await owners.stop();
    const stolen = await goal.world.run(["workstation", `--owner-token-file=${file}`], { env: { CLAUDECODE: "1" } });
    expect(stolen.json).toMatchObject({ error: { code: "gate_needs_owner" } });
  });
});

function readField(answer: HttpAnswer): unknown {
  return (answer.json as { error?: { details?: { field?: string } } }).error?.details?.field;
}

function writeCredential(mode: number): string {
  const file = join(goal.world.directory, `credential-${mode}`);
  writeFileSync(file, "let-me-in-let-me-in", { mode });
  chmodSync(file, mode);
  return file;
}

/** A server whose clock goes ahead once the file is there. */
function startAhead(file: string, aheadMs: number): Promise<WorkstationServer> {
  const clock = fileURLToPath(new URL("../../support/fixtures/clock-ahead.cjs", import.meta.url));
  const env = { NODE_OPTIONS: `--require=${clock}`, CLOCK_AHEAD_FILE: file, CLOCK_AHEAD_MS: String(aheadMs) };
  return startWorkstation(goal.world, { env });
}
