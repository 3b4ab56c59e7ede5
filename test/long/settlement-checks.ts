import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { countEvents, findContradictions, loadProjectState } from "../support/project-state.ts";
import { readField } from "../support/read-field.ts";
import { createRecallWorld, type RecallWorld } from "../support/recall-world.ts";
import { killAtSystemCall, recordSystemCalls } from "../support/system-calls.ts";
import { takeSnapshot } from "../support/world-snapshot.ts";

const PROPOSAL = {
  objective_scores: [{ objective_id: "goal", score: 1, rationale: "It keeps the risk small" }],
  recommended_decision: { option_id: "go-on", summary: "It goes on", rationale: "It may", confidence: 0.8 },
  alternatives: [{ alternative_id: "stop", summary: "Stop the pilot", tradeoff: "Nothing is learned" }],
};

/** Runs a check in a world of its own, on this program. */
export async function inRecallWorld(
  program: string | undefined,
  check: (world: RecallWorld) => Promise<void>,
): Promise<void> {
  const world = await createRecallWorld(program);
  try {
    await check(world);
  } finally {
    world.remove();
  }
}

/** The words that settle the review of `d1`. */
function settleWords({ profile }: RecallWorld): readonly string[] {
  const lane = ["--goal-id=g1", "--agent-id=a1", `--profile=${profile}`, "--decision-id=d1"];
  return ["decision-context", "settle-review", ...lane, "--reason-code=reviewed", "--summary=Looked at", "--execute"];
}

/** Prepares a review in which nothing mattered, and gives the words that settle it. */
export async function prepareNoChange(world: RecallWorld): Promise<readonly string[]> {
  const rebase = join(world.directory, "rebase.json");
  writeFileSync(rebase, '{"semantic_no_change":true}');
  const prepared = await world.decide("prepare-review", [`--rebase-json=${rebase}`, "--execute"]);
  expect(prepared).toMatchObject({ pending_settlement_written: true });
  return settleWords(world);
}

/** Whether the source counts as read, and how many settlements the goal's events hold. */
async function readState(world: RecallWorld): Promise<{ readonly isRead: boolean; readonly reviews: number }> {
  const evidence = await world.decide("prepare-evidence");
  const receipts = readField(evidence, "assembly", "source_scan_receipts") as readonly { readonly status: string }[];
  const state = await loadProjectState(world);
  expect(findContradictions(state)).toEqual([]);
  return { isRead: receipts[0]?.status === "no_change", reviews: countEvents(state, "decision_reviewed.v1") };
}

/** A settlement that is killed leaves event and cursor both there, or neither, and can be made then. */
export async function leavesSettlementWhole(world: RecallWorld): Promise<void> {
  const settle = await prepareNoChange(world);
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
    const { isRead, reviews } = await readState(world);
    expect([reviews, isRead], `${call.name} ${call.occurrence}`).toEqual(isRead ? [1, true] : [0, false]);
    seen[isRead ? "kept" : "absent"] += 1;
    expect((await world.run(settle)).json).toMatchObject({ ok: true, disposition: "no_change" });
    expect(await readState(world)).toEqual({ isRead: true, reviews: 1 });
  }
  snapshot.remove();
  // A walk that saw one end only proves nothing about the middle.
  expect([seen.kept > 0, seen.absent > 0]).toEqual([true, true]);
}

/** Twenty processes settle at once, and each that is not killed has settled or replays. */
export async function settlesOnceOfTwenty(world: RecallWorld, killed = 0): Promise<void> {
  const settle = await prepareNoChange(world);
  const results = await world.spawnMany(
    20,
    () => settle,
    (index) => (index < killed ? { killAfterMs: 250 + index * 40 } : {}),
  );
  const whole = results.slice(killed);
  expect(whole.map(({ exitCode }) => exitCode)).toEqual(whole.map(() => 0));
  const changed = results.filter(({ json }) => json !== undefined && readField(json, "changed") === true);
  if (killed === 0) expect(changed).toHaveLength(1);
  expect(changed.length).toBeLessThanOrEqual(1);
  expect(await readState(world)).toEqual({ isRead: true, reviews: 1 });
}

/** Settlements that run while the owner decides wait for the verdict or settle exactly it. */
export async function settlesWhatTheOwnerSays(world: RecallWorld, verdict: "approve" | "reject"): Promise<void> {
  const evidence = await world.decide("prepare-evidence");
  const [receipt] = readField(evidence, "assembly", "source_scan_receipts") as readonly object[];
  const [change] = readField(receipt, "changes") as readonly object[];
  const fact = {
    fact_id: "pilot",
    summary: "The authority bounds the pilot",
    source_ref: readField(change, "change_ref"),
    source_revision: readField(change, "revision_ref"),
    observed_at: "2026-03-01T12:00:00Z",
  };
  const write = (name: string, document: object): string => {
    const path = join(world.directory, `${name}.json`);
    writeFileSync(path, JSON.stringify(document));
    return `--${name}-json=${path}`;
  };
  const documents = [write("rebase", { changed_facts: [fact] }), write("proposal", PROPOSAL)];
  const prepared = await world.decide("prepare-review", [...documents, "--execute"]);
  const gate = [`--gate-id=${String(prepared["gate_todo_id"])}`, `--decision=${verdict}`];
  const decide = ["gate", "decide", "--goal-id=g1", ...gate, `--owner-token-file=${world.token}`];
  const settle = settleWords(world);
  const results = await world.spawnMany(10, (index) => (index === 5 ? decide : settle));
  const settled = results.filter((_, index) => index !== 5).map(({ json }) => json);
  for (const json of settled) {
    if (readField(json, "ok") === true) expect(json).toMatchObject({ disposition: verdict });
    else expect(json).toMatchObject({ error: { code: "review_open" } });
  }
  expect((await world.run(settle)).json).toMatchObject({ ok: true, disposition: verdict });
  expect(await readState(world)).toEqual({ isRead: true, reviews: 1 });
}
