import { spawn, type ChildProcess } from "node:child_process";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { createWorld, type RunOptions } from "../../support/cli-world.ts";
import { readField } from "../../support/read-field.ts";
import type { ProgramResult } from "../../support/run-program.ts";

const EXAMPLES = join(import.meta.dirname, "..", "..", "..", "examples", "context-providers");
const TOKEN = "token-of-this-test";
const world = createWorld();
afterAll(() => world.remove());

const ASKED = ["--provider=customer-data", "--value=CUST-1042", "--missing-value=CUST-0000"];
const check = (args: readonly string[], options?: RunOptions): Promise<ProgramResult> =>
  world.run(["context", "provider", "check", ...args], { env: { PROVIDER_TOKEN: TOKEN }, ...options });

async function start(program: string, args: readonly string[]): Promise<string> {
  const child: ChildProcess = spawn(program, args, {
    env: { PATH: process.env["PATH"], PROVIDER_TOKEN: TOKEN },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return new Promise((resolve, reject) => {
    child.stdout?.once("data", (line: Buffer) => resolve(line.toString().trim()));
    child.once("exit", (code) => reject(new Error(`the provider ended with ${code}`)));
  });
}

async function startTypeScript(): Promise<string> {
  const outfile = join(world.directory, "provider.mjs");
  const entryPoints = [join(EXAMPLES, "typescript", "provider.ts")];
  await build({ entryPoints, outfile, bundle: true, platform: "node", format: "esm", conditions: ["@loopx/source"] });
  return start(process.execPath, [outfile, "0"]);
}

const startPython = (): Promise<string> => start("python3", [join(EXAMPLES, "python", "provider.py"), "0"]);

/** A provider that is right but for what the listener does otherwise. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/context`;
}

async function answerAlike(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const asked: unknown = JSON.parse(Buffer.concat(await request.toArray()).toString());
  const contract = "context-provider.v1";
  const answer = { contract, capabilities: ["lookup"], provider: { name: "One", version: "1" } };
  const found = { contract, items: [{ id: "a", content: "Enterprise" }] };
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(readField(asked, "capability") === "describe" ? answer : found));
}

function stateOf({ json }: ProgramResult, name: string): unknown {
  const checks = readField(json, "checks");
  if (!Array.isArray(checks)) throw new Error(JSON.stringify(json));
  return checks.map((each): unknown => each).find((each) => readField(each, "name") === name);
}

describe("a provider is held against its contract", () => {
  test.each([
    ["TypeScript", startTypeScript],
    ["Python", startPython],
  ])("the example in %s keeps it", async (_language, startProvider) => {
    const url = await startProvider();
    const report = await check([url, ...ASKED, "--secret=env:PROVIDER_TOKEN"]);
    expect(report).toMatchObject({
      exitCode: 0,
      json: { ok: true, version: "1.0.0", failed_count: 0, skipped_count: 0, passed_count: 10 },
    });
    expect(report.stdout).not.toMatch(/CUST-|Enterprise|token-of/);
  });

  test("a broken one is told each fault and what mends it, with exit code 1", async () => {
    const url = await serve((request, response) => {
      request.resume().on("end", () => {
        const item = { id: "a", content: "x", price: 3 };
        response.setHeader("content-type", "application/json");
        response.end(
          JSON.stringify({ contract: "context-provider.v1", capabilities: ["lookup"], items: [item, item] }),
        );
      });
    });
    const report = await check([url, ...ASKED, "--secret=env:PROVIDER_TOKEN"]);
    expect(report).toMatchObject({ exitCode: 1, json: { ok: false } });
    expect(stateOf(report, "describe")).toMatchObject({
      state: "failed",
      found: "INVALID_RESPONSE (UNKNOWN_FIELD at /items)",
    });
    expect(stateOf(report, "found")).toMatchObject({ state: "failed", remedy: expect.stringMatching(/contract|x-/) });
    for (const name of ["bad key", "wrong contract"]) expect(stateOf(report, name)).toMatchObject({ state: "failed" });
    expect(stateOf(report, "auth")).toMatchObject({
      state: "failed",
      remedy: "answer 401 or 403 before anything else",
    });
  });

  test("one that answers whatever it is asked with the same records is told so", async () => {
    const url = await serve((request, response) => void answerAlike(request, response));
    const report = await check([url, ...ASKED]);
    expect(stateOf(report, "not found")).toMatchObject({
      state: "failed",
      found: "answers two values with the same records",
      remedy: "look up by the value asked for, and answer 404 where there is no record",
    });
  });

  test("one that redirects, or isn't there, is told so", async () => {
    const url = await serve((_request, response) => response.writeHead(308, { location: "/context/" }).end());
    const redirected = await check([url, ...ASKED]);
    expect(stateOf(redirected, "redirects")).toMatchObject({ state: "failed" });
    expect(stateOf(redirected, "auth")).toMatchObject({ state: "skipped" });
    const gone = await check(["http://127.0.0.1:9/context".replace(":9/", ":19999/"), ...ASKED]);
    expect(gone).toMatchObject({ exitCode: 1 });
    expect(stateOf(gone, "describe")).toMatchObject({ found: expect.stringContaining("UNAVAILABLE") });
  });

  test("of one that can't be asked nothing is said but that", async () => {
    const gone = await check(["http://127.0.0.1:19999/context", ...ASKED, "--secret=env:PROVIDER_TOKEN"]);
    expect(gone).toMatchObject({ exitCode: 1, json: { passed_count: 0, failed_count: 1, skipped_count: 9 } });
    const closed = await serve((request, response) => {
      request.resume().on("end", () => response.writeHead(401, { "content-type": "application/json" }).end("{}"));
    });
    const withoutToken = await check([closed, ...ASKED]);
    expect(withoutToken).toMatchObject({ json: { passed_count: 0, failed_count: 1, skipped_count: 9 } });
    expect(stateOf(withoutToken, "describe")).toMatchObject({ remedy: expect.stringContaining("--secret=env:NAME") });
  });

  test("one that a binding has is named by the binding's name alone", async () => {
    await world.run(["context", "init", "--output=desk", "--id=desk"]);
    const sqlite = await check(["desk", "--provider=order-data", "--value=ORD-20001"]);
    expect(sqlite).toMatchObject({ json: { error: { message: "a SQLite provider has no program to check" } } });
    const both = await check(["desk", "--binding=desk", ...ASKED]);
    expect(both).toMatchObject({ exitCode: 2, json: { error: { code: "usage" } } });
    const noScheme = await check(["127.0.0.1:8787/context", ...ASKED]);
    expect(noScheme).toMatchObject({ exitCode: 2, json: { error: { details: { field: "url" } } } });
  });

  test("what is no provider is refused before anything is sent", async () => {
    expect(await check(["http://example.org/context", ...ASKED])).toMatchObject({ exitCode: 2 });
    expect(await check(["http://127.0.0.1:8787/context", "--provider=a"])).toMatchObject({
      json: { error: { code: "missing_flag" } },
    });
    expect(await check(["--binding=none"])).toMatchObject({ json: { error: { code: "missing_flag" } } });
    const secret = await check(["http://127.0.0.1:8787/context", ...ASKED, "--secret=hunter2-hunter2"]);
    expect(secret).toMatchObject({ json: { error: { code: "invalid_value" } } });
    expect(secret.stdout).not.toContain("hunter2");
  });
});
