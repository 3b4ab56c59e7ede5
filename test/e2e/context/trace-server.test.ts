import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { startContextServerIn, type ContextServer } from "../../support/context-server.ts";
import { startPostgresProxy } from "../../support/postgres-proxy.ts";
import { readField, readText } from "../../support/read-field.ts";
import { BINDING, createSupportDesk, editBinding } from "../../support/support-desk.ts";

const provided = inject("postgres");
const server = new URL("url" in provided ? provided.url : "postgresql://nobody:none@127.0.0.1:1/none");
const { password } = server;

/** The flag that names a schema of the server, without its password. */
function storeAt(url: URL, schema?: string): string {
  const plain = new URL(url);
  plain.password = "";
  if (schema !== undefined) plain.searchParams.set("schema", schema);
  return `--store=${plain.href}`;
}

const refusedFor = (field: string) => ({
  exitCode: 2,
  json: { error: { code: "invalid_value", details: { field } } },
});

const newSchema = (): string => `traces_${randomUUID().replaceAll("-", "")}`;

const TURN = ["--objective=answer-ticket", "--consumer=support-agent"];
const INPUTS = ["--input=customerId=CUST-1042", "--input=orderId=ORD-20001"];
const REQUEST = {
  objective: "answer-ticket",
  consumer: "support-agent",
  inputs: { customerId: "CUST-1042", orderId: "ORD-20001" },
};

const post = (running: ContextServer): Promise<Response> =>
  fetch(`${running.url}/v1/turns`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(REQUEST),
  });

describe.skipIf(!("url" in provided))("traces on a server", async () => {
  const desk = await createSupportDesk();
  const PASSWORD = "--store-password=file:deployment/db.password";
  beforeAll(() => {
    writeFileSync(join(desk.folder, "deployment", "db.password"), password, { mode: 0o600 });
    editBinding(desk.folder, (text) =>
      text
        .replaceAll(/"type": /g, '"retention": "content", "type": ')
        .replace('"keyset"', '"audit": "required", "keyset"'),
    );
  });
  afterAll(() => desk.remove());

  const serve = async (url: URL, schema: string): Promise<ContextServer> => {
    const flags = [`--build=${desk.build}`, BINDING, storeAt(url, schema), PASSWORD];
    const running = await startContextServerIn(desk, flags);
    onTestFinished(async () => {
      running.signal("SIGTERM");
      await running.ended;
    });
    return running;
  };

  test("a turn is kept, found, shown, reproduced, counted, purged and verified there, and no file is made", async () => {
    const store = [storeAt(server, newSchema()), PASSWORD, BINDING];
    const call = async (...words: readonly string[]): Promise<unknown> => {
      const { exitCode, json, stdout, stderr } = await desk.run([...words, ...store]);
      expect([words, exitCode, readField(json, "error")]).toEqual([words, 0, undefined]);
      expect(stdout + stderr).not.toContain(password);
      return json;
    };
    const turn = await call("turn", `--build=${desk.build}`, ...TURN, ...INPUTS);
    expect(turn).toMatchObject({ outcome: "READY", traced: true });
    const traceId = readText(turn, "trace_id");
    const found = await call("traces", "list", "--provider=customer-data", "--input=customerId=CUST-1042");
    expect(found).toMatchObject({ traces: [{ trace_id: traceId }] });
    expect(await call("traces", "show", `--trace-id=${traceId}`)).toMatchObject({ trace: { id: traceId } });
    expect(await call("reproduce", traceId, "--builds=builds")).toMatchObject({ result: "EXACT" });
    expect(await call("keys", "list")).toMatchObject({ keys: [{ traces: 1, contents: 3 }] });
    expect(await call("traces", "purge", "--provider=customer-data", "--execute")).toMatchObject({ contents: 1 });
    expect(await call("traces", "verify")).toMatchObject({ chains: [{ ok: true, count: 1 }] });
    const aged = await call("traces", "prune", `--before=${new Date().toISOString()}`);
    expect(aged).toMatchObject({ traces: 1, pruned: false, left: [] });
    expect(await call("traces", "prune", "--older-than=90d", "--execute")).toMatchObject({ traces: 0, pruned: true });
    const again = await desk.run(["reproduce", traceId, "--builds=builds", ...store]);
    expect(again.json).toMatchObject({ reason: "content_purged" });
  });

  test("what a command prints next goes on with the same server", async () => {
    const store = [storeAt(server, newSchema()), PASSWORD, BINDING];
    for (const _ of [1, 2]) await desk.run(["turn", `--build=${desk.build}`, ...TURN, ...INPUTS, ...store]);
    const { json } = await desk.run(["traces", "list", "--limit=1", ...store]);
    const next = readText(json, "next", 0);
    expect(next).toContain("--store-password=file:deployment/db.password");
    expect(next).not.toContain(password);
  });

  test.each([
    ["a URL with a password", () => [`--store=${server.href}`], "credential_refused"],
    ["a password that is written out", () => [storeAt(server), "--store-password=hunter2"], "invalid_value"],
    ["a reference to nothing", () => [storeAt(server), "--store-password=env:NOT_SET"], "secret_unavailable"],
    ["no password", () => [storeAt(server)], "store_access_denied"],
    ["a schema that is not there", () => [storeAt(server, newSchema()), PASSWORD], "store_missing"],
    ["a schema's name that is none", () => [storeAt(server, "a b"), PASSWORD], "invalid_value"],
    ["an unknown parameter", () => [`${storeAt(server, "a")}&sslmod=require`, PASSWORD], "invalid_value"],
    ["a folder with a password", () => ["--store=traces", PASSWORD], "invalid_value"],
    ["a server that is away", () => ["--store=postgresql://loopx@127.0.0.1:1/x", PASSWORD], "store_unreachable"],
  ])("%s is refused, with what to do next", async (_what, flags, code) => {
    const { exitCode, json, stdout } = await desk.run(["traces", "list", BINDING, ...flags()]);
    expect([exitCode === 0, readField(json, "error", "code")]).toEqual([false, code]);
    expect(JSON.stringify(readField(json, "error", "hint") ?? "")).not.toMatch(/store\.url|doctor|loopx status/);
    expect(stdout).not.toContain(password);
    expect(stdout).not.toContain("hunter2");
  });

  test("where traces can be in a folder only, a server is refused", async () => {
    const attached = await desk.run(["attach", "--goal-id=g", BINDING, ...TURN, storeAt(server)]);
    expect(attached).toMatchObject(refusedFor("store"));
    const shown = await desk.world.run(["workstation", "--port=0", "--traces=postgresql://x@h/d"]);
    expect(shown).toMatchObject(refusedFor("traces"));
  });

  test("turns of a server fail while the traces' server is away, and go on when it is back", async () => {
    const proxy = await startPostgresProxy(server.href);
    onTestFinished(() => proxy.close());
    const running = await serve(new URL(proxy.url), newSchema());
    expect((await post(running)).status).toBe(200);
    proxy.cut();
    const failed = await post(running);
    expect([failed.status, readField(await failed.json(), "error", "code")]).toEqual([503, "store_unreachable"]);
    const search = await fetch(`${running.url}/v1/traces`);
    expect([search.status, readField(await search.json(), "error", "code")]).toEqual([503, "store_unreachable"]);
    proxy.mend();
    await expect.poll(async () => (await post(running)).status).toBe(200);
    await expect.poll(async () => (await fetch(`${running.url}/v1/traces`)).status).toBe(200);
    const providers: unknown = await (await fetch(`${running.url}/v1/providers`)).json();
    expect(readField(providers, "traces")).toMatchObject({ lastLossCode: "store_unreachable" });
  });
});
