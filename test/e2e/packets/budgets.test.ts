import { LIMITS } from "@loopx/contracts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createOwnerToken } from "../../support/create-owner-token.ts";
import { countCopies, countOwnBytes } from "../../support/packet-bytes.ts";
import { findRefusedCommands } from "../../support/printed-commands.ts";
import { readField, readText } from "../../support/read-field.ts";
import { createShellWorld, type ShellWorld } from "../../support/shell-world.ts";

const LONGEST_GOAL = "g".repeat(80);
const LONGEST_AGENT = "a".repeat(80);
const LONGEST_THREAD = "t".repeat(128);
const OBJECTIVE = "界".repeat(5_461);
const TEXT = "漢".repeat(3_999);
const REASON = "由".repeat(4_000);
const LABEL = "線".repeat(4_000);
const WORK = `--goal-id=${LONGEST_GOAL} --agent-id=${LONGEST_AGENT}`;
const GUARD = `loopx quota should-run ${WORK}`;

let world: ShellWorld;
let asOwner: string;

beforeAll(async () => {
  world = createShellWorld();
  asOwner = `--owner-token-file=${await createOwnerToken(world)}`;
  await call(`loopx bootstrap --project=. --goal-id=${LONGEST_GOAL} --objective=${OBJECTIVE}`);
  await call(`loopx register-agent ${WORK} --execute`);
});
afterAll(() => world.remove());

/** Runs a line, checks the commands in its answer, and gives the answer whatever the exit code. */
async function call(line: string, env: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const { json, stdout, stderr } = await world.shell(line, { env });
  if (json === undefined) throw new Error(`${line.slice(0, 200)}\n${stdout}${stderr}`);
  expect(findRefusedCommands(json)).toEqual([]);
  return json;
}

/** The same for a line that must succeed. */
async function callOk(line: string): Promise<unknown> {
  const packet = await call(line);
  if (readField(packet, "ok") === true) return packet;
  throw new Error(`${line.slice(0, 300)}\n${JSON.stringify(packet).slice(0, 600)}`);
}

const measured = new Map<string, number>();

function expectWithin(name: string, packet: unknown, budget: number, callersIds: readonly string[] = []): void {
  const bytes = countOwnBytes(packet, callersIds);
  measured.set(name, bytes);
  expect
    .soft(bytes, `${name}: ${JSON.stringify(packet).replaceAll(/[\u4e00-\u9fff]+/g, "…")}`)
    .toBeLessThanOrEqual(budget);
}

afterAll(() => {
  if (process.env["SHOW_PACKET_BYTES"] === "1") process.stderr.write(`${JSON.stringify([...measured], null, 1)}\n`);
});

