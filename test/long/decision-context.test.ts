import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { countEvents, findContradictions, loadProjectState } from "../support/project-state.ts";
import { readField } from "../support/read-field.ts";
import { CANARIES, createRecallWorld, findTexts, type RecallWorld } from "../support/recall-world.ts";
import { hasStrace, killAtSystemCall, recordSystemCalls } from "../support/system-calls.ts";
import { takeSnapshot } from "../support/world-snapshot.ts";
import { verifies } from "../support/verifies.ts";

let world: RecallWorld;
beforeEach(async () => {
  world = await createRecallWorld();
});
afterEach(() => world.remove());

async function prepareNoChange(): Promise<readonly string[]> {
  const rebase = join(world.directory, "rebase.json");
  writeFileSync(rebase, '{"semantic_no_change":true}');
  const prepared = await world.decide("prepare-review", [`--rebase-json=${rebase}`, "--execute"]);
  expect(prepared).toMatchObject({ pending_settlement_written: true });
  const lane = ["--goal-id=g1", "--agent-id=a1", `--profile=${world.profile}`, "--decision-id=d1"];
  return [
    "decision-context",
    "settle-review",
    ...lane,
    "--reason-code=reviewed",
    "--summary=Nothing changed",
    "--execute",
  ];
}

/** Whether the source counts as read, and how many settlements the goal's events hold. */
async function readState(): Promise<{ readonly isRead: boolean; readonly reviews: number }> {
  const evidence = await world.decide("prepare-evidence");
  const receipts = readField(evidence, "assembly", "source_scan_receipts") as readonly { readonly status: string }[];
  const state = await loadProjectState(world);
  expect(findContradictions(state)).toEqual([]);
  return { isRead: receipts[0]?.status === "no_change", reviews: countEvents(state, "decision_reviewed.v1") };
}

describe("settling", () => {
  test.runIf(hasStrace)("killed at any system call leaves event and cursor both there, or neither", async () => {
    const settle = await prepareNoChange();
    const snapshot = takeSnapshot(world);
    const calls = await recordSystemCalls(world, settle);
    const seen = { kept: 0, absent: 0 };
    const step = Math.max(1, Math.floor(calls.length / 25));
    for (const call of calls.filter((_, at) => at % step === 0)) {
      snapshot.restore();
      await killAtSystemCall(world, settle, call);
      const again = await world.run(["history", "--goal-id=g1"]);
      // A hot journal is mended by the next writer, whoever that is.
      if (again.exitCode !== 0) await world.call(["refresh-state", "--goal-id=g1"]).catch(() => undefined);
      const { isRead, reviews } = await readState();
      expect([reviews, isRead], `${call.name} ${call.occurrence}`).toEqual(isRead ? [1, true] : [0, false]);
      seen[isRead ? "kept" : "absent"] += 1;
      expect((await world.run(settle)).json).toMatchObject({ ok: true, disposition: "no_change" });
      expect(await readState()).toEqual({ isRead: true, reviews: 1 });
    }
    snapshot.remove();
    // A walk that saw one end only proves nothing about the middle.
    expect([seen.kept > 0, seen.absent > 0]).toEqual([true, true]);
  });

  test("by twelve processes at once is one settlement, replayed by all others", async () => {
    const settle = await prepareNoChange();
    const results = await world.spawnMany(12, () => settle);
    expect(results.map(({ exitCode }) => exitCode)).toEqual(results.map(() => 0));
    expect(results.filter(({ json }) => readField(json, "changed") === true)).toHaveLength(1);
    expect(await readState()).toEqual({ isRead: true, reviews: 1 });
  });
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
  const settle = await prepareNoChange();
  expect((await world.run(settle, { env })).exitCode).toBe(0);
  await world.call(["backup"]);
  const texts = Object.values(CANARIES);
  expect(findTexts(world.home, texts)).toEqual([`${world.profile}: ${CANARIES.thread}`]);
  expect(findTexts(world.project, texts)).toEqual([]);
  expect(findTexts(temporary, texts)).toEqual([]);
  expect(readdirSync(world.project, { recursive: true }).length).toBeGreaterThan(1);
});
