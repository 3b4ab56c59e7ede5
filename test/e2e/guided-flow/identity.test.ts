import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { quoteForShell } from "@loopx/contracts";
import { findRefusedCommands } from "../../support/printed-commands.ts";
import { readField, readText } from "../../support/read-field.ts";
import type { ProgramResult } from "../../support/run-program.ts";
import { createShellWorld, digestWorld, type ShellWorld } from "../../support/shell-world.ts";
import { verifies } from "../../support/verifies.ts";

const START = "loopx start-goal --guided --project=. --goal-text='Plan it' --host-surface=codex-app";
const TODO = "loopx todo add --goal-id=demo-goal --role=agent --text='A todo'";

/** A connected goal with the lanes alpha and beta; the thread thr-alpha on codex-app is alpha's. */
async function connect(world: ShellWorld): Promise<void> {
  for (const line of [
    "loopx bootstrap --project=. --goal-id=demo-goal --objective='Demo'",
    "loopx register-agent --goal-id=demo-goal --agent-id=alpha --execute",
    "loopx register-agent --goal-id=demo-goal --agent-id=beta --execute",
    "loopx bind-agent-thread --goal-id=demo-goal --thread-id=thr-alpha --host-surface=codex-app --agent-id=alpha --execute",
  ]) {
    const result = await world.shell(line);
    if (result.exitCode !== 0) throw new Error(`${line}\n${result.stdout}`);
  }
}

let world: ShellWorld;

/** Runs a command that must leave every file of the world as it was, and print only commands that parse. */
async function runWithoutWriting(line: string, env: Readonly<Record<string, string>> = {}): Promise<ProgramResult> {
  const before = digestWorld(world);
  const result = await world.shell(line, { env });
  expect(digestWorld(world), `${line} wrote`).toBe(before);
  expect(findRefusedCommands(result.json)).toEqual([]);
  return result;
}

function codeOf(result: ProgramResult): unknown {
  return readField(result.json, "error", "code");
}

function gateOf(result: ProgramResult): unknown {
  expect(result).toMatchObject({ exitCode: 0, stderr: "" });
  expect(readField(result.json, "ok")).toBe(true);
  expect(readField(result.json, "guided_transaction", "blocked_by")).toBe("agent_identity_selection");
  return readField(result.json, "identity_selection_gate");
}

function choicesOf(gate: unknown): readonly unknown[] {
  const choices = readField(gate, "choices");
  return Array.isArray(choices) ? choices : [];
}

function stepIdsOf(result: ProgramResult): readonly string[] {
  const steps = readField(result.json, "guided_transaction", "ordered_steps");
  return (Array.isArray(steps) ? steps : []).map((step) => readText(step, "id"));
}

