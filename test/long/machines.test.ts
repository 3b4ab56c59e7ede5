import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createOwnerToken } from "../support/create-owner-token.ts";
import { createWorld, type World } from "../support/cli-world.ts";
import { startPostgresProxy, type PostgresProxy } from "../support/postgres-proxy.ts";
import { findContradictions, listRows, loadProjectState } from "../support/project-state.ts";
import { readField, readText } from "../support/read-field.ts";

const server = inject("postgres");
const GOAL = "--goal-id=shared-goal";
/** The shortest lease there is. */
const LEASE_MS = 60_000;

/** A machine of its own: home, checkout and way to the server. */
interface Machine {
  readonly world: World;
  readonly way: PostgresProxy;
  readonly token: string;
  readonly lane: readonly string[];
}

describe.skipIf(!("url" in server))("machines that share a project", () => {
  const machines: Machine[] = [];
  const machineAt = (index: number): Machine => {
    const machine = machines[index];
    if (machine === undefined) throw new Error(`no machine ${index}`);
    return machine;
  };

  beforeAll(async () => {
    let projectId: string | undefined;
    for (const name of ["agent-a", "agent-b", "agent-c"]) {
      const way = await startPostgresProxy("url" in server ? server.url : "");
      process.env["TESTED_STORE_URL"] = way.url;
      const world = createWorld();
      delete process.env["TESTED_STORE_URL"];
      const token = `--owner-token-file=${await createOwnerToken(world)}`;
      const plain = new URL(way.url);
      plain.password = "";
      const join =
        projectId === undefined
          ? ["--goal-id=shared-goal", "--objective=Ship it"]
          : [`--store=${plain.href}`, `--project-id=${projectId}`, token];
      await world.call(["connect", ...join]);
      projectId ??= readText(await world.call(["store", "status"]), "project_id");
      await world.call(["register-agent", GOAL, `--agent-id=${name}`, "--execute"]);
      machines.push({ world, way, token, lane: [GOAL, `--agent-id=${name}`] });
    }
    const { world, token } = machineAt(0);
    await world.call(["config", "set", "--key=lease.ttl", "--value=1m", token]);
    // A goal is completed with its last todo.
    for (const name of ["one", "two", "three", "four", "five"]) await addTodo(`Work ${name}`, "--priority=P4");
  });
  afterAll(async () => {
    for (const { world, way } of machines) {
      world.remove();
      await way.close();
    }
  });

  const addTodo = async (text: string, ...more: readonly string[]): Promise<string> =>
    readText(
      await machineAt(0).world.call(["todo", "add", ...machineAt(0).lane, `--text=${text}`, ...more]),
      "todo",
      "todo_id",
    );
  const shouldRun = ({ world, lane }: Machine): Promise<unknown> => world.call(["quota", "should-run", ...lane]);
  const countTurns = async (): Promise<unknown> =>
    readField(await machineAt(1).world.call(["quota", "status", GOAL]), "used_turns");

  test("a claim that all of them want at once has one winner", async () => {
    const todo = await addTodo("Wanted by all");
    const claims = machines.flatMap(({ world, lane }) =>
      Array.from({ length: 3 }, () => world.run(["todo", "claim", ...lane, `--todo-id=${todo}`])),
    );
    const winners = (await Promise.all(claims)).filter(({ exitCode }) => exitCode === 0);
    expect(new Set(winners.map(({ json }) => readText(json, "todo", "claimed_by"))).size).toBe(1);
    const winner = machines.find(
      ({ lane }) => lane[1] === `--agent-id=${readText(winners[0]?.json, "todo", "claimed_by")}`,
    );
    await winner?.world.call([
      "todo",
      "complete",
      ...winner.lane,
      `--todo-id=${todo}`,
      "--evidence=done",
      "--no-follow-up",
    ]);
  });

  test("one that is cut off in its turn loses it to another when the lease ends, and its late writes are refused", async () => {
    const [a, b] = [machineAt(0), machineAt(1)];
    const todo = await addTodo("Cut off in the middle", "--priority=P0");
    const began = Date.now();
    const turn = `--turn=${readText(await shouldRun(a), "turn", "turn_id")}`;
    a.way.silence();
    const unheard = await a.world.run([
      "refresh-state",
      ...a.lane,
      turn,
      "--outcome=progress",
      "--evidence=written while cut off",
    ]);
    expect(readField(unheard.json, "error", "code")).toBe("store_unreachable");
    expect(unheard.exitCode).not.toBe(0);
    // While the lease lasts nobody else gets it.
    if (Date.now() - began < LEASE_MS / 2) expect(readField(await shouldRun(b), "todo", "todo_id")).not.toBe(todo);
    const given = await b.world.call(["quota", "should-run", ...b.lane]);
    const held = readField(given, "turn", "turn_id");
    if (held !== undefined) {
      const mine = [...b.lane, `--turn=${readText(given, "turn", "turn_id")}`];
      await b.world.call(["refresh-state", ...mine, "--outcome=progress", "--evidence=done"]);
      await b.world.call([
        "todo",
        "complete",
        ...mine,
        `--todo-id=${readText(given, "todo", "todo_id")}`,
        "--evidence=done",
        "--no-follow-up",
      ]);
      await b.world.call(["quota", "spend", ...mine]);
    }
    await pause(Math.max(0, LEASE_MS + 2_000 - (Date.now() - began)));
    const taken = await shouldRun(b);
    expect(readField(taken, "todo", "todo_id")).toBe(todo);
    const bTurn = `--turn=${readText(taken, "turn", "turn_id")}`;

    a.way.mend();
    const late = [
      ["refresh-state", ...a.lane, turn, "--outcome=progress", "--evidence=too late"],
      ["todo", "complete", ...a.lane, turn, `--todo-id=${todo}`, "--evidence=too late", "--no-follow-up"],
      ["quota", "spend", ...a.lane, turn],
    ];
    for (const words of late) {
      const { exitCode, json } = await a.world.run(words);
      expect([words[0], exitCode === 0, readField(json, "error", "category")]).toEqual([words[0], false, "refused"]);
    }
    await b.world.call(["refresh-state", ...b.lane, bTurn, "--outcome=progress", "--evidence=12 tests pass"]);
    await b.world.call([
      "todo",
      "complete",
      ...b.lane,
      bTurn,
      `--todo-id=${todo}`,
      "--evidence=done",
      "--no-follow-up",
    ]);
    expect(await b.world.call(["quota", "spend", ...b.lane, bTurn])).toMatchObject({ already_spent: false });
    const state = await loadProjectState(b.world);
    const charged = listRows(state, "turns").filter((row) => row["todo_id"] === todo && row["state"] === "settled");
    expect(charged).toHaveLength(1);
    expect(findContradictions(state)).toEqual([]);
  });

  test("one whose connection is lost while the server commits is told that it is unknown, and a repeat counts once", async () => {
    const { world, way, lane } = machineAt(2);
    for (const fate of ["kept", "lost"] as const) {
      const words = ["todo", "add", ...lane, `--text=Whether it is ${fate}`];
      way.meetNextCommit(fate);
      const unknown = await world.run(words);
      expect(unknown.exitCode).not.toBe(0);
      expect(readField(unknown.json, "error", "details", "committed")).toBe("unknown");
      const again = await world.call(words);
      expect([fate, readField(again, "already_exists") === true]).toEqual([fate, fate === "kept"]);
      const listed = await world.call(["todo", "list", GOAL, "--limit=100"]);
      expect(JSON.stringify(listed).split(`Whether it is ${fate}`)).toHaveLength(2);
    }
  });

  test("a gate that an owner decides on one frees the work on another, where no agent could decide it", async () => {
    const [a, b] = [machineAt(0), machineAt(1)];
    const held = await addTodo("Publish", "--priority=P0");
    const asked = await b.world.call([
      ...[
        "todo",
        "add",
        ...b.lane,
        "--role=user",
        "--task-class=user_gate",
        "--text=May it go out?",
        `--blocks=${held}`,
      ],
    ]);
    const gate = `--gate-id=${readText(asked, "todo", "todo_id")}`;
    expect(readField(await shouldRun(b), "todo", "todo_id")).not.toBe(held);
    const agents = await b.world.run(["gate", "decide", GOAL, gate, "--decision=approve"], {
      env: { CLAUDECODE: "1" },
    });
    expect(readField(agents.json, "error", "code")).toBe("gate_needs_owner");
    await a.world.call(["gate", "decide", GOAL, gate, "--decision=approve", a.token]);
    const free = await b.world.call(["todo", "claim", ...b.lane, `--todo-id=${held}`]);
    expect(readField(free, "todo", "claimed_by")).toBe("agent-b");
  });

  test("a goal that one pauses gives no other a turn from then on", async () => {
    const [a, b, c] = [machineAt(0), machineAt(1), machineAt(2)];
    await a.world.call(["goal", "pause", GOAL, a.token]);
    const before = await countTurns();
    for (const machine of [b, c]) {
      expect(await shouldRun(machine)).toMatchObject({ decision: "paused", should_run: false });
    }
    expect(await countTurns()).toEqual(before);
    await a.world.call(["goal", "resume", GOAL, a.token]);
  });
});
