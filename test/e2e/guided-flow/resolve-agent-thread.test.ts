import { quoteForShell } from "@loopx/contracts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findRefusedCommands } from "../../support/printed-commands.ts";
import { readField } from "../../support/read-field.ts";
import type { ProgramResult } from "../../support/run-program.ts";
import { createShellWorld, digestWorld, type ShellWorld } from "../../support/shell-world.ts";
import { verifies } from "../../support/verifies.ts";

let world: ShellWorld;

beforeAll(async () => {
  world = createShellWorld();
  for (const line of [
    "loopx bootstrap --project=. --goal-id=demo-goal --objective=Demo",
    "loopx register-agent --goal-id=demo-goal --agent-id=alpha --execute",
    "loopx register-agent --goal-id=demo-goal --agent-id=beta --execute",
    "loopx bind-agent-thread --goal-id=demo-goal --thread-id=thr-1 --host-surface=codex-cli-tui --agent-id=alpha --execute",
    "loopx bind-agent-thread --goal-id=demo-goal --thread-id=thr-2 --host-surface=codex-app --agent-id=alpha --execute",
    "loopx bind-agent-thread --goal-id=demo-goal --thread-id=thr-2 --host-surface=codex-cli-tui --agent-id=beta --execute",
    "loopx bind-agent-thread --goal-id=demo-goal --thread-id=thr-3 --host-surface=codex-app --agent-id=beta --execute",
    "loopx bind-agent-thread --goal-id=demo-goal --thread-id=thr-3 --host-surface=codex-ide --agent-id=beta --execute",
    "loopx bind-agent-thread --goal-id=demo-goal --thread-id=thr-4 --host-surface=claude-code --agent-id=beta --execute",
  ]) {
    const result = await world.shell(line);
    if (result.exitCode !== 0) throw new Error(`${line}\n${result.stdout}`);
  }
});
afterAll(() => world.remove());

/** Resolves, and checks that nothing was written whatever the answer. */
async function resolve(flags: string, cwd = world.worktree): Promise<ProgramResult> {
  const before = digestWorld(world);
  const result = await world.shell(`loopx resolve-agent-thread ${flags}`, { cwd });
  expect(digestWorld(world)).toBe(before);
  expect(findRefusedCommands(result.json)).toEqual([]);
  return result;
}

const linkTo = (thread: string): string => `--thread-link='codex://threads/${thread}'`;

