import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { afterEach, beforeEach, describe, expect, inject, onTestFinished, test } from "vitest";
import { damagePages } from "../../../packages/loopx/test/recovery/damage-pages.ts";
import type { World } from "../../support/cli-world.ts";
import { createOwnerToken } from "../../support/create-owner-token.ts";
import { findContradictions, loadProjectState } from "../../support/project-state.ts";
import { readField } from "../../support/read-field.ts";
import { BINDING, createSupportDesk, STORE } from "../../support/support-desk.ts";
import { addTodo, createWorkingGoal, type WorkingGoal } from "../../support/working-goal.ts";
import { ask, askAsOwner, codeOf, connectProject, createMachine, readAsOwner } from "./machine.ts";

interface Check {
  readonly name: string;
  readonly state: string;
  readonly found: string;
  readonly remedy?: string;
  readonly alternative?: string;
}

function findCheck(json: unknown, name: string): Check {
  const checks = readField(json, "checks") as readonly Check[];
  const check = checks.find((one) => one.name === name);
  if (check === undefined) throw new Error(`no check ${name} in ${JSON.stringify(json)}`);
  return check;
}

/** Damages the page that holds the last todo's row, as a disk does that lost a sector. */
function loseTodos(world: World): Buffer {
  const path = join(world.project, ".loopx", "state.db");
  const bytes = readFileSync(path);
  const at = bytes.indexOf("agentadvancement_taskopenParse quoted fields");
  expect(at).toBeGreaterThan(0);
  bytes.fill(0, at - (at % 4096), at - (at % 4096) + 4096);
  writeFileSync(path, bytes);
  return bytes;
}

function removeBackups(world: World): void {
  rmSync(join(world.loopxHome, "backups"), { recursive: true });
}

describe("a damaged page of a project's store", () => {
  test("is named by doctor --deep, with both ways out where there is a backup", async () => {
    const world = createMachine();
    await connectProject(world);
    loseTodos(world);
    const answer = await ask(world, ["doctor", "--deep"]);
    expect(answer).toMatchObject({ exitCode: 1, json: { ok: false } });
    const check = findCheck(answer.json, "project in depth");
    expect(check).toMatchObject({ state: "failed", remedy: "loopx restore --execute", alternative: "loopx recover" });
    expect(check.found).toMatch(/^damaged: \S/);
    expect(
      await ask(world, ["restore", "--execute", `--owner-token-file=${await createOwnerToken(world)}`]),
    ).toMatchObject({ exitCode: 0 });
    expect(await ask(world, ["doctor", "--deep"])).toMatchObject({ exitCode: 0, json: { ok: true } });
  });

  test("costs nothing that the events tell: recover makes the rows again", async () => {
    const world = createMachine();
    await connectProject(world);
    removeBackups(world);
    const damaged = loseTodos(world);
    expect(findCheck((await ask(world, ["doctor", "--deep"])).json, "project in depth").remedy).toBe("loopx recover");

    const shown = await ask(world, ["recover"]);
    expect(shown).toMatchObject({
      exitCode: 0,
      json: { written: false, lost_pages: 1, rebuilt_rows: 1, lost_events: 0, next: ["loopx recover --execute"] },
    });
    expect(readdirSync(join(world.project, ".loopx")).toSorted()).toEqual([".gitignore", "state.db"]);
    expect(readFileSync(join(world.project, ".loopx", "state.db")).equals(damaged)).toBe(true);

    expect(codeOf(await ask(world, ["recover", "--execute"]))).toBe("gate_needs_owner");
    const done = await askAsOwner(world, ["recover", "--execute"]);
    expect(done).toMatchObject({ exitCode: 0, json: { written: true, rebuilt_rows: 1 } });
    const kept = String(readField(done.json, "damaged_store"));
    expect(readFileSync(join(world.project, kept)).equals(damaged)).toBe(true);
    expect(await ask(world, ["doctor", "--deep"])).toMatchObject({ exitCode: 0, json: { ok: true } });
    expect(findContradictions(await loadProjectState(world))).toEqual([]);
    expect(await ask(world, ["todo", "list"])).toMatchObject({ json: { todos: [{ text: "Parse quoted fields" }] } });
  });

  test("recover says in words what is carried and where the damaged store is", async () => {
    const world = createMachine();
    await connectProject(world);
    loseTodos(world);
    const said = await readAsOwner(world, ["recover", "--execute"]);
    expect(said).toContain("1 row from events");
    expect(said).toMatch(/the damaged store is kept beside it: \.loopx\/state\.db\.damaged-\d{14}/);
    expect(said).toContain("loopx doctor --deep");
  });

  test("recover refuses what is no file of ours, and leaves it as it is", async () => {
    const world = createMachine();
    await connectProject(world);
    const path = join(world.project, ".loopx", "state.db");
    writeFileSync(path, Buffer.alloc(16_384, 7));
    expect(codeOf(await askAsOwner(world, ["recover", "--execute"]))).toBe("store_corrupt");
    expect(readFileSync(path).equals(Buffer.alloc(16_384, 7))).toBe(true);
    expect(readdirSync(join(world.project, ".loopx")).toSorted()).toEqual([".gitignore", "state.db"]);
  });

  test("--store without --deep is refused, since it would look at nothing", async () => {
    const world = createMachine();
    expect(codeOf(await ask(world, ["doctor", "--store=traces"]))).toBe("missing_flag");
  });
});

