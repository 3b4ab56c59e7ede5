import { LIMITS } from "@loopx/contracts";
import { loadSqliteDriver } from "@loopx/store";
import { rmSync, symlinkSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { World } from "../../support/cli-world.ts";
import { findRefusedCommands } from "../../support/printed-commands.ts";
import { readField, readText } from "../../support/read-field.ts";
import { verifies } from "../../support/verifies.ts";
import {
  ask,
  codeOf,
  createMachine,
  giveToStranger,
  hashTree,
  read,
  setWritable,
  STRANGER,
} from "../environment/machine.ts";

const VIEWS = ["global-summary", "global-gates", "global-todos", "global-risks"] as const;

async function addProject(world: World, name: string, agentId = "lane-1"): Promise<string> {
  const cwd = world.addProject(name);
  const goal = `--goal-id=${name}-goal`;
  await world.call(["bootstrap", "--project=.", `--objective=Ship ${name}`, goal], { cwd });
  await world.call(["register-agent", goal, `--agent-id=${agentId}`, "--execute"], { cwd });
  await world.call(["todo", "add", goal, `--text=Write the parser of ${name}`], { cwd });
  await world.call(["todo", "add", goal, `--text=Publish ${name}`, "--action-kind=external_publication"], { cwd });
  return cwd;
}

/** Calls a view, and checks what holds for every page: its budget, its commands, no path. */
async function view(world: World, words: readonly string[], cwd = world.home): Promise<unknown> {
  const { json, exitCode, stdout } = await ask(world, words, { cwd });
  expect(exitCode, stdout).toBe(0);
  expect(Buffer.byteLength(JSON.stringify(json))).toBeLessThanOrEqual(LIMITS.packetMaxBytes.global_page);
  expect(findRefusedCommands(json)).toEqual([]);
  expect(json).toMatchObject({
    ok: true,
    boundary: { absolute_paths_recorded: false, credential_values_recorded: false },
  });
  return json;
}

/** The ids of a list over all its pages. */
async function readIds(world: World, words: readonly string[], list: string, id: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await view(world, cursor === undefined ? words : [...words, `--cursor=${cursor}`]);
    const rows = readField(page, list) as readonly unknown[];
    ids.push(...rows.map((row) => readText(row, id)));
    if (readField(page, "next_cursor") === undefined) return ids;
    cursor = readText(page, "next_cursor");
  }
}

