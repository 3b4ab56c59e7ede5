import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseHostMessage, type HostMessage } from "../../src/parsing/parse-host-message.ts";
import { HOST_COMMANDS } from "../../src/registry/host-command.ts";
import { prefixesOf } from "../../src/surfaces/command-prefixes.ts";

const slash = prefixesOf("claude-code");
const codex = prefixesOf("codex-cli-tui");

/** The command a message is, or the kind of what it is instead. */
function read(message: string, prefixes = slash): string {
  const parsed = parseHostMessage(message, prefixes);
  return parsed.kind === "command" ? parsed.command.command : parsed.kind;
}

describe("a message", () => {
  test.each([
    ["/loopx", "/loopx"],
    ["/loopx ", "/loopx"],
    ["/loopx \t\r\n ", "/loopx"],
    ["/loopx fix it", "/loopx <goal text>"],
    ["/loopx\nfix it", "/loopx <goal text>"],
    ["/loopx\r\nfix it", "/loopx <goal text>"],
    ["/loopx\tfix it", "/loopx <goal text>"],
    ["/loopx --new-peer", "/loopx <goal text>"],
    ["/loopx /loopx", "/loopx <goal text>"],
    ["/loopx-global-summary", "/loopx-global-summary"],
    ["/loopx-global-gates", "/loopx-global-gates"],
    ["/loopx-global-todos only mine", "/loopx-global-todos"],
    ["/loopx-global-risks\n", "/loopx-global-risks"],
    ["/loopx-pr-review --repo a/b", "/loopx-pr-review"],
  ])("with the exact token at its start is a command: %j", (message, command) => {
    expect(read(message)).toBe(command);
  });

  test.each([
    "",
    "/",
    "fix it",
    "text /loopx",
    " /loopx",
    "\n/loopx",
    "\uFEFF/loopx",
    "> /loopx",
    "`/loopx`",
    "/LOOPX",
    "/Loopx",
    "/LOOPX-GLOBAL-SUMMARY",
    "/loopxyz",
    "/loopx:x",
    "/loopx.x",
    "/loopx,",
    "/loopx_x",
    "/loopx/README.md",
    "//loopx",
    "／loopx",
    "/loopx\u00a0fix it",
    "/loopx\u3000fix it",
    "/loopx\u2028fix it",
    "/loopx\u000bfix it",
    "/loopx\0fix it",
    "/loopx\u200b",
    "/loop 5m check",
    "/loop-x",
    "/loop-global",
    "/loopx-project",
    "/loopx-project do it",
    "$loopx",
    "$loopx fix it",
  ])("without it is ordinary chat: %j", (message) => {
    expect(parseHostMessage(message, slash)).toEqual({ kind: "ordinary" });
  });

  test.each([
    "/loopx-",
    "/loopx- fix it",
    "/loopx-foo",
    "/loopx-foo bar",
    "/loopx-global",
    "/loopx-global-summaries",
    "/loopx-Global-summary",
    "/loopx-global-summary\u00a0x",
    "/loopx-global-summary:x",
    "/loopx-projects",
    "/loopx-project/x",
    "/loopx-pr-review.",
    "/loop-global-",
    "/loop-global-foo",
    "/loop-global-foo bar",
  ])("that begins like a command and is none fails closed: %j", (message) => {
    expect(parseHostMessage(message, slash)).toEqual({ kind: "unknown" });
  });

  test("on Codex may begin with $ as well, and the workflow skill stays the host's", () => {
    expect(read("$loopx fix it", codex)).toBe("/loopx <goal text>");
    expect(read("/loopx fix it", codex)).toBe("/loopx <goal text>");
    expect(read("$loopx", codex)).toBe("/loopx");
    expect(read("$loopx-global-gates", codex)).toBe("/loopx-global-gates");
    expect(read("$loopx-foo", codex)).toBe("unknown");
    expect(read("$loopx-project do it", codex)).toBe("ordinary");
    expect(read("/loopx-project do it", codex)).toBe("ordinary");
    expect(read("$$loopx", codex)).toBe("ordinary");
  });

  test.each(["summary", "gates", "todos", "risks"])(
    "with the legacy token of %s becomes the canonical command, and the legacy form is gone",
    (view) => {
      const parsed = parseHostMessage(`/loop-global-${view} since monday`, slash);
      expect(parsed).toMatchObject({
        kind: "command",
        command: { command: `/loopx-global-${view}` },
        rawCommand: `/loopx-global-${view} since monday`,
        taskText: "since monday",
      });
    },
  );

  test("is never routed to the project bootstrap when it asks for a review", () => {
    expect(parseHostMessage("/loopx-pr-review open ones", slash)).toMatchObject({
      kind: "command",
      command: { protocol: "pr_review_command_v0", target: "pr-review", mutationPolicy: "must_run_cli_first" },
    });
  });
});

