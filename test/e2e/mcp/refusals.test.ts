import { spawn } from "@lydell/node-pty";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildPlantedCli } from "../../support/build-planted-cli.ts";
import { createOwnerToken } from "../../support/create-owner-token.ts";
import { openMcpSession, refusalOf, type McpSession } from "../../support/mcp-session.ts";
import { readField, readText } from "../../support/read-field.ts";
import { verifies } from "../../support/verifies.ts";
import { addTodo, createWorkingGoal, openTurn, type OpenTurn, type WorkingGoal } from "../../support/working-goal.ts";

let working: WorkingGoal;
let session: McpSession;
let turn: OpenTurn;

beforeAll(async () => {
  working = await createWorkingGoal(2);
  await addTodo(working, "Parse quoted fields");
  turn = await openTurn(working);
  session = await openMcpSession(working.world);
});
afterAll(async () => {
  await session.close();
  working.world.remove();
});

function goal(): string {
  return working.goalId;
}

describe("what the command line refuses an agent", () => {
  const CASES: readonly { code: string; tool: string; given: () => Record<string, unknown>; words: () => string[] }[] =
    [
      {
        code: "unknown_goal",
        tool: "goal_show",
        given: () => ({ goal_id: "no-such-goal" }),
        words: () => ["goal", "show", "--goal-id=no-such-goal"],
      },
      {
        code: "unknown_agent",
        tool: "quota_should_run",
        given: () => ({ goal_id: goal(), agent_id: "nobody" }),
        words: () => ["quota", "should-run", `--goal-id=${goal()}`, "--agent-id=nobody"],
      },
      {
        code: "missing_flag",
        tool: "quota_should_run",
        given: () => ({ goal_id: goal() }),
        words: () => ["quota", "should-run", `--goal-id=${goal()}`],
      },
      {
        code: "invalid_id",
        tool: "quota_should_run",
        given: () => ({ goal_id: "null", agent_id: "agent-1" }),
        words: () => ["quota", "should-run", "--goal-id=null", "--agent-id=agent-1"],
      },
      {
        code: "invalid_value",
        tool: "todo_add",
        given: () => ({ goal_id: goal(), text: "x", priority: "P9" }),
        words: () => ["todo", "add", `--goal-id=${goal()}`, "--text=x", "--priority=P9"],
      },
      {
        code: "usage",
        tool: "todo_complete",
        given: () => ({ todo_id: turn.todoId, no_follow_up: true, next_todo: "y" }),
        words: () => ["todo", "complete", `--todo-id=${turn.todoId}`, "--no-follow-up", "--next-todo=y"],
      },
      {
        code: "todo_claimed_by_other",
        tool: "todo_claim",
        given: () => ({ goal_id: goal(), todo_id: turn.todoId, agent_id: "agent-2" }),
        words: () => ["todo", "claim", `--goal-id=${goal()}`, `--todo-id=${turn.todoId}`, "--agent-id=agent-2"],
      },
      {
        code: "evidence_required",
        tool: "quota_spend",
        given: () => ({ goal_id: goal(), agent_id: "agent-1", turn: turn.turnId }),
        words: () => ["quota", "spend", `--goal-id=${goal()}`, "--agent-id=agent-1", `--turn=${turn.turnId}`],
      },
      {
        code: "goal_has_open_work",
        tool: "goal_complete",
        given: () => ({ goal_id: goal(), agent_id: "agent-1" }),
        words: () => ["goal", "complete", `--goal-id=${goal()}`, "--agent-id=agent-1"],
      },
      {
        code: "credential_refused",
        tool: "todo_add",
        given: () => ({ goal_id: goal(), agent_id: "agent-1", text: `push with ghp_${"a1B2".repeat(9)}` }),
        words: () => [
          "todo",
          "add",
          `--goal-id=${goal()}`,
          "--agent-id=agent-1",
          `--text=push with ghp_${"a1B2".repeat(9)}`,
        ],
      },
      {
        code: "project_not_resolved",
        tool: "status",
        given: () => ({ project: "no/such/folder" }),
        words: () => ["status", "--project=no/such/folder"],
      },
    ];

  test.each(CASES)("a tool refuses too, with the same packet: $code", async ({ code, tool, given, words }) => {
    verifies("surface.same-rules");
    const answer = await session.call(tool, given());
    const { json, exitCode } = await working.world.run(words());
    expect(exitCode).not.toBe(0);
    expect(answer).toEqual({ isError: true, packet: json });
    expect(readField(json, "error", "code") ?? readField(json, "code")).toBe(code);
  });

  test("a thread without a verified binding is refused, whichever tool names it", async () => {
    verifies("identity.bind-before-todos");
    const lane = { goal_id: working.goalId, agent_id: "agent-1", thread_id: "thr-unbound" };
    for (const [tool, given] of [
      ["todo_add", { text: "x" }],
      ["todo_update", { todo_id: turn.todoId, note: "x" }],
      ["refresh_state", { turn: turn.turnId, evidence: "x", outcome: "progress" }],
    ] as const) {
      const { packet } = await session.call(tool, { ...lane, ...given });
      expect([tool, readField(packet, "error", "code")]).toEqual([tool, "binding_not_verified"]);
    }
  });

  test("a thread of the server's own environment is nobody's", async () => {
    const other = await openMcpSession(working.world, { env: { CODEX_THREAD_ID: "thr-of-another" } });
    const lane = { goal_id: working.goalId, agent_id: "agent-1" };
    const { isError } = await other.call("todo_add", { ...lane, text: "Not bound to any thread" });
    await other.close();
    expect(isError).toBe(false);
  });
});

