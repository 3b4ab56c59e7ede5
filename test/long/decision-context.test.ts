import { spawn } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CANARIES, createRecallWorld, findTexts, type RecallWorld } from "../support/recall-world.ts";
import { hasStrace } from "../support/system-calls.ts";
import { verifies } from "../support/verifies.ts";
import {
  leavesSettlementWhole,
  prepareNoChange,
  settlesOnceOfTwenty,
  settlesWhatTheOwnerSays,
} from "./settlement-checks.ts";

let world: RecallWorld;
beforeEach(async () => {
  world = await createRecallWorld();
});
afterEach(() => world.remove());

describe("settling", () => {
  test.runIf(hasStrace)("killed at any system call leaves event and cursor both there, or neither", () =>
    leavesSettlementWhole(world),
  );

  test("by twenty processes at once is one settlement, replayed by all others", () => settlesOnceOfTwenty(world));

  test("by twenty processes of which six are killed is one settlement", () => settlesOnceOfTwenty(world, 6));

  test.each(["approve", "reject"] as const)("while the owner decides settles exactly that: %s", (verdict) =>
    settlesWhatTheOwnerSays(world, verdict),
  );
});

test("whatever becomes of recalls, LoopX and providers, nothing private stands in any file", async () => {
  verifies("advisory.nothing-persisted");
  const temporary = join(world.directory, "tmp");
  mkdirSync(temporary);
  const env = { TMPDIR: temporary, SECRET: CANARIES.env };
  const ways = ["pilot", "crash", "noise", "null score", "hang"];
  const lane = ["--goal-id=g1", "--agent-id=a1", `--profile=${world.profile}`];
  const recall = (way: string): readonly string[] => [
    ...["decision-context", "recall-context", ...lane, `--query=${CANARIES.query} ${way}`, "--timeout-seconds=1"],
    `--thread-link=codex://threads/${CANARIES.thread}`,
  ];
  await world.spawnMany(
    15,
    (index) => recall(ways[index % ways.length] ?? ""),
    () => ({ env }),
  );
  for (let round = 0; round < 12; round += 1) {
    const argv = [world.program, "--verbose", ...recall(ways[round % ways.length] ?? "")];
    const child = spawn(process.execPath, argv, { cwd: world.project, env: { ...world.env, ...env }, stdio: "ignore" });
    const ended = new Promise((resolve) => child.on("exit", resolve));
    await pause(40 + round * 25);
    child.kill(round % 2 === 0 ? "SIGKILL" : "SIGTERM");
    await ended;
  }
  const settle = await prepareNoChange(world);
  expect((await world.run(settle, { env })).exitCode).toBe(0);
  await world.call(["backup"]);
  const texts = Object.values(CANARIES);
  expect(findTexts(world.home, texts)).toEqual([`${world.profile}: ${CANARIES.thread}`]);
  expect(findTexts(world.project, texts)).toEqual([]);
  expect(findTexts(temporary, texts)).toEqual([]);
  expect(readdirSync(world.project, { recursive: true }).length).toBeGreaterThan(1);
});
