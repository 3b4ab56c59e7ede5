import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createWorld, type World } from "../../support/cli-world.ts";
import { openMcpSession, type McpSession } from "../../support/mcp-session.ts";
import { readField, readText } from "../../support/read-field.ts";
import { verifies } from "../../support/verifies.ts";

let world: World;
let other: string;

beforeAll(async () => {
  world = createWorld({ projectName: "first project" });
  other = world.addProject("second");
  await world.call(["bootstrap", "--objective=First", "--goal-id=first-goal"]);
  await world.call(["bootstrap", "--objective=Second", "--goal-id=second-goal"], { cwd: other });
  for (const goal of ["first-goal", "second-goal"])
    await world.call(["register-agent", `--goal-id=${goal}`, "--agent-id=codex-main", "--execute"]);
});
afterAll(() => world.remove());

async function labelOf(session: McpSession, given: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
  return readField((await session.call("status", given)).packet, "project_root_label");
}

describe("the project", () => {
  test("is the one the server was started in, the one it was started for, or the one a call names", async () => {
    const elsewhere = join(world.directory, "elsewhere");
    mkdirSync(elsewhere);
    const here = await openMcpSession(world);
    expect(await labelOf(here)).toBe("first project");
    expect(await labelOf(here, { project: other })).toBe("second");
    expect(await labelOf(here, { project: "../second" })).toBe("second");
    await here.close();

    const named = await openMcpSession(world, { cwd: elsewhere, flags: [`--project=${other}`] });
    expect(await labelOf(named)).toBe("second");
    expect(await labelOf(named, { project: world.project })).toBe("first project");
    expect((await named.client.listResources()).resources.map(({ uri }) => uri)).toContain("loopx://goal/second-goal");
    await named.close();

    const nowhere = await openMcpSession(world, { cwd: elsewhere });
    const { packet } = await nowhere.call("status");
    expect(readField(packet, "error", "code")).toBe("project_not_connected");
    expect(await labelOf(nowhere, { goal_id: "second-goal" })).toBe("second");
    await nowhere.close();
  });

  test("is found by the registry that the server was started with", async () => {
    const registry = join(world.loopxHome, "registry.global.json");
    const session = await openMcpSession(world, { cwd: world.directory, flags: [`--registry=${registry}`] });
    const asked = await session.done("quota_should_run", { goal_id: "second-goal", agent_id: "codex-main" });
    expect(readField(asked, "decision")).toBe("replan");
    await session.close();
  });
});

test("no answer holds a path of this machine, however the server was started", async () => {
  verifies("project.label-instead-of-path");
  const session = await openMcpSession(world, { cwd: world.directory, flags: [`--project=${world.project}`] });
  const { tools } = await session.client.listTools();
  const given: Readonly<Record<string, unknown>> = {
    goal_id: "first-goal",
    agent_id: "codex-main",
    todo_id: "todo_000000",
    gate_id: "todo_000000",
    turn: "turn_000000",
    thread_id: "thr-1",
    host_surface: "codex-app",
    text: "Do it",
    objective: "Do it better",
    resume: "manual",
    reason: "so",
    next_todo: "Then this",
    goal_text: "Fix it",
    guided: true,
    completed: true,
    evidence_file: ["no/such/file"],
  };
  const texts: string[] = [JSON.stringify(tools)];
  for (const { name, inputSchema } of tools) {
    const names = Object.keys(inputSchema.properties ?? {});
    const all = Object.fromEntries(Object.entries(given).filter(([key]) => names.includes(key)));
    texts.push(JSON.stringify(await session.call(name, all)), JSON.stringify(await session.call(name)));
  }
  const { resources } = await session.client.listResources();
  for (const { uri } of resources) texts.push(JSON.stringify(await session.client.readResource({ uri })));
  texts.push(JSON.stringify(await session.client.getPrompt({ name: "loopx" })));
  await session.close();
  expect(texts.length).toBeGreaterThan(60);
  for (const text of texts) {
    expect(text).not.toContain(world.directory);
    expect(text).not.toMatch(/\/node_modules\/|file:\/\/|"code":"internal"/);
  }
});

describe("two servers at once", () => {
  test("on one project lose no write, and give a todo to one lane", async () => {
    await world.call(["register-agent", "--goal-id=second-goal", "--agent-id=codex-other", "--execute"]);
    const sessions = await Promise.all([0, 1].map(() => openMcpSession(world, { flags: [`--project=${other}`] })));
    const lanes = ["codex-main", "codex-other"];
    const goal_id = "second-goal";
    const texts = Array.from({ length: 10 }, (_, at) => `Todo ${at}`);
    await Promise.all(
      sessions.flatMap((session, at) =>
        texts.map((text) =>
          session.done("todo_add", { goal_id, agent_id: lanes[at], text: `${text} of ${lanes[at]}` }),
        ),
      ),
    );
    const listed = await world.call(["todo", "list", `--goal-id=${goal_id}`, "--limit=50"]);
    expect(readField(listed, "todos")).toHaveLength(20);
    const todo_id = readText(listed, "todos", 0, "todo_id");
    const claims = await Promise.all(
      sessions.map((session, at) => session.call("todo_claim", { goal_id, todo_id, agent_id: lanes[at] })),
    );
    expect(claims.filter(({ isError }) => isError)).toHaveLength(1);
    await Promise.all(sessions.map((session) => session.close()));
  });
});
