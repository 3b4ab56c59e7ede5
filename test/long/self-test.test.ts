import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildPlantedCli, type PlantedCli, type PlantedFault } from "../support/build-planted-cli.ts";
import { findContradictions, loadProjectState } from "../support/project-state.ts";
import { hasStrace } from "../support/system-calls.ts";
import { addTodo, nameTurn, openTurn } from "../support/working-goal.ts";
import { ADD_CASE } from "./crash-cases.ts";
import { EVERY_WRITE } from "./every-command-cases.ts";
import { killCommand, openBusyDesk } from "./every-command-checks.ts";
import { loseCommand } from "./power-loss-checks.ts";
import { killAtEveryCall } from "./crash-checks.ts";
import { expectWhole, inExtensionWorld, keepsWhatTwoDid, type ExtensionWorld } from "./extension-checks.ts";
import { inRecallWorld, leavesSettlementWhole, prepareNoChange, settlesOnceOfTwenty } from "./settlement-checks.ts";
import * as checks from "./race-checks.ts";
import { runSoak } from "./soak/run-soak.ts";
import { inWorkingGoal } from "./race-checks.ts";

/** Every statement commits by itself. */
const WITHOUT_TRANSACTION: readonly PlantedFault[] = [
  {
    file: "store/src/sqlite/sqlite-database.ts",
    replace: 'await this.#control(action === "write" ? "BEGIN IMMEDIATE" : "BEGIN", action);',
    by: 'if (action === "read") await this.#control("BEGIN", action);',
  },
  {
    file: "store/src/sqlite/sqlite-database.ts",
    replace: 'await this.#control("COMMIT", action);',
    by: 'if (action === "read") await this.#control("COMMIT", action);',
  },
];

/** The same, slow enough that others and kills come between. */
const WITHOUT_TRANSACTION_SLOWLY: readonly PlantedFault[] = [
  ...WITHOUT_TRANSACTION,
  {
    file: "control-plane/src/events/commit-changes.ts",
    replace: "await saveImage(tx, entity, change.image);",
    by: "await new Promise((resolve) => setTimeout(resolve, 100)); await saveImage(tx, entity, change.image);",
  },
];

/** One write in ten is acknowledged and undone. */
const WITHOUT_KEEPING: readonly PlantedFault[] = [
  {
    file: "store/src/sqlite/sqlite-database.ts",
    replace: 'await this.#control("COMMIT", action);',
    by: 'await this.#control(action === "write" && Math.random() < 0.1 ? "ROLLBACK" : "COMMIT", action);',
  },
];

/** Settlements that began together have all read before one of them writes, however quick the machine is. */
const WITHOUT_TRANSACTION_OR_HASTE: readonly PlantedFault[] = [
  ...WITHOUT_TRANSACTION,
  {
    file: "decision-context/src/review/settle-review.ts",
    replace: 'const appended = await ports.events.append(tx, "decision_reviewed.v1", toRecorded(prepared, receipt));',
    by:
      "await new Promise((resolve) => setTimeout(resolve, 1500));\n  " +
      'const appended = await ports.events.append(tx, "decision_reviewed.v1", toRecorded(prepared, receipt));',
  },
];

/** What was read before the lock is written under it, a moment later. */
const WITHOUT_READING_AGAIN: readonly PlantedFault[] = [
  {
    file: "control-plane/src/events/commit-changes.ts",
    replace: "return database.write(async (tx) => {\n    const decided = await decide(tx);",
    by:
      "const decided = await database.read(decide);\n" +
      "  await new Promise((resolve) => setTimeout(resolve, 1500));\n  return database.write(async (tx) => {",
  },
];

/** An operation on an extension is written whatever happened while its doctor ran. */
const WITHOUT_COMPARING: readonly PlantedFault[] = [
  {
    file: "extensions/src/lifecycle/operate-extension.ts",
    replace: 'if (!isSame(current, typeof seen === "string" ? undefined : seen)) throw toChangedError(extensionId);',
    by: "void [toChangedError, isSame, current];",
  },
];

// A CLI that fails whatever it is given would turn every check red and prove nothing.
async function expectItSettlesATurnAlone(program: string): Promise<void> {
  await inWorkingGoal(1, program, async (goal) => {
    await addTodo(goal, "Write the parser");
    const turn = nameTurn(goal, await openTurn(goal));
    await goal.world.call(["refresh-state", ...turn, "--outcome=progress", "--evidence=12 tests pass"]);
    await goal.world.call(["todo", "complete", ...turn, "--evidence=Parser done", "--next-todo=Document it"]);
    await goal.world.call(["quota", "spend", ...turn]);
    expect(findContradictions(await loadProjectState(goal.world))).toEqual([]);
  });
}

async function expectItClaimsATodoAlone(program: string): Promise<void> {
  await inWorkingGoal(1, program, async (goal) => {
    const todoId = await addTodo(goal, "Write the parser");
    expect(await addTodo(goal, "Write the parser")).toBe(todoId);
    await goal.world.call(["todo", "claim", `--goal-id=${goal.goalId}`, `--todo-id=${todoId}`, "--agent-id=agent-1"]);
    expect(findContradictions(await loadProjectState(goal.world))).toEqual([]);
  });
}

async function expectItSettlesAReviewAlone(program: string): Promise<void> {
  await inRecallWorld(program, async (world) => {
    expect((await world.run(await prepareNoChange(world))).json).toMatchObject({ ok: true, changed: true });
  });
}

