import { describe, expect, test } from "vitest";
import type { GuidedStartFacts } from "../../src/guided-start/guided-start-facts.ts";
import { renderGuidedStart } from "../../src/guided-start/guided-start.ts";
import { SURFACES } from "../../src/surfaces/surface.ts";
import { printCommand } from "../printed-commands.ts";
import { BOUND_START, FIRST_START } from "./start-facts.ts";

const GATE_BUDGET_BYTES = 2048;
const START_BUDGET_BYTES = 4096;
const THREAD_ID = "019a2f4e-7c31-7d02-9b6e-2f1c0de9a7b4";

/** Minified bytes without the texts that are the caller's own: task text, project path, thread id. */
function ownBytes(facts: GuidedStartFacts): number {
  const json = JSON.stringify(renderGuidedStart({ ...facts, goalText: "", projectAsTyped: "" }, printCommand));
  return Buffer.byteLength(json.replaceAll(THREAD_ID, ""));
}

/** How often the task text stands in the packet: each further copy costs its length. */
function countCopies(facts: GuidedStartFacts): number {
  return JSON.stringify(renderGuidedStart({ ...facts, goalText: "Zq7Zq7" }, printCommand)).split("Zq7Zq7").length - 1;
}

const unbound: GuidedStartFacts = { ...BOUND_START, threadId: THREAD_ID, binding: { status: "missing" } };
const manyLanes = Array.from({ length: 300 }, (_, index) => `codex-cli-${index + 1}`);
const manyGoals = Array.from({ length: 200 }, (_, index) => ({
  goalId: `project-number-${index}-goal`,
  objective: "Make the importer read every file of the archive and report what it could not read".repeat(3),
  status: "active" as const,
}));

const GATES: readonly (readonly [string, GuidedStartFacts])[] = [
  ["host surface", { ...unbound, hostSurface: undefined }],
  ["project", { ...FIRST_START, connection: "project_not_resolved" }],
  ["200 goals", { ...unbound, goals: manyGoals }],
  ["two lanes", unbound],
  ["300 lanes", { ...unbound, registeredAgents: manyLanes }],
  ["300 lanes, unknown one named", { ...unbound, registeredAgents: manyLanes, agentId: "codex-cli-999" }],
  ["new peer on a bound thread", { ...BOUND_START, threadId: THREAD_ID, newPeer: true }],
  ["another lane than the bound one", { ...BOUND_START, threadId: THREAD_ID, agentId: "codex-cli-2" }],
  [
    "three bindings of one thread",
    { ...unbound, binding: { status: "conflict", agentIds: ["codex-cli-1", "codex-cli-2", "codex-cli-3"] } },
  ],
];

describe("bytes of a gate", () => {
  test.each(GATES)("%s", (_case, facts) => {
    expect(ownBytes(facts)).toBeLessThanOrEqual(GATE_BUDGET_BYTES);
  });

  test.each(GATES)("%s holds the task text in its field and its rerun command only", (_case, facts) => {
    expect(countCopies(facts)).toBe(facts.connection === "project_not_resolved" ? 1 : 2);
  });

  test("a list that doesn't fit keeps its head, and says how long it is", () => {
    const packet = renderGuidedStart({ ...unbound, registeredAgents: manyLanes }, printCommand);
    const gate = "identity_selection_gate" in packet ? packet.identity_selection_gate : undefined;
    expect(gate?.registered_agent_count).toBe(300);
    expect(gate?.choices.length).toBeGreaterThan(3);
    expect(gate?.choices.at(-1)?.mode).toBe("register_fresh_agent");
    expect(gate?.list_command).toBe("loopx status --goal-id=demo-goal");
  });
});

describe("bytes of a whole start", () => {
  const longest: GuidedStartFacts = { ...FIRST_START, threadId: THREAD_ID, binding: { status: "missing" } };

  test.each(SURFACES.map((surface) => surface.hostSurface))("first start with a thread on %s", (hostSurface) => {
    expect(ownBytes({ ...longest, hostSurface })).toBeLessThanOrEqual(START_BUDGET_BYTES);
  });

  test("a bound start", () => {
    expect(ownBytes(BOUND_START)).toBeLessThanOrEqual(START_BUDGET_BYTES);
  });

  test("the task text stands in its field, in the connection that stores it and in the cold path", () => {
    expect(countCopies(longest)).toBe(3);
    expect(countCopies(BOUND_START)).toBe(2);
  });
});
