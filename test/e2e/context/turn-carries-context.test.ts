import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunOptions } from "../../support/cli-world.ts";
import { createOwnerToken } from "../../support/create-owner-token.ts";
import { readField, readText } from "../../support/read-field.ts";
import { runProgram, type ProgramResult } from "../../support/run-program.ts";
import { createSupportDesk } from "../../support/support-desk.ts";
import { agentThat } from "../drive/drive-world.ts";

const desk = await createSupportDesk();
const { world } = desk;
const run = (args: readonly string[], options?: RunOptions): Promise<ProgramResult> =>
  world.run(args, { ...options, env: { ...desk.env, ...options?.env } });
const GOAL = "--goal-id=desk-goal";
const LANE = [GOAL, "--agent-id=a1"];
const PROFILE = "--context-profile=support";
const BINDING = `--binding=${join(desk.folder, "deployment", "context-binding.json")}`;
const ASKS = ["--objective=answer-ticket", "--consumer=support-agent", "--input=customerId=todo.target_key"];
const attach = (...more: readonly string[]): Promise<ProgramResult> =>
  run(["context", "attach", ...LANE, `--project=${join(desk.folder, "project")}`, BINDING, ...ASKS, ...more]);
const ask = (...more: readonly string[]): Promise<ProgramResult> => run(["quota", "should-run", ...LANE, ...more]);
const add = async (text: string, ...more: readonly string[]): Promise<string> =>
  readText((await run(["todo", "add", ...LANE, "--role=agent", `--text=${text}`, ...more])).json, "todo", "todo_id");

async function settle(turnId: string, todoId: string): Promise<void> {
  const turn = [...LANE, `--turn=${turnId}`];
  await run(["refresh-state", ...turn, "--outcome=progress", "--evidence=answered"]);
  await run(["todo", "complete", ...turn, `--todo-id=${todoId}`, "--no-follow-up"]);
  await run(["quota", "spend", ...turn]);
}

let ownerToken: string;

beforeAll(async () => {
  await world.call(["bootstrap", "--objective=Answer tickets", GOAL]);
  await world.call(["register-agent", ...LANE, "--execute"]);
  // Work of a person's keeps the goal open between the turns.
  await world.call(["todo", "add", GOAL, "--role=user", "--task-class=user_action", "--text=Close the desk"]);
  ownerToken = `--owner-token-file=${await createOwnerToken(world)}`;
});

afterAll(() => desk.remove());

