import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createReviewWorld, type Packet, type ReviewWorld } from "./review-world.ts";

let world: ReviewWorld;
beforeEach(async () => {
  world = await createReviewWorld();
});
afterEach(() => world.remove());

const PROPOSAL = {
  objective_scores: [{ objective_id: "goal", score: 1, rationale: "It keeps the risk small" }],
  recommended_decision: {
    option_id: "go-on",
    summary: "The pilot goes on",
    rationale: "The authority says so",
    confidence: 0.8,
  },
  alternatives: [{ alternative_id: "stop", summary: "Stop the pilot", tradeoff: "Nothing is learned" }],
};
const WORDS = ["--reason-code=reviewed", "--summary=The pilot goes on", "--execute"];

/** What an agent makes of the one change. */
async function rebase(): Promise<string> {
  const evidence = await world.decide("prepare-evidence");
  const change = at(evidence, "assembly", "source_scan_receipts", 0, "changes", 0) as Packet;
  return world.json("rebase-json", {
    changed_facts: [
      {
        fact_id: "pilot",
        summary: "The authority bounds the pilot",
        source_ref: change["change_ref"],
        source_revision: change["revision_ref"],
        observed_at: "2026-03-01T12:00:00Z",
      },
    ],
  });
}

function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string | number, unknown> | undefined)?.[key], value);
}

async function propose(): Promise<Packet> {
  return world.decide("prepare-review", [await rebase(), world.json("proposal-json", PROPOSAL), "--execute"]);
}

async function decideGate(prepared: Packet, decision: string): Promise<void> {
  const gateId = String(prepared["gate_todo_id"]);
  await world.must(["gate", "decide", "--goal-id=g1", `--gate-id=${gateId}`, `--decision=${decision}`]);
}

async function countReviews(): Promise<number> {
  const history = await world.as(["history", "--goal-id=g1"], "agent");
  return JSON.stringify(history).split("decision_reviewed.v1").length - 1;
}

describe("a source that changed after the moment of the decision, by a clock that is wrong", () => {
  test.each(["never read", "read before"])("%s: counts as not read, never as unchanged", async (state) => {
    if (state === "read before") {
      await world.decide("prepare-review", [world.json("rebase-json", { semantic_no_change: true }), "--execute"]);
      await world.decide("settle-review", WORDS);
    }
    world.writeAuthority("The pilot is over.\n", -3_600_000);
    expect(at(await world.decide("prepare-evidence"), "assembly")).toMatchObject({
      source_scan_receipts: [{ status: "failed", reason_code: "source_newer_than_before", changes: [] }],
      cursor_checkpoint: { sources: [{ disposition: "preserve" }] },
    });
    const prepared = await world.decide("prepare-review", ["--execute"]);
    expect(JSON.stringify(prepared)).not.toContain('"no_material_change"');
    // At most the review of before is replayed.
    await world.decide("settle-review", WORDS);
    expect(await countReviews()).toBe(state === "read before" ? 1 : 0);
  });
});

