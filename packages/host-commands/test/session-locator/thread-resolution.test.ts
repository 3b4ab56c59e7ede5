import { describe, expect, test } from "vitest";
import { parseThreadReference, type TypedThreadReference } from "../../src/session-locator/thread-reference.ts";
import { decideThreadResolution, type StoredThreadBinding } from "../../src/session-locator/thread-resolution.ts";

const LINK = { threadLink: "codex://threads/thread-a" };

function binding(changes: Partial<StoredThreadBinding>): StoredThreadBinding {
  return {
    hostSurface: "codex-app",
    threadId: "thread-a",
    goalId: "g",
    agentId: "a",
    isAgentRegistered: true,
    ...changes,
  };
}

function resolve(typed: TypedThreadReference, bindings: readonly StoredThreadBinding[]) {
  return decideThreadResolution(parseThreadReference(typed), bindings);
}

describe("resolving a link", () => {
  test("names the one goal and agent, and the surface that matched", () => {
    expect(
      resolve(LINK, [binding({ hostSurface: "codex-cli-tui" }), binding({ threadId: "thread-b", agentId: "b" })]),
    ).toEqual({
      ok: true,
      schema_version: "loopx_thread_agent_binding_resolution_v0",
      status: "bound",
      host_surface: null,
      host_family: "codex",
      goal_id: "g",
      agent_id: "a",
      matches: [{ goal_id: "g", agent_id: "a", host_surface: "codex-cli-tui" }],
      matched_host_surfaces: ["codex-cli-tui"],
      thread_id: "thread-a",
      session_locator: {
        schema_version: "loopx_host_session_locator_v0",
        kind: "codex_deep_link",
        status: "parsed",
        host_family: "codex",
        thread_id: "thread-a",
        deep_link: "codex://threads/thread-a",
        context_scope_ref: "host-session:codex:thread-a",
        authority: "locator_only",
      },
    });
  });

  test("one lane on several surfaces is bound", () => {
    const bindings = [binding({}), binding({ hostSurface: "codex-app-ssh" })];
    expect(resolve(LINK, bindings)).toMatchObject({
      status: "bound",
      matched_host_surfaces: ["codex-app", "codex-app-ssh"],
    });
  });

  test("without a binding it is missing: the link parsed, nothing more", () => {
    expect(resolve(LINK, [])).toMatchObject({
      ok: true,
      status: "missing",
      goal_id: null,
      agent_id: null,
      matches: [],
    });
  });

  test("is not looked up outside the Codex family", () => {
    expect(resolve(LINK, [binding({ hostSurface: "claude-code" })]).status).toBe("missing");
  });

  test("a longer id with the same beginning doesn't match", () => {
    expect(resolve(LINK, [binding({ threadId: "thread-a1" }), binding({ threadId: "THREAD-A" })]).status).toBe(
      "missing",
    );
  });

  test("a surface narrows the lookup", () => {
    const bindings = [binding({}), binding({ hostSurface: "codex-app-ssh", agentId: "b" })];
    expect(resolve({ ...LINK, hostSurface: "codex-app-ssh" }, bindings)).toMatchObject({
      status: "bound",
      agent_id: "b",
    });
    expect(resolve({ ...LINK, hostSurface: "codex-ide" }, bindings)).toMatchObject({
      status: "missing",
      host_surface: "codex-ide-plugin",
    });
  });

  test.each([
    ["two agents", [binding({}), binding({ hostSurface: "codex-app-ssh", agentId: "b" })]],
    ["two goals", [binding({}), binding({ goalId: "h" })]],
  ])("%s are ambiguous: it fails closed and repeats no link", (_case, bindings) => {
    const resolution = resolve(LINK, bindings);
    expect(resolution).toMatchObject({
      ok: false,
      status: "ambiguous",
      goal_id: null,
      agent_id: null,
      error_code: "thread_agent_binding_ambiguous",
    });
    expect(JSON.stringify(resolution)).not.toContain("thread-a");
  });

  test("a lane that isn't registered fails closed", () => {
    const resolution = resolve(LINK, [binding({ isAgentRegistered: false })]);
    expect(resolution).toMatchObject({ ok: false, status: "invalid", agent_id: null, error_code: "unknown_agent" });
    expect(JSON.stringify(resolution)).not.toContain("thread-a");
  });
});

describe("resolving a thread id", () => {
  test("looks on its surface only and has no locator", () => {
    const bindings = [binding({ hostSurface: "claude-code" }), binding({ agentId: "b" })];
    expect(resolve({ threadId: "thread-a", hostSurface: "claude-code" }, bindings)).toEqual({
      ok: true,
      schema_version: "loopx_thread_agent_binding_resolution_v0",
      status: "bound",
      host_surface: "claude-code",
      host_family: "claude-code",
      goal_id: "g",
      agent_id: "a",
      matches: [{ goal_id: "g", agent_id: "a", host_surface: "claude-code" }],
      matched_host_surfaces: ["claude-code"],
      thread_id: "thread-a",
    });
  });

  test.each<[string, TypedThreadReference]>([
    ["no reference", {}],
    ["both references", { ...LINK, threadId: "thread-a", hostSurface: "codex-app" }],
    ["a thread id without surface", { threadId: "thread-a" }],
    ["an unknown surface", { threadId: "thread-a", hostSurface: "codex" }],
    ["a link on a surface of another family", { ...LINK, hostSurface: "claude-code" }],
    ["an empty thread id", { threadId: "", hostSurface: "codex-app" }],
    ["a thread id with a slash", { threadId: "a/b", hostSurface: "codex-app" }],
    ["a placeholder", { threadId: "null", hostSurface: "codex-app" }],
  ])("%s is an invalid request", (_case, typed) => {
    expect(() => parseThreadReference(typed)).toThrow(
      expect.objectContaining({ code: "thread_agent_binding_invalid_request" }),
    );
  });
});