describe("a turn that carries context", () => {
  test("is refused before anything is attached, and opens no turn", async () => {
    await add("Answer the ticket", "--target-key=CUST-1042");
    expect(await ask(PROFILE)).toMatchObject({
      exitCode: 4,
      json: { decision: "repair", should_run: false, code: "context_not_attached" },
    });
    expect(await run(["quota", "status", ...LANE])).not.toMatchObject({ json: { open_turns: 1 } });
  });

  test("is attached by a lane with what project and binding know, and loosened by an owner alone", async () => {
    expect(await attach("--input=orderId=todo.colour")).toMatchObject({ exitCode: 2 });
    expect(await attach("--profile=sales")).toMatchObject({ exitCode: 2, json: { error: { code: "invalid_value" } } });
    const attached = await attach();
    expect(attached).toMatchObject({
      exitCode: 0,
      json: { changed: true, attachment: { profile: "support", inputs: { customerId: "todo.target_key" } } },
    });
    expect(attached.stdout).not.toContain(desk.folder);
    expect(await attach()).toMatchObject({ json: { changed: false } });
    expect(await attach("--store=traces")).toMatchObject({ json: { error: { code: "gate_needs_owner" } } });
    const replaced = [BINDING, ...ASKS, "--store=traces", `--project=${join(desk.folder, "project")}`, ownerToken];
    expect(await run(["context", "attach", GOAL, ...replaced])).toMatchObject({
      json: { changed: true, attachment: { trace_store: "./traces" } },
    });
    const shown = await run(["context", "attached", GOAL]);
    expect(shown).toMatchObject({ exitCode: 0, json: { attached: [{ profile: "support", trace_store: "./traces" }] } });
    expect(shown.stdout).not.toContain(desk.folder);
    expect(shown).toMatchObject({ json: { attached: [{ context_project: "…/project" }] } });
  });

  test("is only announced by a dry run: who would be asked and by what, never the value, and nobody is", async () => {
    const dry = ["drive", ...LANE, PROFILE, "--dry-run"];
    await desk.crm.stop();
    const preview = await run([...dry, "--", "true"]);
    expect(preview).toMatchObject({
      exitCode: 0,
      json: {
        would: "take_turn",
        would_fetch: {
          profile: "support",
          providers: [{ provider: "customer-data", input: "customerId" }, expect.anything()],
          unknown: ["order-status"],
        },
      },
    });
    expect(preview.stdout).not.toContain("CUST-1042");
    await desk.restartCrm([]);
    expect(readField((await run(["drive", ...LANE, "--dry-run", "--", "true"])).json, "would_fetch")).toBeUndefined();
    expect(await run(["drive", ...LANE, "--context-profile=sales", "--dry-run", "--", "true"])).toMatchObject({
      exitCode: 4,
      json: { error: { code: "context_not_attached" } },
    });
  });

  test("has the facts about its todo beside the decision, traced, and the packet stays within its budget", async () => {
    const answer = await ask(PROFILE);
    expect(answer).toMatchObject({
      exitCode: 0,
      json: { decision: "run", context: { profile: "support", outcome: "DEGRADED", traced: true } },
    });
    const rendered = readText(answer.json, "context", "rendered");
    expect(rendered).toContain("Enterprise plan");
    expect(Buffer.byteLength(rendered)).toBeLessThanOrEqual(16_384);
    expect(readField(answer.json, "context", "bytes")).toBe(Buffer.byteLength(rendered));
    expect(JSON.stringify(answer.json).length - JSON.stringify(rendered).length).toBeLessThanOrEqual(2048);
    const traceId = readText(answer.json, "context", "trace_id");
    const words = ["context", "traces", "show", "--store=traces", BINDING, `--trace-id=${traceId}`];
    expect(await run(words)).toMatchObject({ exitCode: 0 });
  });

  test("without the flag fetches nothing", async () => {
    await desk.crm.stop();
    const answer = await ask();
    expect(answer).toMatchObject({ exitCode: 0, json: { decision: "run" } });
    expect(readField(answer.json, "context")).toBeUndefined();
    await desk.restartCrm([]);
  });

  test("reads as text in a frame of its own that carries the trace id", async () => {
    const words = [world.program, "quota", "should-run", ...LANE, PROFILE];
    const { stdout } = await runProgram(process.execPath, words, { cwd: world.project, env: desk.env });
    const [, traceId = ""] = /^===== context (trace_\w+) =====$/m.exec(stdout) ?? [];
    expect(stdout).toMatch(new RegExp(`^===== end of context ${traceId} =====$`, "m"));
    expect(stdout).toContain("# House rules");
  });

  test("waits while a required provider is down, keeps its open turn, and never runs", async () => {
    const before = await ask();
    await desk.crm.stop();
    const answer = await ask(PROFILE);
    expect(answer).toMatchObject({
      exitCode: 0,
      json: {
        decision: "wait",
        should_run: false,
        reason: "context_blocked",
        recheck_after_seconds: 60,
        context: { outcome: "BLOCKED", blocked_by: [{ layer: "customer-profile", reason: "PROVIDER_UNAVAILABLE" }] },
      },
    });
    expect(readField(answer.json, "context", "rendered")).toBeUndefined();
    await desk.restartCrm([]);
    const after = await ask(PROFILE);
    expect(readText(after.json, "turn", "turn_id")).toBe(readText(before.json, "turn", "turn_id"));
    await settle(readText(after.json, "turn", "turn_id"), readText(after.json, "todo", "todo_id"));
  });

  test("asks an owner where time mends nothing: the todo doesn't say what it is about", async () => {
    const todoId = await add("Look around");
    const answer = await ask(PROFILE);
    expect(answer).toMatchObject({
      exitCode: 0,
      json: {
        decision: "ask_user",
        should_run: false,
        reason: "context_blocked",
        decided_by: "owner",
        context: { blocked_by: [{ layer: "customer-profile", reason: "PROVIDER_INPUT_NOT_PROVIDED" }] },
      },
    });
    const opened = await ask();
    await settle(readText(opened.json, "turn", "turn_id"), todoId);
  });

  test("is repaired, not run, where the project or a secret is amiss", async () => {
    await add("Answer another", "--target-key=CUST-1042");
    const withoutSecret = await ask(PROFILE);
    expect(withoutSecret).toMatchObject({ json: { decision: "run" } });
    expect(await run(["quota", "should-run", ...LANE, PROFILE], { env: { CRM_TOKEN: "" } })).toMatchObject({
      exitCode: 6,
      json: { decision: "repair", code: "context_not_usable", details: { because: "secret_unavailable" } },
    });
    const file = join(desk.folder, "project", "context.project.yaml");
    const whole = readFileSync(file, "utf8");
    writeFileSync(file, whole.replace("contract:", "contact:"));
    const broken = await ask(PROFILE);
    expect(broken).toMatchObject({ json: { decision: "repair", details: { because: "project_invalid" } } });
    expect(broken.stdout).not.toContain(desk.folder);
    writeFileSync(file, whole);
  });

  test("hands a driven agent the facts behind its packet", async () => {
    const turn = `--turn=${readText((await ask()).json, "turn", "turn_id")}`;
    const drive = ["drive", ...LANE, PROFILE, "--max-turns=1", "--no-wait"];
    const answer = await run([...drive, turn, "--input=prompt", "--", "cat"]);
    expect(answer.stderr).toMatch(/"context":\{"profile":"support"/);
    const [, traceId = ""] = /^===== context (trace_\w+) =====$/m.exec(answer.stderr) ?? [];
    expect(answer.stderr).toContain(`===== end of context ${traceId} =====`);
    expect(answer.stderr).not.toContain('"rendered"');
    const settled = await run([...drive, "--", ...agentThat("settles", world.program)]);
    expect(settled).toMatchObject({ json: { turn_count: 1, failed_turn_count: 0 } });
  });

  test("is detached by an owner, and then no more", async () => {
    expect(await run(["context", "detach", GOAL, "--profile=support"])).toMatchObject({ exitCode: 3 });
    expect(await run(["context", "detach", GOAL, "--profile=support", ownerToken])).toMatchObject({ exitCode: 0 });
    expect(await run(["context", "attached", GOAL])).toMatchObject({ json: { attached: [] } });
  });

  test("leads nowhere in a copy that this machine doesn't trust", async () => {
    const stranger = join(world.directory, "another-home");
    expect(await run(["quota", "should-run", ...LANE, PROFILE], { env: { LOOPX_HOME: stranger } })).toMatchObject({
      json: { decision: "repair", code: "project_not_trusted" },
    });
  });
});