describe("a view over all projects", () => {
  test("of a fresh user is empty and says how to begin, in each of the four", async () => {
    const world = createMachine();
    for (const name of VIEWS) {
      const packet = await view(world, [name], world.project);
      expect(readText(packet, "actions", 0, "preview")).toBe(
        "loopx bootstrap '--objective=<what to reach>' --project=.",
      );
      expect(await read(world, [name])).toContain("no project is connected yet");
    }
    expect(hashTree(world.home).size).toBe(1);
  });

  test("agrees with the three others on ids and counts", async () => {
    verifies("global.summary", "global.gates", "global.todos", "global.risks", "fallback.global-summary");
    verifies("global.without-project");
    const world = createMachine();
    const alpha = await addProject(world, "alpha");
    await addProject(world, "beta");
    const note = ["refresh-state", "--goal-id=alpha-goal", "--agent-id=lane-1", "--evidence=red"];
    await world.call([...note, "--validation-status=failed", "--validation-label=unit"], { cwd: alpha });
    await world.call(["quota", "should-run", "--goal-id=beta-goal", "--agent-id=lane-1"]);
    const [summary, gates, todos, risks] = await Promise.all(VIEWS.map((name) => view(world, [name])));
    expect(readField(summary, "summary")).toMatchObject({
      project_count: 2,
      open_goal_count: 2,
      open_gate_count: 2,
      undecided_gate_count: 2,
      open_todo_count: 4,
      runnable_todo_count: 2,
      blocked_todo_count: 2,
      risk_count: 1,
      quota_states: { run: 2 },
      source_warning_count: 0,
    });
    expect(readField(gates, "summary")).toMatchObject({ open_gate_count: 2, undecided_gate_count: 2 });
    expect(readField(todos, "summary")).toMatchObject({ matched_todo_count: 4, runnable_count: 2, blocked_count: 2 });
    expect(readField(risks, "summary")).toMatchObject({ matched_risk_count: 1, failing_check_count: 1 });
    for (const [packet, list] of [
      [gates, "gates"],
      [risks, "risks"],
    ] as const) {
      expect(readField(packet, list)).toEqual(readField(summary, list));
    }
    expect((readField(todos, "todos") as readonly unknown[]).slice(0, 3)).toEqual(readField(summary, "todos"));
    const status = await world.call(["status", "--goal-id=alpha-goal"]);
    expect(readField(status, "gates", 0, "gate_id")).toBe(readField(gates, "gates", 0, "gate_id"));
  });

  test("writes nothing, also where it may not, and is the same there", async () => {
    verifies("global.read-only");
    const world = createMachine();
    const alpha = await addProject(world, "alpha");
    await world.call(["quota", "should-run", "--goal-id=alpha-goal", "--agent-id=lane-1"], { cwd: alpha });
    const asked = async (): Promise<readonly unknown[]> => {
      const packets = [];
      for (const name of VIEWS) packets.push(readField((await ask(world, [name], AS_STRANGER)).json, "summary"));
      return packets;
    };
    giveToStranger(world.directory);
    const before = hashTree(world.directory);
    const writable = await asked();
    expect(hashTree(world.directory)).toEqual(before);
    setWritable(alpha, false);
    setWritable(world.home, false);
    const closed = hashTree(world.directory);
    expect(await asked()).toEqual(writable);
    expect(hashTree(world.directory)).toEqual(closed);
  });

  test("read a page at a time has every row once, each page within its bytes, whatever the texts are", async () => {
    const world = createMachine();
    await addProject(world, "alpha");
    await addProject(world, "beta");
    for (const [index, letter] of ["漢", "界", "由", "線", "語"].entries()) {
      const goal = `--goal-id=${index % 2 === 0 ? "alpha" : "beta"}-goal`;
      await world.call(["todo", "add", goal, `--text=${letter.repeat(3_000)}`, `--priority=P${index}`]);
      await world.call([
        "todo",
        "add",
        goal,
        "--task-class=user_gate",
        `--text=${letter.repeat(2_000)}?`,
        "--blocks=goal",
      ]);
    }
    const limits = ["--limit=1", "--limit=3", "--limit=100"];
    const [ones, threes, all] = await Promise.all(
      limits.map((limit) => readIds(world, ["global-todos", limit], "todos", "todo_id")),
    );
    expect(all).toHaveLength(9);
    expect(new Set(all).size).toBe(9);
    expect(ones).toEqual(all);
    expect(threes).toEqual(all);
    expect(await readIds(world, ["global-gates", "--limit=100"], "gates", "gate_id")).toHaveLength(7);
    expect(await readIds(world, ["global-summary", "--limit=1"], "lanes", "goal_id")).toHaveLength(2);
  });

  test("masks paths, and says how many it masked", async () => {
    const world = createMachine();
    const alpha = await addProject(world, "alpha");
    await world.call(["todo", "add", "--goal-id=alpha-goal", "--text=Read /home/alice/notes.txt", "--priority=P0"], {
      cwd: alpha,
    });
    for (const name of ["global-summary", "global-todos", "global-risks"]) {
      const packet = await view(world, [name]);
      expect(JSON.stringify(packet)).not.toContain("alice");
      expect(readField(packet, "boundary", "masked_path_count")).toBeGreaterThan(0);
      expect(await read(world, [name])).toContain("<local-path-redacted>");
    }
    expect(readField(await view(world, ["global-risks"]), "risks", 0)).toMatchObject({
      category: "boundary_warning",
      kind: "local_path_in_text",
    });
  });
});

const AS_STRANGER = STRANGER === undefined ? {} : { uid: STRANGER };