describe("a task text", () => {
  test.each([
    ["NUL", "a\0b", "text_not_storable"],
    ["half a character", "a\ud800b", "text_not_storable"],
    ["a credential", "use ghp_0123456789abcdefghijABCDEFGHIJ012345", "credential_refused"],
    ["more than 16 KiB", "é".repeat(8193), "text_too_long"],
    ["nothing that shows", "\u00a0\u200b", "invalid_value"],
  ])("with %s is refused, and not repeated", (_name, text, code) => {
    for (const message of [`/loopx ${text}`, `/loopx-global-todos ${text}`, `/loopx-pr-review ${text}`]) {
      const parsed = parseHostMessage(message, slash);
      expect(parsed).toMatchObject({ kind: "refused", refusal: { code } });
      expect(JSON.stringify(parsed)).not.toContain(JSON.stringify(text).slice(1, -1));
    }
  });

  test("of exactly 16 KiB, or about credentials, is taken", () => {
    expect(read(`/loopx ${"é".repeat(8192)}`)).toBe("/loopx <goal text>");
    expect(read("/loopx rotate the API token and the password: ask me for both")).toBe("/loopx <goal text>");
  });

  test("round-trips byte for byte behind any run of separators", () => {
    const start = fc.constantFrom("", "\u00a0", "\u3000", "\u000b", "\u2028", "\ufeff", "-");
    const rest = fc.string({ unit: "grapheme", minLength: 1, maxLength: 200 });
    const text = fc
      .tuple(start, rest)
      .map((parts) => parts.join(""))
      .filter((value) => !/^[ \t\r\n]/.test(value));
    const separator = fc.array(fc.constantFrom(" ", "\t", "\r", "\n"), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(text, separator, fc.constantFrom("/", "$"), (value, run, prefix) => {
        const message = `${prefix}loopx${run.join("")}${value}`;
        const parsed = parseHostMessage(message, codex);
        if (parsed.kind === "refused") return;
        expect(parsed).toMatchObject({ kind: "command", rawCommand: message, taskText: value });
      }),
    );
  });
});

test("nothing but the exact token is ever ours", () => {
  const statistics = { ordinary: 0, ours: 0 };
  const piece = fc.constantFrom(
    "/",
    "$",
    "loopx",
    "loop",
    "x",
    "-",
    "-global-",
    "summary",
    "gates",
    "pr-review",
    "project",
    " ",
    "\n",
    "\u00a0",
    "\u3000",
    "L",
    ":",
    ".",
    "text",
    "／",
    "\0",
  );
  const pieces = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join(""));
  const message = fc.oneof(
    pieces,
    fc.tuple(fc.constantFrom("/loopx", "$loopx-", "/loop-global-"), pieces).map((parts) => parts.join("")),
    fc.string({ unit: "binary" }),
  );
  fc.assert(
    fc.property(message, (value) => {
      const parsed = parseHostMessage(value, codex);
      expect(parsed.kind === "ordinary" ? "ordinary" : "ours").toBe(oracle(value));
      statistics[oracle(value)] += 1;
      expect(parsed.kind !== "command" || isExact(value, parsed)).toBe(true);
    }),
    { numRuns: 3000 },
  );
  expect(Math.min(statistics.ordinary, statistics.ours)).toBeGreaterThan(300);
});

/** The same rule without a parser: words split off by the four separators. */
function oracle(message: string): "ordinary" | "ours" {
  const [word = ""] = message.split(/[ \t\r\n]/);
  const rest = word.slice(1);
  if (!["/", "$"].includes(word.slice(0, 1)) || rest === "loopx-project") return "ordinary";
  return rest === "loopx" || /^(?:loopx-|loop-global-)/.test(rest) ? "ours" : "ordinary";
}

function isExact(message: string, parsed: Extract<HostMessage, { kind: "command" }>): boolean {
  const [word = ""] = message.split(/[ \t\r\n]/);
  const tokens = HOST_COMMANDS.flatMap((command) => [command.token, command.legacyToken ?? command.token]);
  return tokens.includes(`/${word.slice(1)}`) && parsed.rawCommand.startsWith(word.slice(0, 1));
}