describe("where nothing changed that matters", () => {
  test("a review is prepared and settled without anybody's decision, and the source counts as read", async () => {
    const flags = [world.json("rebase-json", { semantic_no_change: true }), "--execute"];
    expect(await world.decide("prepare-review", flags)).toMatchObject({
      pending_settlement_written: true,
      gate_todo_id: null,
      assembly: { semantic_rebase: { status: "no_material_change", quiet_noop_allowed: true } },
    });
    expect(await world.decide("settle-review", WORDS)).toMatchObject({
      disposition: "no_change",
      quiet_noop: true,
      cursor_commit: {
        status: "committed",
        readback_verified: true,
        cursor_state_mutated: true,
        sources: [
          { source_id: "source:authority", cursor_after_ref: "source-cursor-a36515ae13245274b5e4", status: "advanced" },
        ],
      },
    });
    const later = await world.decide("prepare-evidence");
    expect(at(later, "assembly", "source_scan_receipts", 0)).toMatchObject({
      status: "no_change",
      cursor_before_ref: "source-cursor-a36515ae13245274b5e4",
    });
  });

  test("evidence without a change leads on to a review that needs no document, and with one to what it has to name", async () => {
    const next = async (): Promise<unknown> => at(await world.decide("prepare-evidence"), "next", 0);
    expect(await next()).toContain("--rebase-json");
    await world.decide("prepare-review", [world.json("rebase-json", { semantic_no_change: true }), "--execute"]);
    await world.decide("settle-review", WORDS);
    expect(await next()).toMatch(/^loopx decision-context prepare-review (?!.*--rebase-json)/);
  });

  test("the same settlement again is replayed, and another receipt is refused", async () => {
    await world.decide("prepare-review", [world.json("rebase-json", { semantic_no_change: true }), "--execute"]);
    await world.decide("settle-review", WORDS);
    const again = await world.decide("settle-review", WORDS);
    expect(again).toMatchObject({ changed: false, cursor_commit: { status: "replayed", cursor_state_mutated: false } });
    const other = await world.decide("settle-review", ["--reason-code=another", "--summary=Other words", "--execute"]);
    expect(other).toMatchObject({ error: { code: "review_settled" } });
    expect(await countReviews()).toBe(1);
  });

  test("what changed needs a proposal, and evidence that leaves a change open settles nothing", async () => {
    expect(await world.decide("prepare-review", ["--execute"])).toMatchObject({
      not_settleable_because: "evidence_incomplete",
      pending_settlement_written: false,
      next: [expect.stringContaining("'--rebase-json=<rebase.json>'")],
    });
    expect(await world.decide("prepare-review", [await rebase(), "--execute"])).toMatchObject({
      not_settleable_because: "proposal_required",
      pending_settlement_written: false,
      next: [expect.stringContaining("'--proposal-json=<proposal.json>'")],
    });
    expect(await world.decide("settle-review", WORDS)).toMatchObject({ error: { code: "unknown_decision" } });
    const proposal = world.json("proposal-json", PROPOSAL);
    expect(await world.decide("prepare-review", [proposal, "--execute"])).toMatchObject({
      error: { code: "evidence_outdated" },
    });
  });
});

