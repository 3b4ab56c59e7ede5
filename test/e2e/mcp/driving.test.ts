import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createWorld, type World } from "../../support/cli-world.ts";
import { openMcpSession, refusalOf, type McpSession } from "../../support/mcp-session.ts";
import { findRefusedCommands } from "../../support/printed-commands.ts";
import { readField, readText } from "../../support/read-field.ts";
import { verifies } from "../../support/verifies.ts";

describe.each([
  { revision: "2025-11-25", isModern: undefined },
  { revision: "2026-07-28", isModern: true as const },
])("a goal, driven through tools of revision $revision alone", ({ revision, isModern }) => {
  let world: World;
  let session: McpSession;

  beforeAll(async () => {
    world = createWorld();
    session = await openMcpSession(world, isModern ? { isModern } : {});
  });
  afterAll(async () => {
    await session.close();
    world.remove();
  });

  test("goes from nothing to a settled turn and a completed goal, as the command line sees too", async () => {
    verifies("surface.same-rules", "identity.bind-before-todos");
    expect(session.client.getNegotiatedProtocolVersion()).toBe(revision);
    const packets: unknown[] = [];
    const step = async (tool: string, given: Readonly<Record<string, unknown>>): Promise<unknown> => {
      const packet = await session.done(tool, given);
      packets.push(packet);
      return packet;
    };
    const goal_id = readText(await step("bootstrap", { objective: "Ship the importer" }), "goal", "goal_id");
    const lane = { goal_id, agent_id: "codex-main" };
    const thread_id = "thr-1";
    expect(await step("register_agent", { ...lane, require_new: true })).toMatchObject({
      dry_run: true,
      written: false,
    });
    expect(await session.done("goal_show", { goal_id })).toMatchObject({ agents: [] });
    await step("register_agent", { ...lane, require_new: true, execute: true });
    const bound = await step("bind_agent_thread", { ...lane, thread_id, host_surface: "codex-app", execute: true });
    expect(readField(bound, "registration_readback", "verified")).toBe(true);
    await step("todo_add", { ...lane, thread_id, role: "agent", text: "Parse quoted fields", priority: "P1" });
    const asked = await step("quota_should_run", { ...lane, thread_id });
    expect(readField(asked, "decision")).toBe("run");
    const turn = readText(asked, "turn", "turn_id");
    const todo_id = readText(asked, "todo", "todo_id");
    await step("refresh_state", { ...lane, thread_id, turn, outcome: "primary_outcome", evidence: "12 tests pass" });
    await step("todo_complete", { ...lane, thread_id, turn, todo_id, no_follow_up: true });
    const spent = await step("quota_spend", { ...lane, thread_id, turn });
    expect(readField(spent, "goal_status")).toBe("completed");
    expect(findRefusedCommands(packets)).toEqual([]);

    const seen = await world.call(["goal", "show", `--goal-id=${goal_id}`]);
    expect(seen).toMatchObject({ goal: { status: "completed" }, used_turns: 1, todos: { done: 1 } });
    const { packet } = await session.call("goal_show", { goal_id });
    expect(packet).toEqual(seen);
    const events: unknown = await world.call(["history", `--goal-id=${goal_id}`, "--limit=50"]);
    expect(JSON.stringify(events)).not.toMatch(/owner/);
  });

  test("is read as resources, each the packet of its command", async () => {
    const goal_id = readText(await session.done("goal_list"), "goals", 0, "goal_id");
    const { resources } = await session.client.listResources();
    const uri = `loopx://goal/${goal_id}`;
    expect(resources.map((one) => one.uri)).toEqual(["loopx://status", "loopx://host-surface-map", uri]);
    const { resourceTemplates } = await session.client.listResourceTemplates();
    for (const { uriTemplate } of resourceTemplates) {
      const { contents } = await session.client.readResource({ uri: uriTemplate.replace("{goal_id}", goal_id) });
      expect(contents).toHaveLength(1);
    }
    const { contents } = await session.client.readResource({ uri: `${uri}/todos` });
    const [content] = contents;
    if (content === undefined || !("text" in content)) throw new Error("no text");
    expect(JSON.parse(content.text)).toEqual(await world.call(["todo", "list", `--goal-id=${goal_id}`]));
    for (const missing of ["loopx://goal/no-such-goal", "loopx://goal/%2e%2e", "file:///etc/passwd", "loopx://none"]) {
      expect(await refusalOf(session.client.readResource({ uri: missing }))).toMatchObject({ code: -32_602 });
    }
  });

  test("begins with a slash command as a prompt, with the user's text as it is", async () => {
    verifies("commands.bare-loopx-reads", "commands.goal-text-starts", "start.text-is-exact");
    const { prompts } = await session.client.listPrompts();
    expect(prompts.map(({ name }) => name)).toContain("loopx");
    const text = 'Fix "it" `now` $(rm -rf x) --json\n日本語 \u202e';
    const { messages } = await session.client.getPrompt({ name: "loopx", arguments: { goal_text: text } });
    const content = messages[0]?.content;
    if (content?.type !== "text") throw new Error("no text");
    const handoff: unknown = JSON.parse(content.text.slice(content.text.indexOf("\n")));
    expect(handoff).toMatchObject({ canonical_command: "/loopx <goal text>", tool: "start_goal" });
    const given = readField(handoff, "arguments") as Record<string, unknown>;
    const planned = await session.done("start_goal", { ...given, host_surface: "shell", project: "." });
    expect(JSON.stringify(planned)).toContain(JSON.stringify(text).slice(1, -1));
    const bare = await session.client.getPrompt({ name: "loopx" });
    expect(JSON.stringify(bare)).toContain("bootstrap_command_pack");
    expect(await refusalOf(session.client.getPrompt({ name: "loopx-globl" }))).toMatchObject({
      code: -32_602,
      data: { code: "unknown_command" },
    });
  });
});