describe("a start in a goal that has lanes", () => {
  beforeAll(async () => {
    world = createShellWorld();
    await connect(world);
  });
  afterAll(() => world.remove());

  test("keeps the bound agent of the thread, in every command", async () => {
    verifies("identity.bound-thread-keeps-agent", "identity.codex-thread-id");
    for (const env of [{ CODEX_THREAD_ID: "thr-alpha" }, {}]) {
      const flag = "CODEX_THREAD_ID" in env ? "" : " --thread-id=thr-alpha";
      const result = await runWithoutWriting(`${START}${flag}`, env);
      expect(readField(result.json, "agent_id")).toBe("alpha");
      expect(readField(result.json, "thread_id")).toBe("thr-alpha");
      expect(stepIdsOf(result)).not.toContain("bind_thread_identity");
      const actors = result.stdout.match(/--agent-id=[a-z0-9-]+/g) ?? [];
      expect(new Set(actors)).toEqual(new Set(["--agent-id=alpha"]));
      expect(actors.length).toBeGreaterThanOrEqual(5);
    }
  });

  test("asks an unbound thread which lane it is, and writes nothing", async () => {
    verifies("identity.unbound-thread-is-gated", "identity.takeover-is-explicit");
    const gate = gateOf(await runWithoutWriting(START, { CODEX_THREAD_ID: "thr-new" }));
    expect(readField(gate, "state")).toBe("thread_binding_selection_required");
    expect(choicesOf(gate)).toEqual([
      { mode: "takeover_existing_agent", agent_id: "alpha", rerun_argument: "--agent-id=alpha" },
      { mode: "takeover_existing_agent", agent_id: "beta", rerun_argument: "--agent-id=beta" },
      { mode: "register_fresh_agent", rerun_argument: "--new-peer" },
    ]);
  });

  test("knows a thread per surface: the binding of one is none on another", async () => {
    verifies("identity.codex-thread-id");
    for (const surface of ["codex-app-ssh", "codex-ide-plugin", "codex-cli-tui"]) {
      const line = START.replace("codex-app", surface);
      const gate = gateOf(await runWithoutWriting(line, { CODEX_THREAD_ID: "thr-alpha" }));
      expect(readField(gate, "state")).toBe("thread_binding_selection_required");
    }
    const claude = START.replace("codex-app", "claude-code");
    const other = gateOf(await runWithoutWriting(claude, { CODEX_THREAD_ID: "thr-alpha" }));
    expect(readField(other, "state")).toBe("selection_required");
  });

  test("stays closed without a thread until a lane or a new peer is named", async () => {
    verifies("identity.no-thread-stays-closed", "identity.new-peer-is-fresh");
    const line = START.replace("codex-app", "claude-code");
    expect(readField(gateOf(await runWithoutWriting(line)), "state")).toBe("selection_required");
    const named = await runWithoutWriting(`${line} --agent-id=beta`);
    expect(readField(named.json, "agent_id")).toBe("beta");
    const peer = await runWithoutWriting(`${line} --new-peer`);
    expect(stepIdsOf(peer)).toContain("register_agent");
    expect(["alpha", "beta"]).not.toContain(readField(peer.json, "agent_id"));
    const unknown = gateOf(await runWithoutWriting(`${line} --agent-id=nobody`));
    expect(readField(unknown, "state")).toBe("invalid_selection");
  });

  test("never makes a new peer of a bound thread, nor another agent", async () => {
    verifies("identity.takeover-is-explicit");
    const env = { CODEX_THREAD_ID: "thr-alpha" };
    const peer = gateOf(await runWithoutWriting(`${START} --new-peer`, env));
    expect(readField(peer, "state")).toBe("thread_already_bound");
    expect(choicesOf(peer).map((choice) => readField(choice, "mode"))).toEqual(["keep_bound_agent", "unbind_thread"]);
    const other = gateOf(await runWithoutWriting(`${START} --agent-id=beta`, env));
    expect(readField(other, "state")).toBe("thread_bound_to_other_agent");
    expect(choicesOf(other)).toContainEqual({
      mode: "unbind_thread",
      agent_id: "alpha",
      first_command:
        "loopx unbind-agent-thread --goal-id=demo-goal --thread-id=thr-alpha --host-surface=codex-app --agent-id=alpha --execute",
      rerun_argument: "--agent-id=beta",
    });
    const same = await runWithoutWriting(`${START} --agent-id=alpha`, env);
    expect(readField(same.json, "agent_id")).toBe("alpha");
  });

  const BAD_IDS = [
    "",
    " ",
    "null",
    "undefined",
    "x".repeat(200),
    "a/b",
    "a\\b",
    "a'b",
    'a"b',
    "a b",
    "a\u0001b",
    "a\nb",
  ];

  test.each(BAD_IDS)("refuses the id %j wherever it stands, and writes nothing", async (id) => {
    verifies("identity.thread-ids-are-tokens");
    const quoted = quoteForShell(id);
    const lines = [
      `${START} --thread-id=${quoted}`,
      `${START} --agent-id=${quoted}`,
      `${START} --goal-id=${quoted}`,
      `loopx bind-agent-thread --goal-id=demo-goal --thread-id=${quoted} --host-surface=codex-app --agent-id=alpha --execute`,
      `loopx register-agent --goal-id=demo-goal --agent-id=${quoted} --execute`,
      `loopx resolve-agent-thread --thread-id=${quoted} --host-surface=codex-app`,
    ];
    for (const line of lines) {
      const result = await runWithoutWriting(line);
      expect({ line, exitCode: result.exitCode, code: codeOf(result) }).toMatchObject({
        exitCode: 2,
        code: expect.stringMatching(/^(?:invalid_id|invalid_value|thread_agent_binding_invalid_request|usage)$/),
      });
    }
  });

  test.each(BAD_IDS.filter((id) => id !== ""))("refuses CODEX_THREAD_ID=%j, and takes no lane for it", async (id) => {
    verifies("identity.thread-ids-are-tokens");
    for (const line of [START, `${START} --agent-id=alpha`, `${TODO} --agent-id=alpha`]) {
      const result = await runWithoutWriting(line, { CODEX_THREAD_ID: id });
      expect({ line, code: codeOf(result) }).toEqual({ line, code: "invalid_id" });
    }
  });

  test("takes an empty CODEX_THREAD_ID for none, which opens no lane", async () => {
    const gate = gateOf(await runWithoutWriting(START, { CODEX_THREAD_ID: "" }));
    expect(readField(gate, "state")).toBe("selection_required");
  });

  test("accepts codex-ide for codex-ide-plugin, refuses codex, and offers neither", async () => {
    verifies("start.surface-alias", "start.ambiguous-surface-refused");
    const alias = await runWithoutWriting(
      `${START.replace("codex-app", "codex-ide")} --agent-id=beta --thread-id=thr-ide`,
    );
    expect(readField(alias.json, "host_surface")).toBe("codex-ide-plugin");
    expect(alias.stdout).toContain("--host-surface=codex-ide-plugin");
    expect(alias.stdout).not.toMatch(/codex-ide(?!-plugin)/);
    const ambiguous = await runWithoutWriting(START.replace("codex-app", "codex"));
    expect(ambiguous.exitCode).toBe(2);
    expect(codeOf(ambiguous)).toBe("invalid_value");
    const offered = readField(ambiguous.json, "error", "details", "offered");
    expect(offered).toContain("codex-ide-plugin");
    expect(offered).not.toContain("codex-ide");
    expect(offered).not.toContain("codex");
    const gate = await runWithoutWriting("loopx start-goal --guided --project=. --goal-text=x");
    expect(gate.stdout).not.toMatch(/--host-surface=codex-ide"|--host-surface=codex"/);
  });

  test("prints no command that our own parser refuses, in any refusal of an identity", async () => {
    for (const line of [
      "loopx bind-agent-thread --goal-id=demo-goal --thread-id=thr-alpha --host-surface=codex-app --agent-id=beta --execute",
      "loopx unbind-agent-thread --goal-id=demo-goal --thread-id=thr-alpha --host-surface=codex-app --agent-id=beta --execute",
      "loopx bind-agent-thread --goal-id=demo-goal --thread-id=thr-x --host-surface=codex-app --agent-id=nobody --execute",
      "loopx register-agent --goal-id=demo-goal --agent-id=alpha --require-new --execute",
      "loopx quota should-run --goal-id=demo-goal --agent-id=nobody",
      "loopx quota should-run --goal-id=no-goal --agent-id=alpha",
    ]) {
      const result = await runWithoutWriting(line);
      expect({ line, ok: readField(result.json, "ok") }).toEqual({ line, ok: false });
      expect(result.exitCode).not.toBe(0);
    }
  });
});