describe("a proposal", () => {
  test("opens one gate on exactly itself, and is not settled before its owner decides", async () => {
    const prepared = await propose();
    const ref = String(at(prepared, "proposal", "packet_ref"));
    expect(prepared).toMatchObject({ changed: true, decision_scope: `direction:action:${ref}` });
    const gate = await world.as(
      ["gate", "show", "--goal-id=g1", `--gate-id=${String(prepared["gate_todo_id"])}`],
      "agent",
    );
    expect(JSON.stringify(gate)).toContain("The pilot goes on");
    const refused = await world.decide("settle-review", WORDS);
    expect(refused).toMatchObject({ error: { code: "review_open" } });
    expect(at(refused, "error", "hint")).toContain(
      `loopx gate decide --goal-id=g1 --gate-id=${String(prepared["gate_todo_id"])}`,
    );
    const again = await propose();
    expect(again).toMatchObject({ changed: false, gate_todo_id: prepared["gate_todo_id"] });
  });

  test.each([
    ["approve", "approve"],
    ["reject", "reject"],
  ])("is settled as its owner decided: %s", async (decision, disposition) => {
    const prepared = await propose();
    await decideGate(prepared, decision);
    const settled = await world.decide("settle-review", WORDS);
    expect(settled).toMatchObject({
      disposition,
      changed: true,
      review_receipt: {
        gate_todo_id: prepared["gate_todo_id"],
        authority_confirmed: true,
        outcome_observation_required: disposition === "approve",
      },
      cursor_commit: { cursor_state_mutated: true },
    });
    expect(await countReviews()).toBe(1);
  });

  test("that is put off moves no cursor and is settled later", async () => {
    const prepared = await propose();
    await decideGate(prepared, "defer");
    expect(await world.decide("settle-review", WORDS)).toMatchObject({
      disposition: "defer",
      cursor_commit: { cursor_state_mutated: false, sources: [{ status: "preserved" }] },
    });
    expect(
      at(await world.decide("prepare-evidence"), "assembly", "source_scan_receipts", 0, "cursor_before_ref"),
    ).toBeNull();
    await decideGate(prepared, "approve");
    expect(await world.decide("settle-review", WORDS)).toMatchObject({
      disposition: "approve",
      cursor_commit: { cursor_state_mutated: true },
    });
    expect(await countReviews()).toBe(2);
  });

  test("on which its owner's mind changes after the settlement stays as it was settled", async () => {
    const prepared = await propose();
    await decideGate(prepared, "approve");
    await world.decide("settle-review", WORDS);
    await decideGate(prepared, "reject");
    expect(await world.decide("settle-review", WORDS)).toMatchObject({ error: { code: "review_settled" } });
  });

  test("waits: another one on the same decision is refused meanwhile", async () => {
    await propose();
    world.writeAuthority("Another authority.\n");
    expect(await propose()).toMatchObject({ error: { code: "review_open" } });
  });

  test("under a profile that was edited since is refused, and nothing is written", async () => {
    const prepared = await propose();
    await decideGate(prepared, "approve");
    const file = join(world.directory, "profile.json");
    writeFileSync(file, readFileSync(file, "utf8").replace('"max_changes": 20', '"max_changes": 21'));
    expect(await world.decide("settle-review", WORDS)).toMatchObject({ error: { code: "evidence_outdated" } });
    expect(await countReviews()).toBe(0);
    expect(
      at(await world.decide("prepare-evidence"), "assembly", "source_scan_receipts", 0, "cursor_before_ref"),
    ).toBeNull();
  });

  test("whose source another review settled meanwhile is refused", async () => {
    const prepared = await propose();
    await decideGate(prepared, "approve");
    const noChange = world.json("rebase-json", { semantic_no_change: true });
    const lane = [
      "--goal-id=g1",
      "--agent-id=a1",
      `--profile=${join(world.directory, "profile.json")}`,
      "--decision-id=d2",
    ];
    await world.must(["decision-context", "prepare-review", ...lane, noChange, "--execute"], "agent");
    await world.must(["decision-context", "settle-review", ...lane, ...WORDS], "agent");
    const refused = await world.decide("settle-review", WORDS);
    expect(refused).toMatchObject({ error: { code: "evidence_outdated", details: { reason_code: "cursor_changed" } } });
    expect(await countReviews()).toBe(1);
  });

  test("has an outcome once it is approved, and the same again is already so", async () => {
    const outcome = world.json("outcome-json", {
      verification_status: "verified",
      accepted_decision: {
        option_id: "go-on",
        summary: "It went on",
        accepted_by: "owner",
        accepted_at: "2026-03-01T12:00:00Z",
      },
      observed_outcomes: [
        {
          outcome_id: "o1",
          summary: "It held",
          evidence_ref: "e1",
          status: "verified",
          observed_at: "2026-03-01T12:00:00Z",
        },
      ],
    });
    const prepared = await propose();
    expect(await world.decide("record-outcome", [outcome, "--execute"])).toMatchObject({
      error: { code: "review_open" },
    });
    await decideGate(prepared, "approve");
    await world.decide("settle-review", WORDS);
    expect(await world.decide("record-outcome", [outcome, "--execute"])).toMatchObject({
      changed: true,
      outcome_feedback: {
        outcome_telemetry: { observed_count: 1, verified_count: 1 },
        reward_memory_candidate: { eligible: false, review_required: true },
      },
    });
    expect(await world.decide("record-outcome", [outcome, "--execute"])).toMatchObject({ changed: false });
  });
});

describe("between a proposal and its settlement", () => {
  test("a pause holds nothing back: what the owner decided is recorded, and nothing begins", async () => {
    const prepared = await propose();
    await world.must(["goal", "pause", "--goal-id=g1"]);
    await decideGate(prepared, "reject");
    expect(await world.decide("settle-review", WORDS)).toMatchObject({ disposition: "reject", changed: true });
  });

  test("a stopped goal takes no settlement, and its sources don't count as read", async () => {
    const prepared = await propose();
    await decideGate(prepared, "approve");
    await world.must(["goal", "stop", "--goal-id=g1", "--reason=Another way"]);
    expect(await world.decide("settle-review", WORDS)).toMatchObject({ error: { code: "goal_not_active" } });
    expect(await countReviews()).toBe(0);
    expect(at(await world.decide("prepare-evidence"), "assembly", "source_scan_receipts", 0, "status")).toBe(
      "completed",
    );
  });

  test("a settlement from before the stop is already so afterwards", async () => {
    await decideGate(await propose(), "approve");
    await world.decide("settle-review", WORDS);
    await world.must(["goal", "stop", "--goal-id=g1", "--reason=Done with it"]);
    expect(await world.decide("settle-review", WORDS)).toMatchObject({ ok: true, changed: false });
    expect(await countReviews()).toBe(1);
  });

  test("a clock that goes back changes nothing: no time is compared", async () => {
    const later = "--observed-at=2031-01-01T00:00:00Z";
    const flags = [world.json("rebase-json", { semantic_no_change: true }), later, "--execute"];
    expect(await world.decide("prepare-review", flags)).toMatchObject({ pending_settlement_written: true });
    expect(await world.decide("settle-review", WORDS)).toMatchObject({ disposition: "no_change", changed: true });
    expect(await world.decide("settle-review", WORDS)).toMatchObject({ changed: false });
  });
});