test("a store that was not made on this machine is connected by no tool, and asks for nothing to be run", async () => {
  const foreign = working.world.addProject("cloned");
  cpSync(join(working.world.project, ".loopx"), join(foreign, ".loopx"), { recursive: true });
  const connect = await session.call("bootstrap", { project: foreign });
  const direct = await working.world.run(["bootstrap", `--project=${foreign}`]);
  expect(connect).toEqual({ isError: true, packet: direct.json });
  const lane = { goal_id: working.goalId, agent_id: "agent-1", project: foreign };
  const asked = await session.call("quota_should_run", lane);
  expect(asked).toMatchObject({ isError: true, packet: { decision: "repair", should_run: false } });
});

describe("an owner", () => {
  test("is nobody through MCP: no tool of theirs is offered, and calling one is refused as theirs", async () => {
    verifies("surface.never-an-owner");
    const { tools } = await session.client.listTools();
    const names = tools.map(({ name }) => name);
    for (const tool of ["gate_decide", "goal_resume", "goal_stop", "restore", "import", "config_set"]) {
      expect(names).not.toContain(tool);
      const { packet } = await session.call(tool, { gate_id: "todo_000000", decision: "approve" });
      expect([tool, readField(packet, "error", "code")]).toEqual([tool, "gate_needs_owner"]);
    }
    expect(await refusalOf(session.call("export"))).toMatchObject({ code: -32_602, data: { code: "unknown_command" } });
    expect(await refusalOf(session.call("owner_token"))).toMatchObject({ code: -32_602 });
  });

  test("is not made by a token that lies at hand", async () => {
    verifies("surface.never-an-owner");
    const token = await createOwnerToken(working.world);
    const raise = { goal_id: working.goalId, total_turns: 50 };
    await working.world.call([
      "goal",
      "budget",
      `--goal-id=${working.goalId}`,
      "--agent-id=agent-1",
      "--total-turns=9",
    ]);
    for (const given of [raise, { ...raise, agent_id: "agent-1" }, { ...raise, owner_token_file: token }]) {
      const { isError, packet } = await session.call("goal_budget", given);
      expect(isError).toBe(true);
      expect(["gate_needs_owner", "missing_flag"]).toContain(readField(packet, "error", "code"));
    }
    // The same is done by the token's owner, so it was not refused for something else.
    const done = ["goal", "budget", `--goal-id=${working.goalId}`, "--total-turns=50", `--owner-token-file=${token}`];
    expect(await working.world.run(done)).toMatchObject({ exitCode: 0 });
  });

  test("is not made by a terminal that the server was started at", async () => {
    verifies("surface.never-an-owner");
    const raise = { name: "goal_budget", arguments: { goal_id: working.goalId, total_turns: 1000 } };
    const packet = await askAtTerminal(working.world.program, raise);
    expect(readText(packet, "error", "code")).toMatch(/^(?:gate_needs_owner|missing_flag)$/);
    // Without the two rules that say so it would be: the refusal is theirs.
    const planted = await buildPlantedCli([
      { file: "loopx/src/mcp/command-calls.ts", replace: "facts: NO_TERMINAL", by: "facts: input.facts" },
      { file: "loopx/src/mcp/agent-world.ts", replace: '{ ...rest, AI_AGENT: "mcp" }', by: "rest" },
    ]);
    try {
      expect(await askAtTerminal(planted.program, raise)).toMatchObject({ ok: true });
    } finally {
      planted.remove();
    }
  });
});

/** Starts a server at a real terminal, without a host's marker, and gives the packet that one tool answers with. */
async function askAtTerminal(program: string, params: object): Promise<unknown> {
  const { world } = working;
  const terminal = spawn(process.execPath, [program, "mcp"], {
    cwd: world.project,
    env: { ...world.env },
    cols: 9000,
  });
  let shown = "";
  const answer = new Promise<unknown>((resolve) => {
    terminal.onData((text) => {
      shown += text;
      const line = shown.split("\r\n").find((one) => one.includes('"id":2') && one.includes('"result"'));
      if (line !== undefined) resolve(JSON.parse(line));
    });
  });
  const send = (message: object): void => terminal.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const clientInfo = { name: "a-host", version: "1.0.0" };
  send({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } });
  send({ method: "notifications/initialized" });
  send({ id: 2, method: "tools/call", params });
  try {
    return JSON.parse(readText(await answer, "result", "content", 0, "text"));
  } finally {
    terminal.kill("SIGTERM");
  }
}
