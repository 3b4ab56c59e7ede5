import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  codexAgent,
  codexEvent,
  codexMeta,
  codexResponse,
  codexUser,
  contentsOf,
  createHistoryHome,
  type HistoryHome,
} from "./history-world.ts";

const ID = "019e8951-3e7d-7343-a3e3-05bff48a317d";
const SCOPE = `host-session:codex:${ID}`;

const item = (type: string, text: string) =>
  codexEvent({ type: "item_completed", item: { type, content: [{ type: "text", text }] } });

let home: HistoryHome;
beforeEach(() => {
  home = createHistoryHome();
});
afterEach(() => home.remove());

const recall = async (query: string) => contentsOf(await home.recall(SCOPE, query));

describe("a Codex session", () => {
  test("gives what was said, with a public summary that quotes nothing", async () => {
    const path = home.writeCodex(ID, [
      codexUser("Should adoption stay a bounded pilot?"),
      codexAgent("Yes: keep the extension boundary and a bounded pilot.", "2026-11-30T10:00:03.000Z"),
    ]);
    const answer = await home.recall(SCOPE, "extension boundary");
    expect(answer).toEqual([
      {
        resource_ref: expect.stringMatching(/^codex:019e8951-3e7d-7343-a3e3-05bff48a317d:\d+$/),
        summary: "Codex session, assistant message, 2026-11-30",
        content: "Yes: keep the extension boundary and a bounded pilot.",
        score: expect.any(Number),
      },
    ]);
    expect(JSON.stringify(answer)).not.toContain(path);
  });

  test("says nothing found as an empty list", async () => {
    home.writeCodex(ID, [codexUser("Something else")]);
    expect(await recall("pilot")).toEqual([]);
    expect(await recall("?!")).toEqual([]);
  });

  test("leaves out reasoning, tools, instructions and what was injected", async () => {
    home.writeCodex(ID, [
      codexResponse("developer", "pilot developer"),
      codexResponse("system", "pilot system"),
      codexResponse("user", "<environment_context>\n<cwd>pilot</cwd>\n</environment_context>"),
      codexResponse("user", "# AGENTS.md instructions for /tmp/proj\n\npilot", "<user_instructions>pilot"),
      codexEvent({ type: "user_message", message: "pilot", kind: "environment_context" }),
      codexEvent({ type: "agent_reasoning", text: "pilot" }),
      codexEvent({ type: "exec_command_end", message: "pilot", aggregated_output: "pilot" }),
      { type: "response_item", payload: { type: "reasoning", summary: [{ text: "pilot" }], content: "message" } },
      { type: "response_item", payload: { type: "function_call_output", output: '{"message":"pilot"}' } },
      { type: "compacted", payload: { message: "pilot" } },
      { type: "world_state", payload: { message: "pilot" } },
      { type: "turn_context", payload: { message: "pilot" } },
      codexUser("# Context from my IDE setup:\n\nopen: pilot.ts\n\n## My request for Codex:\nStart the pilot."),
      codexUser("# Context from my IDE setup:\n\nopen: pilot.ts"),
    ]);
    expect(await recall("pilot")).toEqual(["Start the pilot."]);
  });

  test("takes a message once, though it stands there as an event and as what the model was sent", async () => {
    home.writeCodex(ID, [
      codexResponse("user", "Start the pilot."),
      codexUser("Start the pilot."),
      codexAgent("The pilot runs."),
      codexResponse("assistant", "The pilot runs."),
      codexResponse("assistant", "The pilot has an end, told by no event."),
    ]);
    expect((await recall("pilot")).toSorted()).toEqual([
      "Start the pilot.",
      "The pilot has an end, told by no event.",
      "The pilot runs.",
    ]);
  });

  test("reads paginated rollouts, whose text is in completed items", async () => {
    home.writeCodex(ID, [
      item("UserMessage", "Is the pilot bounded?"),
      item("AgentMessage", "The pilot is bounded."),
      item("Reasoning", "pilot"),
    ]);
    expect(await recall("pilot")).toHaveLength(2);
  });

  test("leaves out turns that were rolled back, a wordless one counted", async () => {
    home.writeCodex(ID, [
      codexUser("First pilot question"),
      codexAgent("First pilot answer"),
      codexUser("Second pilot question"),
      codexAgent("Second pilot answer"),
      codexEvent({ type: "user_message", message: "", images: ["data:"] }),
      codexAgent("A picture of a pilot"),
      codexEvent({ type: "thread_rolled_back", num_turns: 2 }),
      codexUser("Third pilot question"),
    ]);
    expect((await recall("pilot")).toSorted()).toEqual([
      "First pilot answer",
      "First pilot question",
      "Third pilot question",
    ]);
  });

  test("reads a fork as the session it is, and its parent as another", async () => {
    const parent = "019e8951-0000-7343-a3e3-05bff48a317d";
    home.writeCodex(ID, [codexMeta(parent), codexUser("Copied pilot question")]);
    expect(await recall("pilot")).toEqual(["Copied pilot question"]);
    expect(contentsOf(await home.recall(`host-session:codex:${parent}`, "pilot"))).toEqual([
      "unavailable: session_not_found",
    ]);
  });

  test("does not believe a name that the file's first line contradicts, or that nothing confirms", async () => {
    const path = home.writeCodex(ID, [codexUser("pilot")], { metaId: "019e8951-3e7d-7343-a3e3-05bff48a317e" });
    expect(await recall("pilot")).toEqual(["unavailable: session_not_found"]);
    writeFileSync(path, `${JSON.stringify(codexUser("pilot"))}\n`);
    expect(await recall("pilot")).toEqual(["unavailable: session_not_found"]);
  });

  test("does not look into a file of another name, whatever its first line says", async () => {
    for (const other of [`${ID}0`, `0-${ID}`, ID.slice(0, -1), ID.toUpperCase()])
      home.writeCodex(other, [codexUser("pilot")], { metaId: ID });
    expect(await recall("pilot")).toEqual(["unavailable: session_not_found"]);
  });

  test("finds an archived session, and one in another home", async () => {
    home.writeCodex(ID, [codexUser("The archived pilot")], { archived: true });
    expect(await recall("pilot")).toEqual(["The archived pilot"]);
    renameSync(join(home.folder, ".codex"), join(home.folder, "elsewhere"));
    expect(await recall("pilot")).toEqual(["unavailable: session_store_missing"]);
    const environment = { CODEX_HOME: join(home.folder, "elsewhere") };
    expect(contentsOf(await home.recall(SCOPE, "pilot", { environment }))).toEqual(["The archived pilot"]);
  });

  test("leaves out the session that asks", async () => {
    home.writeCodex(ID, [codexUser("pilot")]);
    const environment = { CODEX_THREAD_ID: ID };
    expect(contentsOf(await home.recall(SCOPE, "pilot", { environment }))).toEqual([
      "unavailable: session_is_invoking",
    ]);
    const other = { CODEX_THREAD_ID: `${ID}0`, CLAUDE_CODE_SESSION_ID: ID };
    expect(contentsOf(await home.recall(SCOPE, "pilot", { environment: other }))).toEqual(["pilot"]);
  });

  test("leaves out what an earlier recall brought", async () => {
    home.writeCodex(ID, [
      codexAgent(
        '{"schema_version":"decision_context_ephemeral_recall_v0","content_trust":"untrusted_advisory","content":"pilot"}',
      ),
      codexAgent("[[loopx-recall 12ab]]\npilot\n[[/loopx-recall 12ab]]"),
      codexUser("What is decision_context_ephemeral_recall_v0 for in the pilot?"),
    ]);
    expect(await recall("pilot")).toEqual(["What is decision_context_ephemeral_recall_v0 for in the pilot?"]);
  });

  test.each([
    "host-session:codex:../../etc/passwd",
    "host-session:codex:",
    "host-session:codex:a b",
    "host-session:cursor:a",
    "codex://threads/a",
    `host-session:codex:${"a".repeat(129)}`,
    `${SCOPE}\n`,
  ])("takes no other form of scope: %j", async (scope) => {
    expect(contentsOf(await home.recall(scope, "pilot"))).toEqual(["unavailable: scope_unsupported"]);
  });
});