describe("a damaged page of the home's store", () => {
  test("is named by doctor --deep, and recover --home carries the rest", async () => {
    const world = createMachine();
    await connectProject(world);
    const path = join(world.loopxHome, "home.db");
    const bytes = readFileSync(path);
    const at = bytes.lastIndexOf("codex-main");
    bytes.fill(0xff, at - (at % 4096), at - (at % 4096) + 200);
    writeFileSync(path, bytes);
    const answer = await ask(world, ["doctor", "--deep"]);
    expect(findCheck(answer.json, "home in depth")).toMatchObject({ state: "failed", remedy: "loopx recover --home" });
    expect(await askAsOwner(world, ["recover", "--home", "--execute"])).toMatchObject({ exitCode: 0 });
    expect(await askAsOwner(world, ["connect", "--project=."])).toMatchObject({ exitCode: 0 });
    expect(await ask(world, ["doctor", "--deep"])).toMatchObject({ exitCode: 0, json: { ok: true } });
  });
});

describe("a damaged page of a trace store", () => {
  test("is named by doctor --deep --store, and recover --store carries the rest", async () => {
    const desk = await createSupportDesk();
    onTestFinished(() => desk.remove());
    for (let turn = 0; turn < 12; turn += 1) expect(await desk.turn()).toMatchObject({ exitCode: 0 });
    const look = () => desk.world.run(["doctor", "--deep", STORE], { cwd: desk.folder });
    expect(findCheck((await look()).json, "trace store in depth")).toMatchObject({ state: "ok" });

    const path = join(desk.folder, "traces", "traces.db");
    const whole = readFileSync(path);
    const isTold: boolean[] = [];
    for (const seed of [1, 2, 3, 4, 5]) {
      for (const suffix of ["-wal", "-shm"]) rmSync(path + suffix, { force: true });
      const { bytes, how } = damagePages(whole, seed);
      writeFileSync(path, bytes);
      const check = findCheck((await look()).json, "trace store in depth");
      if (check.state === "failed") expect(check.remedy, how).toBe(`loopx recover ${STORE}`);
      const verified = await desk.run(["traces", "verify", BINDING, STORE]);
      // What only the keys can tell, they tell: nothing is called whole that is not.
      if (check.state === "ok" && verified.exitCode === 0)
        expect((await desk.run(["traces", "list", BINDING, STORE])).exitCode, how).toBe(0);
      isTold.push(check.state === "failed" || verified.exitCode !== 0);
      const recovered = await askAsOwner(desk.world, ["recover", STORE, "--execute"], { cwd: desk.folder });
      expect([0, 5], how).toContain(recovered.exitCode);
      if (recovered.exitCode !== 0) continue;
      expect((await desk.run(["traces", "list", BINDING, STORE])).exitCode, how).toBe(0);
      expect(Number(readField(recovered.json, "carried_rows")), how).toBeGreaterThan(0);
    }
    expect(isTold.filter(Boolean).length).toBeGreaterThan(2);
  });
});

const server = inject("postgres");

describe.skipIf(!("url" in server))("doctor --deep of a project whose state a server keeps", () => {
  const url = "url" in server ? server.url : "";
  let goal: WorkingGoal;
  beforeEach(async () => {
    process.env["TESTED_STORE_URL"] = url;
    goal = await createWorkingGoal(1);
  });
  afterEach(() => {
    delete process.env["TESTED_STORE_URL"];
    goal.world.remove();
  });

  test("holds rows against their events, and indexes against their tables where the server can", async () => {
    const { world } = goal;
    const sound = await world.run(["doctor", "--deep"]);
    expect(findCheck(sound.json, "project in depth")).toMatchObject({
      state: "ok",
      found: expect.stringContaining("the server has no amcheck"),
    });
    const schema = String(
      readField(JSON.parse(readFileSync(join(world.project, ".loopx", "store.json"), "utf8")), "schema"),
    );
    const client = new Client({ connectionString: url });
    await client.connect();
    onTestFinished(() => client.end());
    await client.query("CREATE EXTENSION amcheck");
    onTestFinished(() => client.query("DROP EXTENSION IF EXISTS amcheck").then(() => undefined));
    const checked = await world.run(["doctor", "--deep"]);
    expect(findCheck(checked.json, "project in depth")).toMatchObject({
      state: "ok",
      found: expect.stringContaining("every index is sound"),
    });
    await addTodo(goal, "Write the parser");
    await client.query(`UPDATE ${schema}.goals SET objective = 'another'`);
    await client.query(`DELETE FROM ${schema}.events WHERE seq = 2`);
    const damaged = findCheck((await world.run(["doctor", "--deep"])).json, "project in depth");
    expect(damaged).toMatchObject({ state: "failed", remedy: expect.stringContaining("restore") });
    expect(damaged.found).toContain("goals: 1 rows that differ from their newest event");
    expect(damaged.found).toContain("events: 1 event numbers with a gap");
    await client.query("DROP EXTENSION amcheck");
  });
});