describe("bytes of a start", () => {
  const budget = LIMITS.packetMaxBytes.start_goal;
  const line = `loopx start-goal --guided --project . --goal-text=${OBJECTIVE}`;

  // A start prints a dozen commands, each with the ids its caller chose: those copies are the caller's own text.
  test("every gate, with the longest ids", async () => {
    const gate = LIMITS.packetMaxBytes.gate;
    const own = [LONGEST_GOAL, LONGEST_THREAD];
    expectWithin("gate: surface", await callOk(line), gate);
    const thread = `--thread-id=${LONGEST_THREAD} --host-surface=codex-ide-plugin`;
    for (const letter of "bcdefghijk") {
      await callOk(`loopx register-agent --goal-id=${LONGEST_GOAL} --agent-id=${letter.repeat(80)} --execute`);
    }
    const identity = await callOk(`${line} ${thread}`);
    expect(readField(identity, "identity_selection_gate", "registered_agent_count")).toBe(11);
    expectWithin("gate: identity", identity, gate, own);
    expect(countCopies(identity, "界")).toBe(2);
    const bind = `--goal-id=${LONGEST_GOAL} ${thread} --agent-id=${LONGEST_AGENT}`;
    await callOk(`loopx bind-agent-thread ${bind} --execute`);
    expectWithin("gate: bound to another", await callOk(`${line} ${thread} --agent-id=${"b".repeat(80)}`), gate);
    expectWithin(
      "gate: already bound",
      await callOk(`${line} ${thread} --new-peer --agent-id=${"z".repeat(80)}`),
      gate,
    );
    expectWithin("start: bound", await callOk(`${line} ${thread}`), budget, [...own, LONGEST_AGENT]);
    await callOk(`loopx unbind-agent-thread ${bind} --execute`);
    expectWithin("gate: unknown goal", await callOk(`${line} ${thread} --goal-id=${"u".repeat(80)}`), gate);
  });

  test("a whole start with the longest ids, on every surface", async () => {
    const gate = await callOk(line);
    const choices = readField(gate, "host_surface_selection_gate", "choices") as readonly unknown[];
    const [goal, agent] = ["n".repeat(80), "m".repeat(80)];
    for (const choice of choices) {
      const surface = readText(choice, "host_surface");
      const ids = `--new-goal --goal-id=${goal} --agent-id=${agent} --thread-id=${LONGEST_THREAD}`;
      const start = await callOk(`${line} ${ids} --host-surface=${surface}`);
      expectWithin(`start: ${surface}`, start, budget, [goal, agent, LONGEST_THREAD]);
      expect(countCopies(start, "界")).toBe(3);
    }
  });

  test("a whole start with the ids that LoopX makes itself, all counted", async () => {
    const other = world.addProject("customer-portal");
    const thread = "019a2f4e-7c31-7d02-9b6e-2f1c0de9a7b4";
    for (const surface of ["codex-app", "codex-cli-tui", "claude-code"]) {
      const { json } = await world.shell(`${line} --thread-id=${thread} --host-surface=${surface}`, { cwd: other });
      expect(readField(json, "goal_id")).toBe("customer-portal-goal");
      expectWithin(`start of a named project: ${surface}`, json, budget, [thread]);
    }
  });
});

describe("bytes of a todo's answer", () => {
  const budget = LIMITS.packetMaxBytes.todo_change;

  test("add, claim, complete and their refusals", async () => {
    const add = `loopx todo add ${WORK} --role=agent --text=${TEXT}一 --action-kind=${"k".repeat(80)} --target-key=${"k".repeat(80)} '--validation-command=["true"]' --validation-label=${LABEL}`;
    const added = await callOk(add);
    expectWithin("todo add", added, budget);
    const todo = readText(added, "todo", "todo_id");
    expectWithin("todo add again", await callOk(add), budget);
    expectWithin("todo claim", await callOk(`loopx todo claim ${WORK} --todo-id=${todo}`), budget);
    const other = `--goal-id=${LONGEST_GOAL} --agent-id=${"b".repeat(80)}`;
    await callOk(`loopx register-agent ${other} --execute`);
    expectWithin("todo claim refused", await call(`loopx todo claim ${other} --todo-id=${todo}`), budget);
    const done = `loopx todo complete ${WORK} --todo-id=${todo} --evidence=${REASON} --next-todo=${TEXT}二`;
    expectWithin("todo complete", await callOk(done), budget);
  });

  test("a restricted todo and one with many dependencies", async () => {
    const gated = await callOk(
      `loopx todo add ${WORK} --role=agent --text=${TEXT}三 --action-kind=external_publication`,
    );
    expectWithin("todo add gated", gated, budget);
    const ids: string[] = [readText(gated, "todo", "todo_id")];
    for (let index = 0; index < 30; index += 1) {
      ids.push(
        readText(
          await callOk(`loopx todo add ${WORK} --role=agent --text=${"小".repeat(index + 1)}`),
          "todo",
          "todo_id",
        ),
      );
    }
    const dependencies = ids.map((id) => `--depends-on=${id}`).join(" ");
    const dependent = await callOk(`loopx todo add ${WORK} --role=agent --text=${TEXT}四 ${dependencies}`);
    expectWithin("todo add with 31 dependencies", dependent, budget);
    const id = readText(dependent, "todo", "todo_id");
    expect(
      readField(await callOk(`loopx todo show --goal-id=${LONGEST_GOAL} --todo-id=${id}`), "todo", "depends_on"),
    ).toHaveLength(31);
    const blocked = `loopx todo update ${WORK} --todo-id=${id} --status=blocked --reason=${REASON}`;
    expectWithin("todo update blocked", await callOk(blocked), budget);
  });
});

