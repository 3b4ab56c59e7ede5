import { describe, expect, test } from "vitest";
import type { GuidedStartFacts } from "../../src/guided-start/guided-start-facts.ts";
import type { GuidedStartPacket, ReadyStartPacket } from "../../src/guided-start/guided-start-packet.ts";
import { renderGuidedStart } from "../../src/guided-start/guided-start.ts";
import { parseThroughShell, printCommand, textOfFlag } from "../printed-commands.ts";
import { BOUND_START, FIRST_START } from "./start-facts.ts";

function start(facts: GuidedStartFacts): GuidedStartPacket {
  return renderGuidedStart(facts, printCommand);
}

function ready(facts: GuidedStartFacts): ReadyStartPacket {
  const packet = start(facts);
  if (!("host_activation" in packet)) throw new Error(`blocked by ${packet.guided_transaction.blocked_by}`);
  return packet;
}

function stepIds(packet: GuidedStartPacket): readonly string[] {
  return packet.guided_transaction.ordered_steps.map((step) => step.id);
}

describe("gates stand in one order", () => {
  const severalGoals = [
    { goalId: "one", objective: "First", status: "active" },
    { goalId: "two", objective: "Second", status: "paused" },
  ] as const;
  const everythingOpen: GuidedStartFacts = {
    ...BOUND_START,
    connection: "store_missing",
    hostSurface: undefined,
    goals: severalGoals,
    threadId: undefined,
    binding: { status: "unavailable" },
  };

  test("project, then host surface, then goal, then identity, then the whole start", () => {
    const answers: Partial<GuidedStartFacts>[] = [
      {},
      { connection: "connected" },
      { hostSurface: "claude-code" },
      { goalId: "one" },
      { agentId: "codex-cli-1" },
    ];
    let facts = everythingOpen;
    const seen = answers.map((answer) => {
      facts = { ...facts, ...answer };
      return start(facts).guided_transaction.blocked_by;
    });
    expect(seen).toEqual([
      "project_setup",
      "host_surface_selection",
      "goal_selection",
      "agent_identity_selection",
      undefined,
    ]);
  });

  test("a gate's only step is the gate", () => {
    expect(start({ ...FIRST_START, hostSurface: undefined }).guided_transaction).toEqual({
      mode: "dry_run_preview",
      writes_now: false,
      spends_quota_now: false,
      blocked_by: "host_surface_selection",
      ordered_steps: [{ id: "select_host_surface", kind: "host_surface_selection_gate" }],
    });
  });
});

describe("the ordered steps", () => {
  test("a first start without a stable thread connects, registers, plans, writes, refreshes, activates, asks", () => {
    expect(stepIds(start(FIRST_START))).toEqual([
      "inspect_connection",
      "connect_if_needed",
      "register_agent",
      "plan_ranked_todos",
      "write_ordered_todos",
      "refresh_state",
      "activate_host_loop",
      "quota_guard",
    ]);
  });

  test("a stable thread is bound before any todo is written", () => {
    const packet = start({ ...FIRST_START, threadId: "thread-a", binding: { status: "missing" } });
    expect(stepIds(packet).slice(0, 5)).toEqual([
      "inspect_connection",
      "connect_if_needed",
      "register_agent",
      "bind_thread_identity",
      "plan_ranked_todos",
    ]);
    expect(packet.guided_transaction.ordered_steps[3]).toEqual({
      id: "bind_thread_identity",
      kind: "identity_mutation",
      command:
        "loopx bind-agent-thread --goal-id=demo-goal --thread-id=thread-a --host-surface=codex-cli-tui --agent-id=codex-cli-1 --execute",
      must_stop_on_failure: true,
      expected_result: { ok: true, global_sync: { ok: true }, registration_readback: { verified: true } },
    });
  });

  test("a bound thread in a connected project goes straight to planning", () => {
    expect(stepIds(start(BOUND_START))).toEqual([
      "inspect_connection",
      "plan_ranked_todos",
      "write_ordered_todos",
      "refresh_state",
      "activate_host_loop",
      "quota_guard",
    ]);
  });

  test("taking over a lane binds the thread and registers nothing", () => {
    const packet = start({ ...BOUND_START, binding: { status: "missing" }, agentId: "codex-cli-2" });
    expect(stepIds(packet).slice(0, 3)).toEqual(["inspect_connection", "bind_thread_identity", "plan_ranked_todos"]);
  });

  test("a new peer beside lanes gets an id that is free", () => {
    const packet = start({ ...BOUND_START, binding: { status: "missing" }, newPeer: true });
    expect(packet.guided_transaction.ordered_steps[1]?.command).toBe(
      "loopx register-agent --goal-id=demo-goal --agent-id=codex-cli-3 --require-new --execute",
    );
  });

  test("a further goal starts without the lanes and the binding of the first one", () => {
    const packet = start({ ...BOUND_START, newGoal: true, proposedGoalId: "demo-goal-x1y2" });
    expect(stepIds(packet).slice(0, 4)).toEqual([
      "inspect_connection",
      "connect_if_needed",
      "register_agent",
      "bind_thread_identity",
    ]);
    expect(packet.goal_id).toBe("demo-goal-x1y2");
  });
});