describe("the agent filter", () => {
  test("is exact, and shows nothing for a name that is no lane", async () => {
    const world = createMachine();
    await addProject(world, "alpha", "lane-1");
    await addProject(world, "beta", "lane-10");
    const packet = await view(world, ["global-todos", "--agent-id=lane-1"]);
    expect(readField(packet, "summary", "matched_todo_count")).toBe(2);
    expect(JSON.stringify(packet)).not.toContain("beta-goal");
    for (const name of VIEWS) {
      const refused = await ask(world, [name, "--agent-id=lane"]);
      expect(refused.exitCode).toBe(4);
      expect(codeOf(refused)).toBe("unknown_agent");
    }
  });
});

describe("a project that cannot be read", () => {
  test("is one warning, and the others are shown", async () => {
    const world = createMachine();
    const broken = await addProject(world, "alpha");
    const gone = await addProject(world, "gone");
    const moved = await addProject(world, "moved");
    await addProject(world, "beta");
    writeFileSync(join(broken, ".loopx", "state.db"), "no database");
    rmSync(gone, { recursive: true });
    renameSync(moved, `${moved}-away`);
    symlinkSync(`${moved}-away`, moved);
    for (const name of VIEWS) {
      const packet = await view(world, [name]);
      expect(readField(packet, "summary", "source_warning_count")).toBe(3);
      expect(readField(packet, "source_warnings")).toMatchObject([
        { code: "store_corrupt", project_root_label: "alpha" },
        { code: "store_missing", project_root_label: "gone" },
        { code: "project_not_trusted", project_root_label: "moved" },
      ]);
      expect(JSON.stringify(packet)).toMatch(/counts are lower bounds/);
      expect(await read(world, [name])).toContain("could not be read");
    }
    const todos = await view(world, ["global-todos"]);
    expect(readField(todos, "summary", "matched_todo_count")).toBe(2);
  });

  test("because another process keeps it locked holds the others up for a moment only", async () => {
    const world = createMachine();
    const locked = await addProject(world, "alpha");
    await addProject(world, "beta");
    const connection = loadSqliteDriver().open(join(locked, ".loopx", "state.db"), { readonly: false });
    connection.exec("BEGIN EXCLUSIVE");
    // The store's own patience is longer than that.
    const { json: packet } = await ask(world, ["global-todos"], { killAfterMs: 20_000 });
    connection.close();
    expect(readField(packet, "source_warnings")).toMatchObject([{ code: "store_busy", project_root_label: "alpha" }]);
    expect(readField(packet, "summary", "matched_todo_count")).toBe(2);
  });

  test("keeps an agent's own inbox from being called empty", async () => {
    const world = createMachine();
    rmSync(await addProject(world, "alpha"), { recursive: true });
    const refused = await ask(world, ["global-todos", "--agent-id=lane-1"]);
    expect(codeOf(refused)).toBe("unknown_agent");
    expect(readField(refused.json, "error", "details", "unread_project_count")).toBe(1);
  });

  test("with a copied store under a registered root's name is not taken for the project", async () => {
    const world = createMachine();
    const alpha = await addProject(world, "alpha");
    const beta = await addProject(world, "beta");
    rmSync(join(alpha, ".loopx"), { recursive: true });
    renameSync(join(beta, ".loopx"), join(alpha, ".loopx"));
    const packet = await view(world, ["global-todos"]);
    expect(readField(packet, "summary", "matched_todo_count")).toBe(0);
    expect(readField(packet, "source_warnings")).toMatchObject([
      { code: "project_not_trusted" },
      { code: "store_missing" },
    ]);
  });
});

describe("a registry that is named", () => {
  test("is the list, and a bad value is refused", async () => {
    const world = createMachine();
    await addProject(world, "alpha");
    const registry = `--registry=${join(world.loopxHome, "registry.global.json")}`;
    const elsewhere = { env: { LOOPX_HOME: join(world.directory, "other-home") } };
    const named = await ask(world, ["global-summary", registry], elsewhere);
    expect(readField(named.json, "summary", "project_count")).toBe(1);
    expect(readField((await ask(world, ["global-summary"], elsewhere)).json, "summary", "project_count")).toBe(0);
    for (const words of [["--time-range=soon"], ["--cursor=1,2"], ["--limit=101"], ["--limit=0"]]) {
      expect((await ask(world, ["global-summary", ...words])).exitCode).toBe(2);
    }
  });
});