describe("bytes of a gate", () => {
  test("one that blocks many todos, shown and decided", async () => {
    const targets: string[] = [];
    for (let index = 0; index < 30; index += 1) {
      const added = await callOk(`loopx todo add ${WORK} --role=agent --text=${"大".repeat(index + 1)}`);
      targets.push(`--blocks=${readText(added, "todo", "todo_id")}`);
    }
    const budget = LIMITS.packetMaxBytes.gate;
    const asked = await callOk(
      `loopx todo add ${WORK} --role=user --task-class=user_gate --text=${TEXT}五 ${targets.join(" ")}`,
    );
    const gateId = readText(asked, "todo", "todo_id");
    expectWithin("gate show", await callOk(`loopx gate show --goal-id=${LONGEST_GOAL} --gate-id=${gateId}`), budget);
    const decide = `loopx gate decide --goal-id=${LONGEST_GOAL} --gate-id=${gateId} --reason=${REASON}`;
    expectWithin("gate refused", await call(`${decide} --decision=approve`), budget);
    expectWithin("gate rejected", await callOk(`${decide} --decision=reject ${asOwner}`), budget);
    expectWithin("gate approved", await callOk(`${decide} --decision=approve ${asOwner}`), budget);
    const edit = await callOk(`loopx goal edit ${WORK} --objective=${"新".repeat(5_461)}`);
    const editGate = await callOk(`loopx gate show --goal-id=${LONGEST_GOAL} --gate-id=${readText(edit, "gate_id")}`);
    expectWithin("gate show of an edit", editGate, budget);
    await callOk(
      `loopx gate decide --goal-id=${LONGEST_GOAL} --gate-id=${readText(edit, "gate_id")} --decision=reject ${asOwner}`,
    );
  });
});

describe("bytes of a status page", () => {
  test("every page of a full goal, of a list and of many goals", async () => {
    const budget = LIMITS.packetMaxBytes.status_page;
    const action = `loopx todo add ${WORK} --role=user --task-class=user_action`;
    for (const last of "六七八九") await callOk(`${action} --text=${TEXT}${last}`);
    for (const command of [`loopx status --goal-id=${LONGEST_GOAL}`, `loopx todo list --goal-id=${LONGEST_GOAL}`]) {
      let cursor = "";
      for (let page = 1; page <= 30; page += 1) {
        const packet = await callOk(`${command}${cursor}`);
        expectWithin(`${command.slice(6, 12)} page ${page}`, packet, budget);
        const next = readField(packet, "next_cursor");
        if (typeof next !== "string") break;
        cursor = ` --cursor=${next}`;
      }
    }
    for (const letter of "bcdefghijkl") {
      await callOk(`loopx bootstrap --project=. --new-goal --goal-id=${letter.repeat(80)} --objective=${OBJECTIVE}`);
    }
    expectWithin("status of many goals", await callOk("loopx status"), budget);
    expectWithin(
      "command pack of many goals",
      await callOk("loopx bootstrap-command-pack"),
      LIMITS.packetMaxBytes.start_goal,
    );
    const start = await callOk(`loopx start-goal --guided --goal-text=${OBJECTIVE} --host-surface=shell`);
    expectWithin("gate: many goals", start, LIMITS.packetMaxBytes.gate);
    expect(readField(start, "goal_selection_gate", "goal_count")).toBeGreaterThanOrEqual(11);
  });
});

interface OpenGoal {
  readonly goal: string;
  /** The flags that name the goal and its lane. */
  readonly work: string;
  readonly guard: string;
}

async function openGoal(letter: string): Promise<OpenGoal> {
  const goal = letter.repeat(80);
  const work = `--goal-id=${goal} --agent-id=${LONGEST_AGENT}`;
  await callOk(`loopx bootstrap --project=. --new-goal --goal-id=${goal} --objective=${OBJECTIVE}`);
  await callOk(`loopx register-agent ${work} --execute`);
  return { goal, work, guard: `loopx quota should-run ${work}` };
}

