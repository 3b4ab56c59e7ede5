import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openMcpSession } from "../../support/mcp-session.ts";
import { startRawMcpServer } from "../../support/raw-mcp-server.ts";
import { readField, readText } from "../../support/read-field.ts";
import { createWorkingGoal, type WorkingGoal } from "../../support/working-goal.ts";

let working: WorkingGoal;
let lane: { readonly goal_id: string; readonly agent_id: string };

beforeAll(async () => {
  working = await createWorkingGoal(1);
  lane = { goal_id: working.goalId, agent_id: "agent-1" };
});
afterAll(() => working.world.remove());

/** Adds a todo whose check writes a file, then does what `script` says; gives its id and the file. */
async function addChecked(name: string, script = ""): Promise<{ readonly todo_id: string; readonly mark: string }> {
  const { world, goalId } = working;
  const mark = join(world.project, `${name}.ran`);
  const code = `require("node:fs").writeFileSync(${JSON.stringify(mark)}, String(process.pid));${script}`;
  const check = JSON.stringify([process.execPath, "-e", code]);
  const words = [`--goal-id=${goalId}`, "--agent-id=agent-1", `--text=${name}`, `--validation-command=${check}`];
  const added = await world.call(["todo", "add", ...words]);
  return { todo_id: readText(added, "todo", "todo_id"), mark };
}

test("a todo's check is not run outside the agent's sandbox unless the server was started for it", async () => {
  const { world } = working;
  const { todo_id, mark } = await addChecked("kept");
  const session = await openMcpSession(world);
  const complete = { ...lane, todo_id, evidence: "done", next_todo: "And then this" };
  const { isError, packet } = await session.call("todo_complete", complete);
  await session.close();
  expect([isError, readField(packet, "error", "code")]).toEqual([true, "check_not_allowed"]);
  expect(readText(packet, "error", "hint")).toContain("loopx todo complete");
  expect(existsSync(mark)).toBe(false);
  expect(await world.call(["todo", "show", `--todo-id=${todo_id}`])).toMatchObject({ todo: { status: "open" } });

  const allowed = await startRawMcpServer(world, { command: ["mcp", "--run-checks"] });
  const answer = await allowed.ask("tools/call", { name: "todo_complete", arguments: complete });
  allowed.closeInput();
  await allowed.ended;
  expect(JSON.parse(readText(answer, "result", "content", 0, "text"))).toMatchObject({ ok: true, completed: true });
  expect(existsSync(mark)).toBe(true);
});

test("a check that runs when the server ends is ended with it, and nothing is completed", async () => {
  const { world } = working;
  for (const [name, end] of [
    ["ended by a signal", "signal"],
    ["ended by the host", "closeInput"],
    ["taken back", "cancel"],
  ] as const) {
    const { todo_id, mark } = await addChecked(name, "setInterval(() => undefined, 1000);");
    const server = await startRawMcpServer(world, { command: ["mcp", "--run-checks"] });
    const call = { name: "todo_complete", arguments: { ...lane, todo_id, evidence: "done", no_follow_up: true } };
    server.write(`${JSON.stringify({ jsonrpc: "2.0", id: 9, method: "tools/call", params: call })}\n`);
    const pid = await waitForCheck(mark);
    if (end === "signal") server.signal("SIGTERM");
    else if (end === "closeInput") server.closeInput();
    else {
      const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 9 } };
      server.write(`${JSON.stringify(cancelled)}\n`);
      await waitUntilGone(pid);
      server.closeInput();
    }
    expect([name, (await server.ended).exitCode]).toEqual([name, 0]);
    await waitUntilGone(pid);
    expect(await world.call(["todo", "show", `--todo-id=${todo_id}`])).toMatchObject({ todo: { status: "open" } });
  }
});

test("a check that was about to start when the server ends does not keep it", async () => {
  const { world } = working;
  for (const end of ["signal", "closeInput"] as const) {
    const { todo_id } = await addChecked(`about to start, ${end}`, "setInterval(() => undefined, 1000);");
    const server = await startRawMcpServer(world, { command: ["mcp", "--run-checks"] });
    const call = { name: "todo_complete", arguments: { ...lane, todo_id, evidence: "done", no_follow_up: true } };
    server.write(`${JSON.stringify({ jsonrpc: "2.0", id: 9, method: "tools/call", params: call })}\n`);
    if (end === "signal") server.signal("SIGTERM");
    else server.closeInput();
    expect([end, (await server.ended).exitCode]).toEqual([end, 0]);
    expect(await world.call(["todo", "show", `--todo-id=${todo_id}`])).toMatchObject({ todo: { status: "open" } });
  }
});

/** The check's process id, once it runs. */
async function waitForCheck(mark: string): Promise<number> {
  for (;;) {
    const text = existsSync(mark) ? readFileSync(mark, "utf8") : "";
    if (text !== "") return Number(text);
    await pause(10);
  }
}

async function waitUntilGone(pid: number): Promise<void> {
  while (isRunning(pid)) await pause(10);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
