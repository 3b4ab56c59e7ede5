import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { chainClaude } from "./claude-record.ts";
import { contentsOf, createHistoryHome, type HistoryHome } from "./history-world.ts";

const ID = "3f0c2d9e-7c31-4d02-9b6e-2f1c0de9a7b4";
const SCOPE = `host-session:claude-code:${ID}`;

let home: HistoryHome;
beforeEach(() => {
  home = createHistoryHome();
});
afterEach(() => home.remove());

const recall = async (query: string) => contentsOf(await home.recall(SCOPE, query)).toSorted();

describe("a Claude Code session", () => {
  test("gives what was said, with a public summary that quotes nothing", async () => {
    const { say } = chainClaude(ID);
    home.writeClaude(ID, [
      say("user", "Should adoption stay a bounded pilot?"),
      say("assistant", [
        { type: "thinking", thinking: "pilot" },
        { type: "text", text: "Yes, a bounded pilot." },
        { type: "tool_use", name: "Bash", input: { command: "pilot" } },
      ]),
    ]);
    const answer = await home.recall(SCOPE, "yes");
    expect(answer).toEqual([
      {
        resource_ref: expect.stringMatching(/^claude-code:3f0c2d9e-7c31-4d02-9b6e-2f1c0de9a7b4:\d+$/),
        summary: "Claude Code session, assistant message, 2026-11-30",
        content: "Yes, a bounded pilot.",
        score: expect.any(Number),
      },
    ]);
  });

  test("leaves out tools, meta, summaries, sidechains, errors and what was injected", async () => {
    const { say } = chainClaude(ID);
    home.writeClaude(ID, [
      { type: "summary", summary: "pilot", leafUuid: "x" },
      say("user", [{ type: "tool_result", content: "pilot" }]),
      say("user", "pilot", { isMeta: true }),
      say("user", "pilot", { isCompactSummary: true }),
      say("user", "pilot", { isVisibleInTranscriptOnly: true }),
      say("assistant", [{ type: "text", text: "pilot" }], { isApiErrorMessage: true }),
      say("user", "<command-name>/pilot</command-name>"),
      say("user", "<local-command-stdout>pilot</local-command-stdout>"),
      say("user", "<task-notification>pilot</task-notification>"),
      say("user", [
        { type: "text", text: "<ide_opened_file>pilot.ts</ide_opened_file>" },
        { type: "text", text: "Start it.<system-reminder>pilot</system-reminder> Pilot it." },
        { type: "text", text: "<system-reminder>pilot" },
      ]),
      say("assistant", "[[loopx-recall 1]] pilot"),
      say("assistant", [{ type: "text", text: 7 }, null, "pilot"]),
    ]);
    home.writeClaude(ID, [chainClaude(ID).say("user", "pilot", { isSidechain: true })], "-tmp-another");
    expect(await recall("pilot")).toEqual(["Start it. Pilot it."]);
  });

  test("leaves out what was rewound", async () => {
    const { say, last, rewindTo } = chainClaude(ID);
    const lines = [say("user", "First pilot")];
    const place = last();
    lines.push(say("assistant", "A pilot that was rewound"), say("user", "Another pilot that was rewound"));
    rewindTo(place);
    lines.push(say("assistant", "The pilot that stayed"));
    home.writeClaude(ID, lines);
    expect(await recall("pilot")).toEqual(["First pilot", "The pilot that stayed"]);
  });

  test("reads on before a compaction, and past a line that is lost", async () => {
    const { say, last, rewindTo } = chainClaude(ID);
    const lines: unknown[] = [say("user", "Pilot before")];
    const before = last();
    rewindTo(null);
    lines.push(
      { ...say("user", "boundary"), type: "system", subtype: "compact_boundary", logicalParentUuid: before },
      say("user", "Pilot after"),
      JSON.stringify(say("user", "a line that was lost")).slice(0, 80),
      say("assistant", "Pilot at the end"),
    );
    home.writeClaude(ID, lines);
    expect(await recall("pilot")).toEqual(["Pilot after", "Pilot at the end", "Pilot before"]);
  });

  test("a chain that bites its own tail ends", async () => {
    const { say, rewindTo } = chainClaude(ID);
    rewindTo("uuid-2");
    home.writeClaude(ID, [say("user", "Pilot one"), say("user", "Pilot two")]);
    expect(await recall("pilot")).toEqual(["Pilot one", "Pilot two"]);
  });

  test("takes no message that belongs to another session, and no file that holds none of this one", async () => {
    const { say } = chainClaude(ID);
    home.writeClaude(ID, [say("user", "Foreign pilot", { sessionId: "other" }), say("user", "Own pilot")]);
    expect(await recall("pilot")).toEqual(["Own pilot"]);
    const foreign = `${ID}-copy`;
    home.writeClaude(foreign, [say("user", "Foreign pilot")]);
    expect(contentsOf(await home.recall(`host-session:claude-code:${foreign}`, "pilot"))).toEqual([
      "unavailable: session_not_found",
    ]);
  });

  test("does not look into a file of another name, whatever its records say", async () => {
    for (const other of [`${ID}0`, `0${ID}`, ID.slice(0, -1), ID.toUpperCase()])
      home.writeClaude(other, [chainClaude(ID).say("user", "pilot")]);
    expect(await recall("pilot")).toEqual(["unavailable: session_not_found"]);
  });

  test("leaves out the session that asks", async () => {
    home.writeClaude(ID, [chainClaude(ID).say("user", "pilot")]);
    const environment = { CLAUDE_CODE_SESSION_ID: ID };
    expect(contentsOf(await home.recall(SCOPE, "pilot", { environment }))).toEqual([
      "unavailable: session_is_invoking",
    ]);
  });
});
