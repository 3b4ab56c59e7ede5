import { describe, expect, test } from "vitest";
import { createWorld } from "../support/cli-world.ts";
import { BINDING, createSupportDesk, editBinding, STORE } from "../support/support-desk.ts";
import { hasStrace } from "../support/system-calls.ts";
import { addTodo, createWorkingGoal, nameTurn, openTurn, type WorkingGoal } from "../support/working-goal.ts";
import { createOwnerToken } from "../support/create-owner-token.ts";
import { loseCommand, loseTurn, type LossCount } from "./power-loss-checks.ts";

function expectBothEnds({ states, kept, absent }: LossCount): void {
  expect(states).toBeGreaterThan(20);
  expect(Math.min(kept, absent), `${kept} kept, ${absent} absent`).toBeGreaterThan(0);
}

type Line = (goal: WorkingGoal) => Promise<readonly string[]> | readonly string[];

const COMMANDS: readonly (readonly [string, Line])[] = [
  ["todo add", ({ goalId }) => ["todo", "add", `--goal-id=${goalId}`, "--text=Write the parser"]],
  [
    "todo complete",
    async (goal) => {
      await addTodo(goal, "Write the parser");
      const turn = nameTurn(goal, await openTurn(goal));
      return ["todo", "complete", ...turn, "--evidence=Parser done", "--next-todo=Document it"];
    },
  ],
  ["register-agent", ({ goalId }) => ["register-agent", `--goal-id=${goalId}`, "--agent-id=agent-2", "--execute"]],
];

describe.skipIf(!hasStrace)("a power loss", () => {
  test.each(COMMANDS)("in %s leaves the state before or after, and keeps what was reported", async (_, line) => {
    const goal = await createWorkingGoal(1);
    try {
      expectBothEnds(await loseCommand(goal.world, await line(goal)));
    } finally {
      goal.world.remove();
    }
  });

  test("in the first bootstrap leaves no project or a whole one", async () => {
    const world = createWorld();
    try {
      expectBothEnds(await loseCommand(world, ["bootstrap", "--objective=Ship it"]));
    } finally {
      world.remove();
    }
  });

  test("in recover leaves the damaged store or the recovered one, both of which say the same here", async () => {
    const goal = await createWorkingGoal(1);
    try {
      await addTodo(goal, "Write the parser");
      const words = ["recover", "--execute", `--owner-token-file=${await createOwnerToken(goal.world)}`];
      expect((await loseCommand(goal.world, words)).states).toBeGreaterThan(20);
    } finally {
      goal.world.remove();
    }
  });

  test("in a turn whose trace is required leaves a whole store, with each trace that was answered", async () => {
    const desk = await createSupportDesk();
    try {
      editBinding(desk.folder, (text) => text.replace(/^\{/, '{ "audit": "required",'));
      const words = ["context", "turn", `--build=${desk.build}`, BINDING, STORE];
      const asked = ["--objective=answer-ticket", "--consumer=support-agent", "--input=customerId=CUST-1042"];
      for (let turn = 0; turn < 2; turn += 1) expectBothEnds(await loseTurn(desk, [...words, ...asked]));
    } finally {
      await desk.remove();
    }
  });
});