describe("what the commands carry", () => {
  test("the lane is in every command of a connected project that acts for it, and --project in none of them", () => {
    const packet = ready(BOUND_START);
    expect(
      packet.guided_transaction.ordered_steps.map((step) => step.command ?? step.command_template ?? step.see),
    ).toEqual([
      "loopx status --goal-id=demo-goal",
      undefined,
      "loopx todo add --goal-id=demo-goal --role=agent '--priority=<P0|P1|P2>' '--text=<todo text>' --agent-id=codex-cli-1",
      "loopx refresh-state --goal-id=demo-goal --agent-id=codex-cli-1",
      "host_activation",
      "loopx quota should-run --goal-id=demo-goal --agent-id=codex-cli-1 --thread-id=thread-a",
    ]);
  });

  test("start-goal and bootstrap repeat the project as it was typed", () => {
    const packet = ready({ ...FIRST_START, projectAsTyped: "../a b" });
    expect(packet.detail_command).toContain("'--project=../a b'");
    expect(packet.guided_transaction.ordered_steps[1]?.command).toContain("'--project=../a b'");
  });

  test("no --project is printed when none was typed", () => {
    expect(JSON.stringify(start({ ...FIRST_START, projectAsTyped: undefined }))).not.toContain("--project");
  });

  test("connecting passes the exact task text as the objective", () => {
    const goalText = 'I\'m "done"\n$(touch x) `id` $& $$ 好 😀';
    const command = start({ ...FIRST_START, goalText }).guided_transaction.ordered_steps[1]?.command ?? "";
    expect(parseThroughShell([command])[0]?.flags.get("objective")).toBe(goalText);
  });
});

describe("an existing goal", () => {
  test("keeps its objective; the text is planned as work for it", () => {
    const packet = ready({ ...BOUND_START, goalText: "Also add docs" });
    expect(packet.goal_plan).toEqual({
      mode: "existing_goal",
      sets_objective: false,
      note: "The goal keeps its objective; goal_text is planned as work for it.",
    });
    expect(JSON.stringify(packet.guided_transaction)).not.toContain("Also add docs");
  });

  test("completed and stopped goals take no new work: a new goal starts beside them", () => {
    const packet = ready({
      ...FIRST_START,
      connection: "connected",
      goals: [{ goalId: "demo-goal", objective: "Done", status: "completed" }],
      proposedGoalId: "demo-goal-k3f9",
    });
    expect(packet.goal_plan).toEqual({
      mode: "new_goal",
      sets_objective: true,
      note: "goal_text becomes the goal's objective.",
    });
    expect(packet.goal_id).toBe("demo-goal-k3f9");
  });
});

