import { randomUUID } from "node:crypto";
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import { startContextServerIn, type ContextServer } from "../support/context-server.ts";
import { readField, readText } from "../support/read-field.ts";
import { BINDING, createSupportDesk, editBinding } from "../support/support-desk.ts";
import { startTurnLoad, type LoadedTurn } from "../support/turn-load.ts";

const provided = inject("postgres");
const REQUEST = {
  objective: "answer-ticket",
  consumer: "support-agent",
  inputs: { customerId: "CUST-1042", orderId: "ORD-20001" },
};

describe.skipIf(!("url" in provided))("replicas of context serve on one store", async () => {
  const server = new URL("url" in provided ? provided.url : "postgresql://nobody:none@127.0.0.1:1/none");
  const desk = await createSupportDesk();
  let store: readonly string[] = [];
  let replicas: ContextServer[] = [];

  beforeAll(() => {
    writeFileSync(join(desk.folder, "deployment", "db.password"), server.password, { mode: 0o600 });
    editBinding(desk.folder, (text) =>
      text.replaceAll(/"timeoutMs": \d+/g, '"timeoutMs": 9000').replace('"keyset"', '"audit": "required", "keyset"'),
    );
  });
  afterEach(async () => {
    for (const replica of replicas) {
      replica.signal("SIGTERM");
      await replica.ended;
    }
  });
  afterAll(() => desk.remove());

  const startReplicas = async (count: number): Promise<void> => {
    const plain = new URL(server);
    plain.password = "";
    plain.searchParams.set("schema", `traces_${randomUUID().replaceAll("-", "")}`);
    store = [`--store=${plain.href}`, "--store-password=file:deployment/db.password", BINDING];
    const flags = [`--build=${desk.build}`, ...store];
    // At once, on a store that isn't there: one of them makes it.
    replicas = await Promise.all(Array.from({ length: count }, () => startContextServerIn(desk, flags)));
  };
  const listUrls = (): readonly string[] => replicas.map(({ url }) => url);

  /** Each turn that was answered is in the store, whoever is asked, and every chain is whole. */
  const expectKept = async (turns: readonly LoadedTurn[]): Promise<void> => {
    const [first] = replicas;
    for (const { traceId } of turns) {
      const found = await fetch(`${first?.url}/v1/traces/${traceId}`);
      expect([traceId, found.status]).toEqual([traceId, 200]);
    }
    const verified = await desk.run(["traces", "verify", ...store]);
    expect(verified).toMatchObject({ exitCode: 0, json: { ok: true } });
    const chains = readField(verified.json, "chains") as readonly { readonly count: number }[];
    expect(chains.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThanOrEqual(turns.length);
  };

  test("take a new build and binding one after another under load, and no turn fails", async () => {
    await startReplicas(3);
    const load = startTurnLoad(listUrls, REQUEST);
    await load.more(60);
    appendFileSync(join(desk.folder, "project", "layers", "house-rules.md"), "- Be brief.\n");
    await desk.run(["build", "--project=project", "--output=builds"]);
    editBinding(desk.folder, (text) =>
      text.replace('"id": "support-desk-local"', '"id": "support-desk-local", "revision": "r2"'),
    );
    for (const replica of replicas) {
      const reloaded = replica.waitFor("reloaded");
      replica.signal("SIGHUP");
      await reloaded;
      await load.more(30);
    }
    await load.stop();
    expect(load.brokenCount).toBe(0);
    expect(new Set(load.turns.map(({ status, outcome }) => `${status} ${outcome}`))).toEqual(new Set(["200 READY"]));
    expect(new Set(load.turns.map(({ url }) => url)).size).toBe(3);
    await expectKept(load.turns);
    const [first] = replicas;
    const digests = new Set<string>();
    for (const { traceId } of [load.turns[0], load.turns.at(-1)].filter((turn) => turn !== undefined)) {
      const trace: unknown = await (await fetch(`${first?.url}/v1/traces/${traceId}`)).json();
      digests.add(`${readText(trace, "buildDigest")} ${String(readField(trace, "providers", 0, "bindingRevision"))}`);
    }
    expect(digests.size).toBe(2);
  });

  test("lose no trace of a turn that was answered when one of them is killed, and go on", async () => {
    await startReplicas(3);
    const load = startTurnLoad(listUrls, REQUEST);
    await load.more(60);
    const [killed] = replicas.splice(2);
    const underWay = load.more(1);
    killed?.signal("SIGKILL");
    await killed?.ended;
    await underWay;
    await load.more(60);
    await load.stop();
    expect(new Set(load.turns.map(({ status, outcome }) => `${status} ${outcome}`))).toEqual(new Set(["200 READY"]));
    const ofKilled = load.turns.filter(({ url }) => url === killed?.url);
    expect(ofKilled.length).toBeGreaterThan(0);
    // Only what it had under way broke, once for each caller at most.
    expect(load.brokenCount).toBeLessThanOrEqual(4);
    await expectKept(load.turns);
  });
});