describe("documents", () => {
  test("are taken as the guide shows them", async () => {
    const guide = readFileSync(join(import.meta.dirname, "../../../../docs/guides/decision-context.md"), "utf8");
    const shown = [...guide.matchAll(/^```json\n(.*?)^```/gms)].map(([, text = ""]) => text);
    const show = (key: string): string => shown.find((text) => text.includes(`"${key}"`)) ?? "";
    const evidence = await world.decide("prepare-evidence");
    const change = at(evidence, "assembly", "source_scan_receipts", 0, "changes", 0) as Packet;
    const facts = show("changed_facts")
      .replace("source-change-…", String(change["change_ref"]))
      .replace("source-revision-…", String(change["revision_ref"]));
    const prepared = await world.decide("prepare-review", [
      world.json("rebase-json", JSON.parse(facts)),
      world.json("proposal-json", JSON.parse(show("objective_scores"))),
      "--execute",
    ]);
    await decideGate(prepared, "approve");
    expect(await world.decide("settle-review", WORDS)).toMatchObject({ disposition: "approve" });
    const outcome = world.json("outcome-json", JSON.parse(show("verification_status")));
    expect(await world.decide("record-outcome", [outcome, "--execute"])).toMatchObject({ changed: true });
  });

  test.each<[string, string, object, string]>([
    ["rebase-json", "prepare-review", { changed_fact: [] }, 'did you mean \\"changed_facts\\"'],
    ["rebase-json", "prepare-review", { semantic_no_change: "yes" }, "/semantic_no_change must be true or false"],
    [
      "proposal-json",
      "prepare-review",
      { ...PROPOSAL, objective_scores: [] },
      "/objective_scores needs at least 1 entry",
    ],
    ["rebase-json", "prepare-review", { changed_facts: "none" }, "/changed_facts must be a list"],
    ["outcome-json", "record-outcome", { observed_outcomes: {} }, "/observed_outcomes must be a list"],
    ["outcome-json", "record-outcome", { verification_status: "good" }, "/verification_status must be"],
  ])("in --%s of %s are strict and say where they are wrong", async (flag, command, document, says) => {
    const answer = await world.decide(command, [world.json(flag, document), "--execute"]);
    expect(answer).toMatchObject({ ok: false, error: { code: "invalid_value" } });
    expect(JSON.stringify(answer)).toContain(says);
  });

  test("may not name what was not read, nor hold private places", async () => {
    const fact = { fact_id: "f", summary: "ok", source_ref: "source-change-x", observed_at: "2026-03-01T12:00:00Z" };
    const unread = await world.decide("prepare-review", [world.json("rebase-json", { changed_facts: [fact] })]);
    expect(at(unread, "error", "message")).toContain("/changed_facts/0/source_ref names no source_ref");
    const secret = { ...fact, summary: "see /home/someone/notes" };
    const leaking = await world.decide("prepare-review", [world.json("rebase-json", { changed_facts: [secret] })]);
    expect(at(leaking, "error", "message")).toContain("/changed_facts/0/summary holds a local path");
    expect(JSON.stringify(leaking)).not.toContain("someone");
  });

  test("a profile that others can read is not used", async () => {
    chmodSync(join(world.directory, "profile.json"), 0o644);
    expect(await world.decide("prepare-evidence")).toMatchObject({ status: "profile_invalid", assembly: null });
  });
});
