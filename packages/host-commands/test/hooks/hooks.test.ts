import { describe, expect, test } from "vitest";
import { HOOK_CONTRACTS, type HookHost } from "../../src/hooks/hook-host.ts";
import { readHookPayload } from "../../src/hooks/read-hook-payload.ts";
import { renderHookAnswer } from "../../src/hooks/render-hook-answer.ts";
import { renderHookContext } from "../../src/hooks/render-hook-context.ts";
import { parseThroughShell, printCommand, textOfFlag } from "../printed-commands.ts";
import { BOUND_SESSION, handOff, handOffWhole } from "../handoff/handoff-samples.ts";

const HOSTS = Object.keys(HOOK_CONTRACTS) as readonly HookHost[];

describe("a payload", () => {
  test("gives prompt, thread and folder by the host's own field names", () => {
    expect(
      readHookPayload("claude-code", { hook_event_name: "UserPromptSubmit", prompt: "a", session_id: "s", cwd: "/p" }),
    ).toEqual({ event: "UserPromptSubmit", prompt: "a", threadId: "s", cwd: "/p" });
    expect(
      readHookPayload("cursor", {
        hook_event_name: "beforeSubmitPrompt",
        prompt: "a",
        conversation_id: "c",
        session_id: "s",
        workspace_roots: ["/p", "/q"],
      }),
    ).toEqual({ event: "beforeSubmitPrompt", prompt: "a", threadId: "c", cwd: "/p" });
  });

  test.each([
    null,
    1,
    "x",
    [],
    {},
    { prompt: 1 },
    { prompt: "/loopx", hook_event_name: "Stop" },
    { hook_event_name: 1, prompt: "/loopx" },
  ])("of another shape or event is nothing for us: %j", (payload) => {
    for (const host of HOSTS) expect(readHookPayload(host, payload)).toBeUndefined();
  });

  test("with a malformed thread or a relative folder counts as without", () => {
    for (const value of ["", "a b", "x/y", "null", 7, "t".repeat(129)]) {
      expect(readHookPayload("gemini", { prompt: "a", session_id: value, cwd: "./p" })).toEqual({
        event: "BeforeAgent",
        prompt: "a",
        threadId: undefined,
        cwd: undefined,
      });
    }
  });
});

describe("an answer", () => {
  test("speaks each host's own words", () => {
    const add = { kind: "add_context", context: "c" } as const;
    const block = { kind: "block", reason: "r" } as const;
    const answers = HOSTS.map((host) => [host, ...[add, block].map((one) => renderHookAnswer(host, "E", one))]);
    const specific = { hookSpecificOutput: { hookEventName: "E", additionalContext: "c" } };
    expect(answers).toEqual([
      ["claude-code", specific, { decision: "block", reason: "r" }],
      ["codex", specific, { decision: "block", reason: "r" }],
      ["cursor", { continue: true, additional_context: "c" }, { continue: false, user_message: "r" }],
      ["gemini", specific, { decision: "deny", reason: "r" }],
    ]);
  });
});

/** The packet in a context. */
function read(context: string): Readonly<Record<string, unknown>> {
  return JSON.parse(context.slice(context.indexOf("{"))) as Readonly<Record<string, unknown>>;
}

describe("the context of a handoff", () => {
  const place = { host: "claude-code", hostSurface: "claude-code" } as const;

  test("is the packet, whole, where it fits", () => {
    const packet = handOff(`/loopx ${"字".repeat(600)}`);
    expect(read(renderHookContext(packet, place, printCommand))).toEqual(packet);
  });

  test("holds a longer text once, in the command that is to be run as it stands", () => {
    const text = `${"字".repeat(2200)} '$(id)' <b>`;
    const packet = handOffWhole(`/loopx ${text}`);
    const context = renderHookContext(packet, place, printCommand);
    const { cli_command: command, task_text_in: where, ...rest } = read(context);
    expect(command).toBe(packet.cli_command);
    expect(where).toBe("cli_command");
    expect(JSON.stringify(rest)).not.toContain("字");
    expect(textOfFlag(parseThroughShell([String(command)])[0], "goal-text")).toBe(text);
  });

  test.each([
    ["/loopx", undefined],
    ["/loopx-pr-review", "loopx pr-review"],
  ])("leaves a text that doesn't fit at all behind %s in the message, with its digest", (token, command) => {
    const context = renderHookContext(handOff(`${token} ${"字".repeat(5000)}`), place, printCommand);
    expect(context).not.toContain("字");
    expect(read(context)).toMatchObject({
      task_text_digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      task_text_in: "the user's message, behind the command",
      handoff_command:
        "loopx host-parse --host-surface=claude-code --ui-surface=chat_box --thread-id=3f0c2d9e-7c31-4d02-9b6e-2f1c0de9a7b4 --message=-",
      handoff_command_stdin: expect.stringContaining("whole message"),
    });
    expect(read(context)["cli_command"]).toBe(command);
  });

  test("is never over the host's cap, and in no length of text holds a sign that a host would rewrite", () => {
    for (let length = 1; length < 16_000; length += 397) {
      for (const character of ["a", "<", "字", "'", "\n", '"']) {
        const text = character.repeat(length);
        if (Buffer.byteLength(text) > 16_384) continue;
        const context = renderHookContext(handOff(`/loopx x${text}x`), place, printCommand);
        expect(Buffer.byteLength(context)).toBeLessThanOrEqual(10_000);
        expect(context).not.toMatch(/[<>]/);
      }
    }
  });

  test("offers the surfaces where the host can't tell which one it is", () => {
    const packet = handOff(`/loopx ${"字".repeat(5000)}`, { ...BOUND_SESSION, hostSurface: undefined });
    const context = renderHookContext(packet, { host: "codex", hostSurface: undefined }, printCommand);
    expect(read(context)["handoff_command"]).toContain(
      "--host-surface=<codex-app|codex-app-ssh|codex-ide-plugin|codex-cli-tui>",
    );
  });
});
