import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findRefusedCommands } from "../../support/printed-commands.ts";
import { readField, readText } from "../../support/read-field.ts";
import { runAtTerminal } from "../../support/run-at-terminal.ts";
import { createShellWorld, type ShellWorld } from "../../support/shell-world.ts";
import { verifies } from "../../support/verifies.ts";

const RESTRICTED = [
  "destructive_git",
  "credentials",
  "private_material",
  "production",
  "external_publication",
] as const;

let world: ShellWorld;
beforeAll(() => {
  world = createShellWorld();
});
afterAll(() => world.remove());

async function call(line: string): Promise<unknown> {
  const { json } = await world.shell(line);
  expect(findRefusedCommands(json)).toEqual([]);
  return json;
}

describe.each(RESTRICTED)("work of the kind %s", (kind) => {
  const goal = `${kind.replace("_", "-")}-goal`;
  const work = `--goal-id=${goal} --agent-id=alpha`;
  const guard = `loopx quota should-run ${work}`;
  let gateId = "";
  let todoId = "";

  beforeAll(async () => {
    await call(`loopx bootstrap --project=. --new-goal --goal-id=${goal} --objective='Do ${kind}'`);
    await call(`loopx register-agent ${work} --execute`);
    const added = await call(`loopx todo add ${work} --role=agent --text='Work' --action-kind=${kind}`);
    todoId = readText(added, "todo", "todo_id");
    gateId = readText(added, "needs_gate", "gate_id");
    expect(readField(added, "needs_gate", "kind")).toBe(kind);
  });

  test("is not run, claimed into a turn or completed before it is approved", async () => {
    verifies("permission.restricted-actions");
    expect(await call(guard)).toMatchObject({ decision: "ask_user", should_run: false, reason: "gate" });
    const complete = await world.shell(
      `loopx todo complete ${work} --todo-id=${todoId} --evidence=done --no-follow-up`,
    );
    expect(complete.exitCode).not.toBe(0);
    expect(readField(complete.json, "error", "code")).toBe("todo_not_runnable");
  });

  test("is approved by nobody but an owner: not by its agent, a host's process, a pipe or a forged token", async () => {
    verifies("permission.restricted-actions");
    const decide = `loopx gate decide --goal-id=${goal} --gate-id=${gateId} --decision=approve`;
    const attempts = [
      await world.shell(decide),
      await world.shell(`${decide} --agent-id=alpha`),
      await world.shell(decide, { env: { CLAUDECODE: "1" } }),
      await world.shell(`echo forged > forged-token; ${decide} --owner-token-file=forged-token`),
    ];
    for (const { exitCode, json } of attempts) {
      expect({ exitCode, code: readField(json, "error", "code") }).toEqual({ exitCode: 3, code: "gate_needs_owner" });
    }
    for (const marker of [
      "CLAUDECODE=1",
      "CODEX_THREAD_ID=t1",
      "GEMINI_CLI=1",
      "CURSOR_AGENT=1",
      "LOOPX_AGENT=alpha",
    ]) {
      const { exitCode, shown } = await runAtTerminal(world, `${marker} ${decide}`);
      expect(exitCode).toBe(3);
      expect(shown).toContain("gate_needs_owner");
    }
    const asAgent = await runAtTerminal(world, `${decide} --agent-id=alpha`);
    expect(asAgent.exitCode).toBe(3);
    expect(await call(guard)).toMatchObject({ decision: "ask_user" });
  });

  test("runs once an owner at a terminal has approved", async () => {
    verifies("permission.restricted-actions");
    const approved = await runAtTerminal(
      world,
      `loopx gate decide --goal-id=${goal} --gate-id=${gateId} --decision=approve`,
    );
    expect(approved.exitCode).toBe(0);
    expect(await call(guard)).toMatchObject({ decision: "run", todo: { todo_id: todoId, action_kind: kind } });
  });
});