describe("detail", () => {
  test.each([
    ["a first start", FIRST_START],
    ["a bound start", BOUND_START],
    ["a takeover", { ...BOUND_START, binding: { status: "missing" }, agentId: "codex-cli-2" }],
    ["a new peer", { ...BOUND_START, binding: { status: "missing" }, newPeer: true }],
  ] as const)("%s has the same host action with and without it", (_case, facts) => {
    const compact = ready(facts);
    const detailed = ready({ ...facts, includeDetail: true });
    expect(detailed.guided_transaction).toEqual(compact.guided_transaction);
    expect(detailed.host_activation).toEqual(compact.host_activation);
    expect(detailed.planning_contract).toEqual(compact.planning_contract);
    expect(compact.command_pack).toBeUndefined();
    expect(detailed.command_pack?.bootstrap.schema_version).toBe("loopx_bootstrap_command_pack_v0");
  });

  test("the advertised command leads to the same host action", () => {
    const facts = { ...FIRST_START, goalText: "Ship it, $5 off" };
    const compact = ready(facts);
    const [command] = parseThroughShell([compact.detail_command]);
    expect(command?.flags.has("include-command-pack-detail")).toBe(true);
    const again = ready({
      ...facts,
      goalId: textOfFlag(command, "goal-id"),
      agentId: textOfFlag(command, "agent-id"),
      goalText: textOfFlag(command, "goal-text"),
      includeDetail: true,
    });
    expect(again.guided_transaction).toEqual(compact.guided_transaction);
    expect(again.host_activation).toEqual(compact.host_activation);
  });
});

describe("what a packet claims", () => {
  test("a preview that wrote nothing says so", () => {
    expect(start(BOUND_START)).toMatchObject({
      read_only: true,
      guided_transaction: { writes_now: false, spends_quota_now: false },
      safety_contract: {
        writes_registry: false,
        writes_state_file: false,
        creates_heartbeat: false,
        spends_quota: false,
        mutation_commands_are_previewed: true,
      },
    });
  });

  test("is computed: recorded effects turn the claims around", () => {
    expect(start({ ...BOUND_START, performedEffects: ["registry_write", "quota_spend"] })).toMatchObject({
      read_only: false,
      guided_transaction: { writes_now: true, spends_quota_now: true },
      safety_contract: { writes_registry: true, writes_state_file: false, spends_quota: true },
    });
  });

  test("a gate previews no mutation", () => {
    expect(start({ ...FIRST_START, hostSurface: undefined }).safety_contract.mutation_commands_are_previewed).toBe(
      false,
    );
  });

  test("what the task text contains is found, not assumed", () => {
    expect(start({ ...FIRST_START, goalText: "Fix the parser" }).task_text_contains).toEqual([]);
    expect(start({ ...FIRST_START, goalText: "Fix /home/alice/app/x.ts" }).task_text_contains).toEqual(["local_path"]);
  });

  test("no packet holds an absolute path that the caller didn't type", () => {
    for (const facts of [FIRST_START, BOUND_START, { ...FIRST_START, includeDetail: true }]) {
      expect(JSON.stringify(start(facts))).not.toMatch(/\/(?:home|Users|root|tmp|var|etc|opt|mnt|private|workspace)\b/);
    }
  });
});

describe("a project that can't take a start", () => {
  test("without a project root the packet is a setup help", () => {
    const packet = start({ ...FIRST_START, connection: "project_not_resolved", projectRootLabel: undefined });
    expect(packet).toMatchObject({
      ok: true,
      read_only: true,
      guided_transaction: { blocked_by: "project_setup" },
      project_gate: { state: "project_not_resolved", action_required: true },
    });
    expect(packet.guided_transaction.ordered_steps).toEqual([{ id: "set_up_project", kind: "project_gate" }]);
  });

  test("a store that is gone is repaired first, with the command that does it", () => {
    const packet = start({ ...BOUND_START, connection: "store_missing", repairCommand: "loopx restore --latest" });
    expect(packet).toMatchObject({ project_gate: { state: "store_missing", command: "loopx restore --latest" } });
  });
});
