import { existsSync } from "node:fs";
import { join } from "node:path";
import { quoteForShell } from "@loopx/contracts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createOwnerToken } from "../../support/create-owner-token.ts";
import { readField, readText } from "../../support/read-field.ts";
import { runAtTerminal } from "../../support/run-at-terminal.ts";
import { createShellWorld, type ShellWorld } from "../../support/shell-world.ts";
import { verifies } from "../../support/verifies.ts";
import {
  createRobot,
  fill,
  followSteps,
  takeTurn,
  type PlannedTodo,
  type Robot,
  type RobotCharacter,
} from "./robot.ts";

const TASK = `Ship "it" $(touch pwned) \`touch pwned\` $& $15,000; it's done\n\tand 漢字 🙂 --new-peer`;
const START = `loopx start-goal --guided --project . --goal-text ${quoteForShell(TASK)}`;

const PLAN: readonly PlannedTodo[] = [
  { text: "Publish the $(touch pwned) notes", priority: "P0", extraFlags: "--action-kind=external_publication" },
  { text: "Check that `ls` works", priority: "P1", extraFlags: `'--validation-command=["ls"]' --validation-label=ls` },
  { text: 'It\'s the last one: "$HOME"', priority: "P2" },
];

let world: ShellWorld;
beforeEach(() => {
  world = createShellWorld();
});
afterEach(() => world.remove());

function characterOn(hostSurface: string, env: Readonly<Record<string, string>>): RobotCharacter {
  return { env, pickChoice: (_gate, choices) => choices.find((choice) => choice["host_surface"] === hostSurface) };
}

type Approve = (command: string) => Promise<void>;

async function approveAtTerminal(command: string): Promise<void> {
  const { exitCode, shown } = await runAtTerminal(world, fill(command, { "approve|reject|defer": "approve" }));
  expect(shown).toContain('"decided_by": "owner:terminal"');
  expect(exitCode).toBe(0);
}

async function approveByToken(command: string): Promise<void> {
  const token = await createOwnerToken(world);
  const approved = await world.shell(
    `${fill(command, { "approve|reject|defer": "approve" })} --owner-token-file=${token}`,
  );
  expect(approved).toMatchObject({ exitCode: 0, stderr: "" });
  expect(readText(approved.json, "gate", "decided_by")).toBe("owner:token");
}

/** Turns until the goal is done; the robot tries to decide its own gate before an owner does. */
async function workUntilDone(robot: Robot, guard: string, approve: Approve): Promise<readonly string[]> {
  const answers: string[] = [];
  for (let turn = 0; turn < 10; turn += 1) {
    const answer = await takeTurn(robot, guard);
    answers.push(answer.kind);
    if (answer.kind === "done") return answers;
    if (answer.kind === "asked") {
      const refused = await robot.runRefused(fill(answer.command, { "approve|reject|defer": "approve" }));
      expect(refused.exitCode).toBe(3);
      expect(readField(refused.json, "error", "code")).toBe("gate_needs_owner");
      await approve(answer.command);
    }
  }
  throw new Error(`not done after ${answers.join(", ")}`);
}

const WALKS = [
  { surface: "claude-code", env: { CLAUDECODE: "1" }, thread: undefined, approve: approveAtTerminal },
  { surface: "codex-app", env: { CODEX_THREAD_ID: "019a-thread-a" }, thread: "019a-thread-a", approve: approveByToken },
  {
    surface: "codex-cli-tui",
    env: { CODEX_THREAD_ID: "thr.2", CODEX_SANDBOX: "seatbelt" },
    thread: "thr.2",
    approve: approveAtTerminal,
  },
  { surface: "shell", env: {}, thread: undefined, approve: approveByToken },
] as const;