describe("the race checks turn red", () => {
  describe("when every statement commits by itself", () => {
    const planted = usePlantedCli(WITHOUT_TRANSACTION);
    test("though one process at a time works", () => expectItSettlesATurnAlone(planted().program));
    test.each([
      ["fifty distinct todos", checks.keepsFiftyDistinctTodos],
      ["one turn of one identity", checks.opensOneTurnForOneIdentity],
      ["no todo in two turns", checks.givesNoTodoToTwoTurns],
      ["one settlement of one turn", checks.settlesOneTurnOnce],
    ])("%s", async (_, check) => {
      await expect(check(planted().program)).rejects.toThrow();
    });
  });

  describe("when what was read before the lock is not read again under it", () => {
    const planted = usePlantedCli(WITHOUT_READING_AGAIN);
    test("though one process at a time works", () => expectItClaimsATodoAlone(planted().program));
    test.each([
      ["one of fifty identical todos", checks.addsOneOfFiftyIdenticalTodos],
      ["one claim winner of fifty", checks.letsOneOfFiftyAgentsClaim],
    ])("%s", async (_, check) => {
      await expect(check(planted().program)).rejects.toThrow();
    });
  });
});

describe("the soak turns red", () => {
  const soak = { agents: 8, goals: 2, seconds: 20, seed: 1 };
  const findFaults = async (program: string): Promise<readonly string[]> =>
    (await runSoak({ ...soak, program })).faults;

  describe("when every statement commits by itself", () => {
    const planted = usePlantedCli(WITHOUT_TRANSACTION_SLOWLY);
    test("though one process at a time works", () => expectItSettlesATurnAlone(planted().program));
    test("eight agents at two goals", async () => {
      expect(await findFaults(planted().program)).not.toEqual([]);
    });
  });

  describe("when a write is acknowledged and not kept", () => {
    const planted = usePlantedCli(WITHOUT_KEEPING);
    test("eight agents at two goals", async () => {
      expect((await findFaults(planted().program)).join("\n")).toMatch(
        / and is lost| and is not done| was charged and is /,
      );
    });
  });
});

describe("the settlement checks turn red when every statement commits by itself", () => {
  const planted = usePlantedCli(WITHOUT_TRANSACTION);
  test("though one process at a time settles", () => expectItSettlesAReviewAlone(planted().program));
  test.runIf(hasStrace)("killed at any system call", async () => {
    await expect(inRecallWorld(planted().program, leavesSettlementWhole)).rejects.toThrow(
      /deeply equal|to match object/,
    );
  });
});

describe("the settlement check of twenty at once turns red when every statement commits by itself", () => {
  const planted = usePlantedCli(WITHOUT_TRANSACTION_OR_HASTE);
  test("though one process at a time settles", () => expectItSettlesAReviewAlone(planted().program));
  test("by twenty processes at once", async () => {
    await expect(inRecallWorld(planted().program, settlesOnceOfTwenty)).rejects.toThrow();
  });
});

describe("the checks of extensions turn red when what was read is not compared again", () => {
  const planted = usePlantedCli(WITHOUT_COMPARING);
  test("though one process at a time works", () =>
    inExtensionWorld(planted().program, async (world) => {
      await world.call(world.operation("rollback"));
      expect(await expectWhole(world)).toBe("0.1.0");
    }));
  test("upgrade and rollback at once", async () => {
    await expect(inExtensionWorld(planted().program, keepsUpgradeAndRollback)).rejects.toThrow();
  });
});

describe.skipIf(!hasStrace)("the crash check turns red", () => {
  const planted = usePlantedCli(WITHOUT_TRANSACTION);
  test("when every statement commits by itself", async () => {
    await expect(killAtEveryCall(ADD_CASE, planted().program)).rejects.toThrow(
      /killed at .*(deeply equal|to include|to match object)/,
    );
  });
});

describe.skipIf(!hasStrace)("the crash check of every command turns red", () => {
  const planted = usePlantedCli(WITHOUT_TRANSACTION);
  test("when every statement commits by itself", async () => {
    const desk = await openBusyDesk(planted().program);
    try {
      const complete = EVERY_WRITE["todo complete"];
      if (complete === undefined || typeof complete === "string") throw new Error("todo complete is not killed");
      await expect(killCommand(desk, "todo complete", complete)).rejects.toThrow(/killed at /);
    } finally {
      desk.remove();
    }
  });
});

describe.skipIf(!hasStrace)("the check of power losses turns red", () => {
  describe.each(["FULL", "OFF"])("when stores are written with synchronous = %s", (level) => {
    const planted = usePlantedCli([
      {
        file: "store/src/sqlite/connection-settings.ts",
        replace: "PRAGMA synchronous = EXTRA;",
        by: `PRAGMA synchronous = ${level};`,
      },
    ]);
    test("though every command works", async () => {
      await inWorkingGoal(1, planted().program, async ({ world, goalId }) => {
        const add = ["todo", "add", `--goal-id=${goalId}`, "--text=Write the parser"];
        await expect(loseCommand(world, add)).rejects.toThrow(/power lost after/);
      });
    });
  });
});

function keepsUpgradeAndRollback(world: ExtensionWorld): Promise<void> {
  return keepsWhatTwoDid(world, ["upgrade", "rollback"]);
}

function usePlantedCli(faults: readonly PlantedFault[]): () => PlantedCli {
  let cli: PlantedCli | undefined;
  beforeAll(async () => {
    cli = await buildPlantedCli(faults);
  });
  afterAll(() => cli?.remove());
  return () => {
    if (cli === undefined) throw new Error("the CLI with the fault was not built");
    return cli;
  };
}
