import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { toCanonicalJson } from "@loopx/contracts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRandom, damagePages } from "./damage-pages.ts";
import { codeOf, createInProcessWorld, idOf, type Answer, type InProcessWorld } from "../in-process-world.ts";

const GOAL = "--goal-id=project-goal";
const SEEDS = Array.from({ length: 60 }, (_, index) => index + 1);

type Row = Readonly<Record<string, unknown>>;

let world: InProcessWorld;
let whole: Buffer;
let wholeHome: Buffer;
let before: readonly string[];
let history: ReadonlySet<string>;

const storePath = (): string => join(world.directory, "project", ".loopx", "state.db");
const homePath = (): string => join(world.directory, "home", "home.db");

beforeAll(async () => {
  world = createInProcessWorld();
  const { must } = world;
  await must(["bootstrap", "--objective=Make it work", GOAL]);
  for (const lane of ["a1", "a2"]) await must(["register-agent", GOAL, `--agent-id=${lane}`, "--execute"]);
  await must(["bind-agent-thread", GOAL, "--agent-id=a1", "--thread-id=t1", "--host-surface=codex-app", "--execute"]);
  await must(["config", "set", "--key=lease.ttl", "--value=30m"]);
  const gate = [
    "--role=user",
    "--task-class=user_gate",
    "--gate-kind=decision",
    "--text=May it ship?",
    "--blocks=goal",
  ];
  const first = idOf(await must(["todo", "add", GOAL, "--role=agent", "--text=Write the first part"]), "todo");
  for (let index = 0; index < 60; index += 1) {
    const long = index % 10 === 0 ? ` ${"and then some more ".repeat(150)}` : "";
    await must(["todo", "add", GOAL, "--role=agent", `--text=Write part ${index}${long}`, `--depends-on=${first}`]);
  }
  for (let turns = 0; turns < 4; turns += 1) {
    const opened = await must(["quota", "should-run", GOAL, "--agent-id=a1"], "agent");
    const turn = [GOAL, "--agent-id=a1", `--turn=${idOf(opened, "turn")}`, `--todo-id=${idOf(opened, "todo")}`];
    await must(["refresh-state", ...turn, "--outcome=progress", "--evidence=12 tests pass"], "agent");
    await must(["todo", "complete", ...turn, "--evidence=Done", "--no-follow-up"], "agent");
    await must(["quota", "spend", ...turn], "agent");
  }
  await must(["quota", "should-run", GOAL, "--agent-id=a2"], "agent");
  await must(["todo", "add", GOAL, ...gate]);
  whole = readFileSync(storePath());
  wholeHome = readFileSync(homePath());
  before = await exportLines();
  history = new Set(before.map(readRow).filter(isEvent).map(toImage));
  cpSync(join(world.directory, "home"), join(world.directory, "home-kept"), { recursive: true });
});

afterAll(() => world.remove());

async function exportLines(): Promise<readonly string[]> {
  const answer = (await world.must(["export"])) as Answer & { readonly lines: readonly string[] };
  return answer.lines.slice(1, -1);
}

function readRow(line: string): { readonly table: string; readonly row: Row } {
  return JSON.parse(line) as { readonly table: string; readonly row: Row };
}

function isEvent({ table }: { readonly table: string }): boolean {
  return table === "events";
}

/** An image with what names it; leases are no part of it. */
function toImage({ row }: { readonly row: Row }): string {
  const { claim_expires_at: _, ...image } = JSON.parse(String(row["image"])) as Row;
  return toCanonicalJson({ entity: row["entity"], image });
}

/** What is stored twice, so that it can be held against itself: all but the text of events that a later one of their entity follows. */
function toTwiceStored(lines: readonly string[]): readonly string[] {
  const rows = lines.map(readRow);
  return rows.map(({ table, row }) => {
    if (table !== "events") return JSON.stringify({ table, row });
    return JSON.stringify([row["goal_id"], row["seq"], row["type"], row["entity"], row["entity_id"]]);
  });
}

function putBack(): void {
  for (const name of readdirSync(join(storePath(), ".."))) {
    if (name.startsWith("state.db")) rmSync(join(storePath(), "..", name));
  }
  writeFileSync(storePath(), whole, { mode: 0o600 });
  for (const name of ["home.db", "registry.global.json"]) {
    cpSync(join(world.directory, "home-kept", name), join(world.directory, "home", name));
  }
}