describe("resolving a task link", () => {
  test("names the one goal and lane that the thread is bound to, and where", async () => {
    verifies("deep-link.canonical-form", "deep-link.family-search", "deep-link.bound-names-one-lane");
    verifies("deep-link.stores-nothing", "deep-link.context-scope-ref", "deep-link.locates-for-inspection");
    const { exitCode, json } = await resolve(linkTo("thr-1"));
    expect(exitCode).toBe(0);
    expect(json).toEqual({
      ok: true,
      schema_version: "loopx_thread_agent_binding_resolution_v0",
      host_surface: null,
      host_family: "codex",
      goal_id: "demo-goal",
      agent_id: "alpha",
      matches: [{ goal_id: "demo-goal", agent_id: "alpha", host_surface: "codex-cli-tui" }],
      status: "bound",
      matched_host_surfaces: ["codex-cli-tui"],
      thread_id: "thr-1",
      session_locator: {
        schema_version: "loopx_host_session_locator_v0",
        kind: "codex_deep_link",
        status: "parsed",
        host_family: "codex",
        thread_id: "thr-1",
        deep_link: "codex://threads/thr-1",
        context_scope_ref: "host-session:codex:thr-1",
        authority: "locator_only",
      },
    });
  });

  test("gives its reader no lane: another thread is asked for its own, and can't write as the one that was found", async () => {
    verifies("deep-link.no-second-identity");
    expect((await resolve(linkTo("thr-1"))).json).toMatchObject({ status: "bound", agent_id: "alpha" });
    const start =
      "loopx start-goal --guided --project=. --goal-text=Review --host-surface=codex-cli-tui --goal-id=demo-goal";
    expect((await world.shell(`${start} --thread-id=thr-7`)).json).toHaveProperty("identity_selection_gate");
    const add = "loopx todo add --goal-id=demo-goal --role=agent --text=Mine --agent-id=alpha";
    const { exitCode, json } = await world.shell(`CODEX_THREAD_ID=thr-7 ${add}`);
    expect({ exitCode, code: readField(json, "error", "code") }).toEqual({ exitCode: 3, code: "binding_not_verified" });
  });

  test("takes one lane on two surfaces for one lane", async () => {
    const { exitCode, json } = await resolve(linkTo("thr-3"));
    expect(exitCode).toBe(0);
    expect(json).toMatchObject({
      status: "bound",
      agent_id: "beta",
      matched_host_surfaces: ["codex-app", "codex-ide-plugin"],
    });
  });

  test("is narrowed by a surface of the family", async () => {
    verifies("deep-link.surface-narrows");
    const found = await resolve(`${linkTo("thr-2")} --host-surface=codex-cli-tui`);
    expect(found.json).toMatchObject({ status: "bound", agent_id: "beta", host_surface: "codex-cli-tui" });
    const elsewhere = await resolve(`${linkTo("thr-1")} --host-surface=codex-app`);
    expect(elsewhere).toMatchObject({ exitCode: 0 });
    expect(elsewhere.json).toMatchObject({ status: "missing", matches: [] });
    const outside = await resolve(`${linkTo("thr-4")} --host-surface=claude-code`);
    expect(outside.exitCode).toBe(2);
    expect(readField(outside.json, "error", "code")).toBe("thread_agent_binding_invalid_request");
  });

  test("says missing for a thread nobody bound, here or where nothing is connected, and grants nothing", async () => {
    verifies("deep-link.missing-grants-nothing");
    for (const cwd of [world.worktree, world.project]) {
      const { exitCode, json } = await resolve(linkTo("thr-9"), cwd);
      expect(exitCode).toBe(0);
      expect(json).toMatchObject({ ok: true, status: "missing", goal_id: null, agent_id: null, matches: [] });
      expect(readField(json, "session_locator", "authority")).toBe("locator_only");
    }
    // A thread of another family is no thread of Codex.
    expect((await resolve(linkTo("thr-4"))).json).toMatchObject({ status: "missing" });
  });

  test("fails closed between two lanes, without the link or the thread", async () => {
    verifies("deep-link.doubt-fails-closed");
    const { exitCode, json, stdout } = await resolve(linkTo("thr-2"));
    expect(exitCode).toBe(3);
    expect(json).toMatchObject({
      ok: false,
      status: "ambiguous",
      error_code: "thread_agent_binding_ambiguous",
      goal_id: null,
      agent_id: null,
    });
    expect(stdout).not.toContain("thr-2");
  });

  test.each([
    "https://example.org/threads/zq-link",
    "codex://settings/zq-link",
    "codex://threads/new",
    "codex://threads/",
    "codex://threads/zq-link/extra",
    "codex://threads/zq-link?host=other",
    "codex://threads/zq-link#part",
    "codex://threads/zq%2Dlink",
    "codex://threads/zq:link",
    "codex://threads/zq-ñ",
    "codex:threads/zq-link",
    "zq-link",
  ])("refuses %j and does not repeat it", async (link) => {
    verifies("deep-link.canonical-form", "deep-link.doubt-fails-closed");
    const { exitCode, stdout, stderr, json } = await resolve(`--thread-link=${quoteForShell(link)}`);
    expect(exitCode).toBe(2);
    expect(readField(json, "error", "code")).toBe("thread_agent_binding_invalid_request");
    expect(`${stdout}${stderr}`).not.toMatch(/zq|settings|example|%2D|\?host/);
  });

  test("needs exactly one reference, and a surface with a bare thread id", async () => {
    const bound = await resolve("--thread-id=thr-1 --host-surface=codex-cli-tui");
    expect(bound.json).toMatchObject({ status: "bound", agent_id: "alpha" });
    expect(bound.stdout).not.toContain("session_locator");
    for (const flags of ["", "--thread-link=' '", "--thread-id=thr-1", `${linkTo("thr-1")} --thread-id=thr-1`]) {
      expect((await resolve(flags)).exitCode).toBe(2);
    }
  });
});