describe("bytes of a guard's answer", () => {
  const budget = LIMITS.packetMaxBytes.should_run;

  async function expectDecision(guard: string, decision: string, reason?: string): Promise<unknown> {
    const packet = await call(guard);
    expect(readField(packet, "decision")).toBe(decision);
    if (reason !== undefined) expect(readField(packet, "reason") ?? readField(packet, "code")).toBe(reason);
    expectWithin(`should-run: ${decision} ${reason ?? ""}`, packet, budget);
    return packet;
  }

  test("run and its resumption, then what is left to repair", async () => {
    const { work, guard } = await openGoal("r");
    const todo = `loopx todo add ${work} --role=agent --text=${TEXT} --action-kind=${"k".repeat(80)}`;
    await callOk(`${todo} '--validation-command=["true"]' --validation-label=${LABEL}`);
    const run = await expectDecision(guard, "run");
    expect(countCopies(run, "漢")).toBe(1);
    expect(countCopies(run, "界")).toBe(1);
    const turn = `--turn=${readText(run, "turn", "turn_id")}`;
    await callOk(`loopx refresh-state ${work} ${turn} --outcome=progress --evidence=${REASON}`);
    await expectDecision(guard, "run");
    await expectDecision(`${guard} --thread-id=${LONGEST_THREAD}`, "repair", "binding_not_verified");
    const complete = `loopx todo complete ${work} ${turn} --todo-id=${readText(run, "todo", "todo_id")}`;
    await callOk(complete);
    await expectDecision(guard, "repair", "turn_not_settled");
    await callOk(`loopx quota spend ${work} ${turn}`);
    await expectDecision(guard, "replan");
  });

  test("what only an owner can answer", async () => {
    const { work, guard } = await openGoal("s");
    for (let index = 0; index < 12; index += 1) {
      await callOk(`loopx todo add ${work} --role=user --task-class=user_gate --text=${TEXT.slice(index + 1)}`);
    }
    const asked = await expectDecision(guard, "ask_user", "gate");
    expect(readField(asked, "more_questions")).toBe(9);

    const action = await openGoal("v");
    const wanted = await callOk(`loopx todo add ${action.work} --role=user --task-class=user_action --text=${TEXT}`);
    await callOk(
      `loopx todo add ${action.work} --role=agent --text=小 --depends-on=${readText(wanted, "todo", "todo_id")}`,
    );
    await expectDecision(action.guard, "ask_user", "user_action");

    const stuck = await openGoal("w");
    const blocked = await callOk(`loopx todo add ${stuck.work} --role=agent --text=${TEXT}`);
    const id = readText(blocked, "todo", "todo_id");
    await callOk(`loopx todo update ${stuck.work} --todo-id=${id} --status=blocked --reason=${REASON}`);
    await expectDecision(stuck.guard, "ask_user", "blocked");
  });

  test("waiting, throttled, paused, done, refused", async () => {
    const { goal, work, guard } = await openGoal("x");
    const added = await callOk(`loopx todo add ${work} --role=agent --text=${TEXT}`);
    const other = `--goal-id=${goal} --agent-id=${"b".repeat(80)}`;
    await callOk(`loopx register-agent ${other} --execute`);
    await callOk(`loopx todo claim ${other} --todo-id=${readText(added, "todo", "todo_id")}`);
    await expectDecision(guard, "wait", "claimed_by_others");
    await callOk(`loopx todo release ${other} --todo-id=${readText(added, "todo", "todo_id")}`);
    await callOk(`loopx goal budget ${work} --total-turns=0`);
    await expectDecision(guard, "throttled", "budget_total");
    await callOk(`loopx goal pause ${work} --reason=${REASON}`);
    await expectDecision(guard, "paused", "goal_paused");
    await callOk(`loopx goal stop --goal-id=${goal} --reason=${REASON} ${asOwner}`);
    await expectDecision(guard, "done", "goal_stopped");
    await expectDecision(
      `loopx quota should-run --goal-id=${goal} --agent-id=${"q".repeat(80)}`,
      "refused",
      "unknown_agent",
    );
    await expectDecision(
      `loopx quota should-run --goal-id=${"q".repeat(80)} --agent-id=nobody`,
      "refused",
      "unknown_goal",
    );
  });

  test("what the longest goal id of a busy goal asks", async () => {
    const packet = await call(GUARD);
    expect(["run", "ask_user"]).toContain(readField(packet, "decision"));
    expectWithin("should-run: busy goal", packet, budget);
  });
});