describe("binding", () => {
  beforeEach(async () => {
    world = createShellWorld();
    await connect(world);
  });
  afterEach(() => world.remove());

  test("comes before todos: a thread whose verified binding doesn't name the agent writes none", async () => {
    verifies("identity.bind-before-todos");
    const env = { CODEX_THREAD_ID: "thr-new" };
    for (const line of [`${TODO} --agent-id=beta`, "loopx quota should-run --goal-id=demo-goal --agent-id=beta"]) {
      const refused = await runWithoutWriting(line, env);
      expect({ line, exitCode: refused.exitCode }).toEqual({ line, exitCode: 3 });
      expect(codeOf(refused) ?? readField(refused.json, "code")).toBe("binding_not_verified");
    }
    const foreign = await runWithoutWriting(`${TODO} --agent-id=beta`, { CODEX_THREAD_ID: "thr-alpha" });
    expect(codeOf(foreign)).toBe("binding_not_verified");

    const start = await runWithoutWriting(`${START} --agent-id=beta`, env);
    expect(stepIdsOf(start).slice(0, 2)).toEqual(["inspect_connection", "bind_thread_identity"]);
    const bind = readText(start.json, "guided_transaction", "ordered_steps", 1, "command");
    const bound = await world.shell(bind, { env });
    expect(bound.json).toMatchObject({
      ok: true,
      written: true,
      global_sync: { ok: true },
      registration_readback: { verified: true },
    });
    expect((await world.shell(`${TODO} --agent-id=beta`, { env })).json).toMatchObject({ ok: true, added: true });
    const again = await world.shell(bind, { env });
    expect(again.json).toMatchObject({ ok: true, changed: false, registration_readback: { verified: true } });
  });

  test("previews without --execute: nothing is written and no read-back is claimed", async () => {
    verifies("permission.preview-stops");
    const line = "loopx bind-agent-thread --goal-id=demo-goal --thread-id=t9 --host-surface=codex-app --agent-id=beta";
    const preview = await runWithoutWriting(line);
    expect(preview.json).toMatchObject({ ok: true, dry_run: true, changed: true, written: false });
    expect(preview.stdout).not.toContain("readback");
    const register = await runWithoutWriting("loopx register-agent --goal-id=demo-goal --agent-id=gamma");
    expect(register.json).toMatchObject({ ok: true, dry_run: true, written: false });
  });

  test("moves a thread only by the gate's own unbind command", async () => {
    verifies("identity.takeover-is-explicit");
    const env = { CODEX_THREAD_ID: "thr-alpha" };
    const gate = gateOf(await runWithoutWriting(`${START} --agent-id=beta`, env));
    const unbind = choicesOf(gate).find((choice) => readField(choice, "mode") === "unbind_thread");
    expect((await world.shell(readText(unbind, "first_command"), { env })).exitCode).toBe(0);
    const rerun = `${readText(gate, "rerun_command")} ${readText(unbind, "rerun_argument")}`;
    const start = await runWithoutWriting(rerun, env);
    expect(readField(start.json, "agent_id")).toBe("beta");
    expect(stepIdsOf(start)).toContain("bind_thread_identity");
  });

  test("a fresh goal has no lanes: the first thread registers one", async () => {
    verifies("identity.fresh-without-lanes");
    const line = `${START} --new-goal --goal-id=second-goal`;
    const start = await runWithoutWriting(line, { CODEX_THREAD_ID: "thr-alpha" });
    expect(stepIdsOf(start).slice(1, 4)).toEqual(["connect_if_needed", "register_agent", "bind_thread_identity"]);
    expect(readField(start.json, "agent_id")).toBe("codex-app-1");
  });
});
