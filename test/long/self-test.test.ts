import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildPlantedCli, type PlantedCli, type PlantedFault } from "../support/build-planted-cli.ts";
import { hasStrace } from "../support/system-calls.ts";
import { ADD_CASE } from "./crash-cases.ts";
import { killAtEveryCall } from "./crash-checks.ts";
import * as checks from "./race-checks.ts";

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

/** What was read before the lock is written under it. */
const WITHOUT_READING_AGAIN: readonly PlantedFault[] = [
  {
    file: "control-plane/src/events/commit-changes.ts",
    replace: "return database.write(async (tx) => {\n    const decided = await decide(tx);",
    by: "const decided = await database.read(decide);\n  return database.write(async (tx) => {",
  },
];

describe("the race checks turn red", () => {
  describe("when every statement commits by itself", () => {
    const planted = usePlantedCli(WITHOUT_TRANSACTION);
    test.each([
      ["fifty distinct todos", checks.keepsFiftyDistinctTodos],
      ["one turn of one identity", checks.opensOneTurnForOneIdentity],
      ["no todo in two turns", checks.givesNoTodoToTwoTurns],
    ])("%s", async (_, check) => {
      await expect(check(planted().program)).rejects.toThrow();
    });
  });

  describe("when what was read before the lock is not read again under it", () => {
    const planted = usePlantedCli(WITHOUT_READING_AGAIN);
    test.each([
      ["one of fifty identical todos", checks.addsOneOfFiftyIdenticalTodos],
      ["one claim winner of fifty", checks.letsOneOfFiftyAgentsClaim],
      ["one settlement of one turn", checks.settlesOneTurnOnce],
    ])("%s", async (_, check) => {
      await expect(check(planted().program)).rejects.toThrow();
    });
  });
});

describe.skipIf(!hasStrace)("the crash check turns red", () => {
  const planted = usePlantedCli(WITHOUT_TRANSACTION);
  test("when every statement commits by itself", async () => {
    await expect(killAtEveryCall(ADD_CASE, planted().program)).rejects.toThrow(/killed at/);
  });
});

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
