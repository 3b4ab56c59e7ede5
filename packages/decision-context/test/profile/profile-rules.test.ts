import { describe, expect, test } from "vitest";
import { readProfile } from "../../src/profile/profile-rules.ts";
import { sketchProfile } from "../../src/profile/sketch-profile.ts";
import { AUTHORITY, PROVIDER_ONLY, WITH_SOURCE } from "../profile-document.ts";

function problemsOf(document: unknown): readonly string[] {
  const read = readProfile(document);
  return read.ok ? [] : read.problems.map(({ pointer, message }) => `${pointer} ${message}`);
}

describe("a profile", () => {
  test("may only recall, or name sources too; what is left out has its default", () => {
    expect(readProfile(PROVIDER_ONLY)).toMatchObject({
      ok: true,
      value: { context_provider: { scope_ref: null, config: { extension_id: "loopx-obelisk" } } },
    });
    expect(readProfile(WITH_SOURCE)).toMatchObject({
      ok: true,
      value: { sources: [{ max_changes: 20, enabled: true }], source_provider_bindings: [{ config: {} }] },
    });
  });

  test("as a sketch is valid, with and without a source", () => {
    const sketch = { goalId: "g1", agentIds: ["b", "a", "b"], extensionId: null };
    expect(problemsOf(sketchProfile({ ...sketch, sourceFile: null }))).toEqual([]);
    const full = sketchProfile({ ...sketch, sourceFile: "/home/someone/plan.md" });
    expect(problemsOf(full)).toEqual([]);
    expect(full.enabled_agents).toEqual(["a", "b"]);
  });

  test.each<[string, object, string]>([
    ["a mistyped key", { enabled_agent: ["a1"] }, "/enabled_agent is an unknown key"],
    ["another schema", { schema_version: "v1" }, '/schema_version must be "decision_context_profile_v0"'],
    ["a goal that is no token", { goal_id: "a b" }, "/goal_id must be 1 to 128 of"],
    [
      "capture by itself",
      { automation: { automatic_capture: true, fail_open: true } },
      "/automation/automatic_capture must be false",
    ],
    [
      "failing closed",
      { automation: { automatic_capture: false, fail_open: false } },
      "/automation/fail_open must be true",
    ],
    ["no agent", { enabled_agents: [] }, "/enabled_agents needs at least one agent"],
    ["nothing to read or ask", { context_provider: null }, "/sources needs a source, or a context_provider"],
    ["a source without its provider", { sources: [AUTHORITY] }, "/sources/0/provider_id names no entry"],
  ])("is refused with %s", (_, change, problem) => {
    expect(problemsOf({ ...PROVIDER_ONLY, ...change }).join("\n")).toContain(problem);
  });

  test.each<[object, string]>([
    [{ max_results: 0 }, "/context_provider/max_results"],
    [{ max_results: 9 }, "/context_provider/max_results"],
    [{ timeout_seconds: 0.5 }, "/context_provider/timeout_seconds"],
    [{ timeout_seconds: 121 }, "/context_provider/timeout_seconds"],
    [{ namespace: "x".repeat(121) }, "/context_provider/namespace"],
    [{ scope_ref: " " }, "/context_provider/scope_ref"],
    [{ config: { extension_state_file: "/x" } }, "/context_provider/config/extension_state_file"],
  ])("has the bounds of a request: %j", (change, pointer) => {
    const document = { ...PROVIDER_ONLY, context_provider: { ...PROVIDER_ONLY.context_provider, ...change } };
    expect(problemsOf(document).join("\n")).toContain(pointer);
  });

  test("says what a mistyped key was meant to be, and repeats no value", () => {
    const { enabled_agents: agents, ...rest } = PROVIDER_ONLY;
    const said = problemsOf({ ...rest, enabled_agnets: agents, goal_id: "secret value" }).join("\n");
    expect(said).toContain('did you mean "enabled_agents"');
    expect(said).not.toContain("secret value");
  });
});