describe("a robot that knows nothing but packets", () => {
  test.each(WALKS)(
    "walks from its first command to a completed goal on $surface",
    async ({ surface, env, thread, approve }) => {
      verifies(
        "commands.goal-text-starts",
        "start.order",
        "permission.restricted-actions",
        "identity.fresh-without-lanes",
      );
      verifies("identity.bind-before-todos", "identity.codex-thread-id", "identity.bound-thread-keeps-agent");
      const robot = createRobot(world, characterOn(surface, env));

      const start = await robot.start(START);
      expect(robot.gates).toEqual(["host_surface_selection_gate"]);
      expect(readText(start, "goal_text")).toBe(TASK);
      expect(readField(start, "thread_id")).toBe(thread);

      const packets = await followSteps(robot, start, PLAN);
      expect([...packets.keys()]).toEqual([
        "inspect_connection",
        "connect_if_needed",
        "register_agent",
        ...(thread === undefined ? [] : ["bind_thread_identity"]),
        "plan_ranked_todos",
        "write_ordered_todos",
        "refresh_state",
        "activate_host_loop",
        "quota_guard",
      ]);
      expect(packets.get("write_ordered_todos")?.map((packet) => readField(packet, "needs_gate", "kind"))).toEqual([
        "external_publication",
        undefined,
        undefined,
      ]);
      expect(readText(packets.get("quota_guard")?.[0], "todo", "text")).toBe(PLAN[1]?.text);
      const agent = readText(start, "agent_id");
      const guard = robot.commands.at(-1) ?? "";

      const again = await robot.start(
        `${START} --host-surface ${surface}${thread === undefined ? ` --agent-id ${agent}` : ""}`,
      );
      expect(readText(again, "agent_id")).toBe(agent);
      const stepIds = (readField(again, "guided_transaction", "ordered_steps") as readonly unknown[]).map((step) =>
        readText(step, "id"),
      );
      expect(stepIds).not.toContain("bind_thread_identity");
      expect(stepIds).not.toContain("connect_if_needed");

      const answers = await workUntilDone(robot, guard, approve);
      expect(answers).toEqual(["settled", "settled", "asked", "settled", "done"]);

      const goal = await robot.run(`loopx goal show --goal-id=${readText(start, "goal_id")}`);
      expect(readField(goal, "goal", "status")).toBe("completed");
      expect(readField(goal, "goal", "objective")).toBe(TASK);
      expect(readField(goal, "used_turns")).toBe(3);
      expect(readField(goal, "todos")).toEqual({ done: 4 });
      for (const folder of [world.worktree, world.project, world.home])
        expect(existsSync(join(folder, "pwned"))).toBe(false);
    },
  );

  test("is stopped where several goals are open, and goes on with the one it picks", async () => {
    const robot = createRobot(world, {
      env: {},
      pickChoice: (gate, choices) =>
        gate === "goal_selection_gate"
          ? choices.find((choice) => choice["objective"] === "Second goal")
          : (choices.find((choice) => choice["host_surface"] === "shell") ?? choices[0]),
    });
    await followSteps(robot, await robot.start("loopx start-goal --guided --project . --goal-text 'First goal'"), []);
    const second = await robot.start(
      "loopx start-goal --guided --project . --new-goal --goal-id second-goal --goal-text 'Second goal' --host-surface shell",
    );
    await followSteps(robot, second, []);
    const third = await robot.start(START);
    expect(robot.gates.slice(-3)).toEqual([
      "host_surface_selection_gate",
      "goal_selection_gate",
      "identity_selection_gate",
    ]);
    expect(readText(third, "goal_id")).toBe("second-goal");
    expect(readText(third, "goal_text")).toBe(TASK);
  });

  test("takes an existing lane over, or joins as a new one, by the identity gate's own commands", async () => {
    verifies("identity.takeover-is-explicit", "identity.new-peer-is-fresh");
    const first = createRobot(world, characterOn("codex-app", { CODEX_THREAD_ID: "thread-one" }));
    const started = await first.start(START);
    await followSteps(first, started, PLAN.slice(2));

    const arrive = (mode: string, env: Readonly<Record<string, string>>): Robot =>
      createRobot(world, {
        env,
        pickChoice: (gate, choices) =>
          choices.find((choice) =>
            gate === "identity_selection_gate" ? choice["mode"] === mode : choice["host_surface"] === "codex-cli-tui",
          ),
      });

    const heir = arrive("takeover_existing_agent", { CODEX_THREAD_ID: "thread-two" });
    const taken = await heir.start(START);
    expect(heir.gates).toEqual(["host_surface_selection_gate", "identity_selection_gate"]);
    expect(readText(taken, "agent_id")).toBe(readText(started, "agent_id"));
    const bound = await followSteps(heir, taken, [{ text: "Written by the heir", priority: "P1" }]);
    expect(bound.has("register_agent")).toBe(false);
    expect(readField(bound.get("bind_thread_identity")?.[0], "binding", "agent_id")).toBe(
      readText(started, "agent_id"),
    );

    const peer = arrive("register_fresh_agent", { CODEX_THREAD_ID: "thread-three" });
    const joined = await peer.start(START);
    expect(readText(joined, "agent_id")).not.toBe(readText(started, "agent_id"));
    const registered = await followSteps(peer, joined, [{ text: "Written by the peer", priority: "P1" }]);
    expect([...registered.keys()].slice(0, 3)).toEqual([
      "inspect_connection",
      "register_agent",
      "bind_thread_identity",
    ]);
    expect(peer.gates).toEqual(["host_surface_selection_gate", "identity_selection_gate"]);
  });
});