interface Check {
  readonly name: string;
  readonly state: string;
  readonly remedy?: string;
  readonly found: string;
}

async function diagnose(): Promise<readonly Check[]> {
  const answer = (await world.run(["doctor", "--deep"], "owner")) as unknown as { readonly checks: readonly Check[] };
  return answer.checks;
}

function listFailed(checks: readonly Check[]): readonly Check[] {
  return checks.filter(({ state }) => state === "failed");
}

describe("a store with damaged pages", () => {
  test.each(SEEDS)("is told by doctor --deep, or says what it said before: seed %d", async (seed) => {
    putBack();
    const { bytes, how } = damagePages(whole, seed);
    writeFileSync(storePath(), bytes);
    const failed = listFailed(await diagnose());
    expect(
      failed.map(({ remedy }) => remedy).filter((remedy) => !/^loopx (restore|recover)/.test(String(remedy))),
      how,
    ).toEqual([]);
    if (failed.length === 0) expect(toTwiceStored(await exportLines()), how).toEqual(toTwiceStored(before));
  });

  test.each(SEEDS)("is recovered to whole state, of what was there: seed %d", async (seed) => {
    putBack();
    const { bytes, how } = damagePages(whole, seed);
    writeFileSync(storePath(), bytes);
    const shown = await world.run(["recover"], "owner");
    expect(readFileSync(storePath()).equals(bytes), how).toBe(true);
    const done = await world.run(["recover", "--execute"], "owner");
    expect([codeOf(shown), codeOf(done)], how).toEqual(["ok", "ok"]);
    expect(toCounts(done), how).toEqual(toCounts(shown));
    const kept = (done as unknown as { readonly damaged_store: string }).damaged_store;
    expect(kept).toMatch(/^\.loopx\/state\.db\.damaged-\d{14}$/);
    expect(readFileSync(join(world.directory, "project", kept)).equals(bytes), how).toBe(true);
    expect(listFailed(await diagnose()), how).toEqual([]);
    if (how.includes("flipped")) return;
    const recovered = (await exportLines()).map(readRow).filter(isEvent).map(toImage);
    expect(
      recovered.filter((image) => !history.has(image) && !isReleased(image)),
      how,
    ).toEqual([]);
  });

  test("gives back all of it where nothing is damaged", async () => {
    putBack();
    const done = await world.must(["recover", "--execute"]);
    expect(done).toMatchObject({ lost_pages: 0, lost_rows: 0, rebuilt_rows: 0, lost_events: 0, added_events: 0 });
    expect((await exportLines()).toSorted()).toEqual(before.toSorted());
  });

  test("is recovered by an owner alone", async () => {
    putBack();
    expect(codeOf(await world.run(["recover", "--execute"], "agent"))).toBe("gate_needs_owner");
    expect(readFileSync(storePath()).equals(whole)).toBe(true);
  });
});

/** A turn whose todo is lost was ended. */
function isReleased(image: string): boolean {
  return image.startsWith('{"entity":"turn"') && /"state":"(?:released|lapsed)"/.test(image);
}

function toCounts(answer: Answer): object {
  return Object.fromEntries(Object.entries(answer).filter(([name]) => /_(rows|events|pages)$/.test(name)));
}

describe("a home with damaged pages", () => {
  test.each(SEEDS.slice(0, 20))("is told by doctor --deep, or goes on: seed %d", async (seed) => {
    putBack();
    const { bytes, how } = damagePages(wholeHome, seed);
    writeFileSync(homePath(), bytes);
    const failed = listFailed(await diagnose());
    const recovered = await world.run(["recover", "--home", "--execute"], "owner");
    if (codeOf(recovered) === "ok") expect(listFailed(await diagnose()), how).toEqual([]);
    else expect([codeOf(recovered), failed.length > 0], how).toEqual(["store_corrupt", true]);
  });
});

test("the same seed damages the same bytes", () => {
  const bytes = Buffer.alloc(40_960);
  expect(damagePages(bytes, 7).bytes.equals(damagePages(bytes, 7).bytes)).toBe(true);
  expect(createRandom(7)()).toBe(createRandom(7)());
});