describe("a damaged or moving transcript", () => {
  test("half lines, NUL runs, broken bytes, unknown records and a line of 50 MB cost nothing but themselves", async () => {
    const path = home.writeCodex(ID, [
      codexUser("pilot one"),
      '{"timestamp":"2026-11-29T10:00:00Z","type":"event_msg","payload":{"type":"user_message","mess',
      "null",
      "7",
      '["message"]',
      '{"type":"event_msg","payload":["message"]}',
      '{"type":"event_msg","payload":{"type":"user_message","message":{"text":"pilot"}}}',
      "\u0000".repeat(3_000_000) + JSON.stringify(codexUser("pilot two")),
      JSON.stringify(codexUser(`pilot ${"x".repeat(50_000_000)}`)),
      codexUser("pilot three"),
    ]);
    appendFileSync(path, Buffer.from([0xff, 0xfe, 0x0a]));
    appendFileSync(path, JSON.stringify(codexUser("pilot four, with no line end")));
    expect((await recall("pilot")).toSorted()).toEqual([
      "pilot four, with no line end",
      "pilot one",
      "pilot three",
      "pilot two",
    ]);
    appendFileSync(path, '\n{"timestamp":"2026-11-29T10:00:00Z","type":"event_msg","payload":{"type":"agent_mess');
    expect(await recall("pilot")).toHaveLength(4);
  });

  test("one that is written to all the while is read as far as it was when it was opened", async () => {
    const path = home.writeCodex(
      ID,
      Array.from({ length: 20_000 }, (_, at) => codexAgent(`pilot ${at}`)),
    );
    const reading = home.recall(SCOPE, "pilot 19999");
    let isDone = false;
    const growing = (async () => {
      while (!isDone) {
        appendFileSync(path, `${JSON.stringify(codexAgent("pilot of later"))}\n`);
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    expect(contentsOf(await reading)[0]).toBe("pilot 19999");
    isDone = true;
    await growing;
  });

  test("one that is deleted while it is read is read to its end, or not found", async () => {
    const path = home.writeCodex(
      ID,
      Array.from({ length: 20_000 }, (_, at) => codexAgent(`pilot ${at}`)),
    );
    const reading = home.recall(SCOPE, "pilot 19999");
    await new Promise((resolve) => setImmediate(resolve));
    rmSync(path);
    const found = contentsOf(await reading);
    expect(["unavailable: session_not_found", "pilot 19999"]).toContain(found[0]);
    expect(await recall("pilot")).toEqual(["unavailable: session_not_found"]);
  });

  test("follows no symbolic link below the folder of sessions, and waits for no pipe", async () => {
    const outside = join(home.folder, "outside");
    const path = home.writeCodex(ID, [codexUser("pilot")]);
    mkdirSync(outside);
    renameSync(path, join(outside, "rollout.jsonl"));
    symlinkSync(join(outside, "rollout.jsonl"), path);
    expect(await recall("pilot")).toEqual(["unavailable: session_not_found"]);

    rmSync(path);
    home.writeCodex(ID, [codexUser("pilot")], { day: "2026-11-28" });
    renameSync(join(home.folder, ".codex", "sessions", "2026", "11", "28"), join(outside, "28"));
    symlinkSync(join(outside, "28"), join(home.folder, ".codex", "sessions", "2026", "11", "28"));
    expect(await recall("pilot")).toEqual(["unavailable: session_not_found"]);

    // Only the home itself may be laid out with links.
    renameSync(join(home.folder, ".codex"), join(home.folder, "moved"));
    symlinkSync(join(home.folder, "moved"), join(home.folder, ".codex"));
    home.writeCodex(ID, [codexUser("linked pilot")], { day: "2026-11-27" });
    expect(await recall("pilot")).toEqual(["linked pilot"]);
  });

  test("stops when its time is over", async () => {
    home.writeCodex(ID, [codexUser("pilot")]);
    await expect(home.recall(SCOPE, "pilot", { signal: AbortSignal.abort() })).rejects.toThrow();
  });
});
