import { describe, expect, test } from "vitest";
import { parseCommandLine, type ParsedCommandLine } from "../../src/command-line/parse-command-line.ts";

const QUIET_GLOBALS = { format: "text", quiet: false, verbose: false, noColor: false };

function flagsOf(argv: readonly string[]): unknown {
  const parsed = parseCommandLine(argv);
  return parsed.kind === "command" ? parsed.command.flags : parsed;
}

function errorOf(argv: readonly string[]): { code: string; message: string; hint: string | undefined } {
  const parsed: ParsedCommandLine = parseCommandLine(argv);
  if (parsed.kind !== "refused") throw new Error(`accepted as ${parsed.kind}`);
  const { code, message, hint } = parsed.error;
  return { code, message, hint };
}

describe("words", () => {
  test("global flags may stand before, between and after them", () => {
    const parsed = parseCommandLine(["--format", "json", "goal", "--quiet", "list", "--project=."]);
    expect(parsed).toEqual({
      kind: "command",
      globals: { format: "json", project: ".", quiet: true, verbose: false, noColor: false },
      command: { name: "goal list", flags: {}, positionals: [] },
    });
  });

  test("the contract's own line is read", () => {
    const registry = "/home/someone/.codex/loopx/registry.global.json";
    const argv = [
      "--format",
      "json",
      "--registry",
      registry,
      "quota",
      "should-run",
      "--goal-id",
      "g1",
      "--agent-id",
      "a1",
    ];
    expect(parseCommandLine(argv)).toEqual({
      kind: "command",
      globals: { ...QUIET_GLOBALS, format: "json", registry },
      command: { name: "quota should-run", flags: { goalId: "g1", agentId: "a1" }, positionals: [] },
    });
  });

  test("an alias is the command itself", () => {
    expect(parseCommandLine(["connect"])).toMatchObject({ command: { name: "bootstrap" } });
  });

  test.each([
    [[], { kind: "welcome" }],
    [["--json"], { kind: "welcome", globals: { format: "json" } }],
    [["--help"], { kind: "help", words: "" }],
    [["-h"], { kind: "help", words: "" }],
    [["todo", "-h"], { kind: "help", words: "todo" }],
    [["todo", "add", "--text", "x", "--help"], { kind: "help", words: "todo add" }],
    [["todo", "add", "--bogus", "--help"], { kind: "help", words: "todo add" }],
    [["help", "todo", "add"], { kind: "command", command: { name: "help", positionals: ["todo", "add"] } }],
    [["--version"], { kind: "version" }],
    [["--version", "--json"], { kind: "version", globals: { format: "json" } }],
    [["completion", "bash"], { kind: "command", command: { name: "completion", positionals: ["bash"] } }],
    [["completion", "--", "bash"], { kind: "command", command: { name: "completion", positionals: ["bash"] } }],
  ])("%j is understood", (argv, expected) => {
    expect(parseCommandLine(argv)).toMatchObject(expected);
  });

  test.each([
    [["todo", "ad"], 'no command "loopx todo ad"; did you mean "loopx todo add"?', "loopx todo add --help"],
    [["tood", "list"], 'no command "loopx tood list"; did you mean "loopx todo list"?', "loopx todo list --help"],
    [
      ["quota", "should_run", "x"],
      'no command "loopx quota should_run x"; did you mean "loopx quota should-run"?',
      "loopx quota should-run --help",
    ],
    [["stats"], 'no command "loopx stats"; did you mean "loopx status"?', "loopx status --help"],
    [["claim"], 'no command "loopx claim"; did you mean "loopx todo claim"?', "loopx todo claim --help"],
    [["todos"], 'no command "loopx todos"; did you mean "loopx todo"?', "loopx todo --help"],
    [["frobnicate"], 'no command "loopx frobnicate"', "loopx --help"],
    [["__proto__"], 'no command "loopx __proto__"', "loopx --help"],
    [
      ["todo"],
      "loopx todo needs one more word: add, list, show, claim, release, update, complete, defer, supersede, archive",
      "loopx todo --help",
    ],
    [["--", "--quiet"], 'no command "loopx --quiet"', "loopx --help"],
  ])("%j is an unknown command", (argv, message, hint) => {
    expect(errorOf(argv)).toEqual({ code: "unknown_command", message, hint });
  });
});

describe("flags", () => {
  const add = ["todo", "add"];

  test.each([
    [["--text", "-x"], "-x"],
    [["--text=-x"], "-x"],
    [["--text=--project"], "--project"],
    [["--text", "--projects"], "--projects"],
    [["--text", "--format json"], "--format json"],
    [["--text=--format json"], "--format json"],
    [["--text", "--"], "--"],
    [["--text=--help"], "--help"],
    [["--text=a=b"], "a=b"],
    [["--text", " 两 个\nlines "], " 两 个\nlines "],
  ])("%j gives the text exactly", (argv, text) => {
    expect(flagsOf([...add, ...argv])).toMatchObject({ text });
  });

  test.each([
    [["--text", "--priority=P0"], "--priority=P0"],
    [["--text", "--project", "."], "--project"],
    [["--text", "--json"], "--json"],
  ])("%j is a forgotten value, not a text", (argv, word) => {
    const message = `--text needs a value after it; for the text "${word}" write --text=${word}`;
    expect(errorOf([...add, ...argv])).toMatchObject({ code: "usage", message });
  });

  test("a forgotten value does not take the format away", () => {
    expect(parseCommandLine([...add, "--text", "--format", "json"])).toMatchObject({
      kind: "refused",
      globals: { format: "json" },
    });
  });

  test("booleans and repeatable flags are always there, other absent flags are not", () => {
    expect(flagsOf([...add, "--text", "x"])).toEqual({ text: "x", dependsOn: [], blocks: [] });
    expect(flagsOf([...add, "--text=x", "--blocks=goal", "--blocks", "agent:a1"])).toMatchObject({
      blocks: ["goal", "agent:a1"],
    });
    expect(flagsOf(["export"])).toEqual({ public: false });
  });

  test("values come typed", () => {
    const argv = [
      "--text=x",
      "--validation-command",
      '["npm","test"]',
      "--validation-timeout",
      "1m30s",
      "--priority=P1",
    ];
    expect(flagsOf([...add, ...argv])).toMatchObject({
      validationCommand: ["npm", "test"],
      validationTimeout: 90_000,
      priority: "P1",
    });
    expect(flagsOf(["goal", "budget", "--total-turns=none", "--window-turns=0", "--window=1d"])).toMatchObject({
      totalTurns: "none",
      windowTurns: 0,
      window: 86_400_000,
    });
    const since = ["--since", "2030-01-31T10:00:00+01:00"];
    expect(flagsOf(["context", "traces", "list", "--store=s", "--binding=b", ...since])).toMatchObject({
      since: "2030-01-31T09:00:00.000Z",
    });
  });

  test.each([
    [["todo", "add", "--txt", "x"], "unknown_flag", 'loopx todo add has no flag "--txt"; did you mean --text?'],
    [
      ["todo", "add", "--agentid=a"],
      "unknown_flag",
      'loopx todo add has no flag "--agentid"; did you mean --agent-id?',
    ],
    [
      ["todo", "add", "--agentId=a"],
      "unknown_flag",
      'loopx todo add has no flag "--agentId"; did you mean --agent-id?',
    ],
    [["todo", "add", "--constructor"], "unknown_flag", 'loopx todo add has no flag "--constructor"'],
    [["todo", "add", "-t", "x"], "unknown_flag", 'loopx todo add has no flag "-t"'],
    [["--goal-id", "g", "todo", "list"], "unknown_flag", "--goal-id stands before the command; only global flags may"],
    [["--verison"], "unknown_flag", 'loopx has no flag "--verison"; did you mean --version?'],
    [["status", "--limit", "1", "--limit", "2"], "usage", "--limit is given 2 times; once is all it takes"],
    [["status", "--quiet", "--quiet"], "usage", "--quiet is given 2 times; once is all it takes"],
    [["--format=json", "status", "--format=text"], "usage", "--format is given 2 times; once is all it takes"],
    [["status", "--json", "--format", "text"], "usage", "--json and --format=text contradict each other"],
    [["status", "--version"], "usage", "--version stands alone"],
    [["--help=1"], "usage", "--help takes no value"],
    [["todo", "add", "--help="], "usage", "--help takes no value"],
    [["--version=1"], "usage", "--version takes no value"],
    [["import", "--input", "f", "--execute=yes"], "usage", "--execute takes no value"],
    [["todo", "add", "--text"], "usage", "--text needs a value after it"],
    [
      ["todo", "add", "--text", "fix", "login"],
      "usage",
      'loopx todo add doesn\'t take the argument "login"; put quotes around text with spaces',
    ],
    [["completion"], "usage", "loopx completion needs SHELL: bash, zsh or fish"],
    [["completion", "tcsh"], "invalid_value", "loopx completion takes bash, zsh or fish"],
    [["todo", "add"], "missing_flag", "loopx todo add needs --text"],
    [["quota", "spend"], "missing_flag", "loopx quota spend needs --goal-id, --agent-id, --turn"],
    [["todo", "archive"], "missing_flag", "loopx todo archive needs --todo-id or --completed"],
    [["todo", "archive", "--completed", "--todo-id=todo_4f1k2m"], "usage", "give only one of --todo-id or --completed"],
  ])("%j is refused", (argv, code, message) => {
    expect(errorOf(argv)).toMatchObject({ code, message });
  });

  test.each([
    ["--format=xml", "invalid_value", "--format takes json or text"],
    ["--limit=0", "invalid_value", "--limit takes a whole number from 1 to 500"],
    ["--limit=-1", "invalid_value", "--limit takes a whole number from 1 to 500"],
    ["--limit=1.5", "invalid_value", "--limit takes a whole number from 1 to 500"],
    ["--limit=0x10", "invalid_value", "--limit takes a whole number from 1 to 500"],
    ["--limit=", "invalid_value", "--limit takes a whole number from 1 to 500"],
    ["--cursor=", "invalid_value", "--cursor is empty"],
    ["--goal-id=", "invalid_id", "--goal-id is empty"],
    ["--goal-id= ", "invalid_id", "--goal-id is empty"],
    ["--goal-id=null", "invalid_id", "--goal-id is a placeholder, not an id"],
    ["--goal-id=<goal-id>", "invalid_id", "--goal-id is malformed"],
    ["--agent-id=a/b", "invalid_id", "--agent-id holds a slash or a quote"],
    ["--cursor= \u200b", "invalid_value", "--cursor is empty"],
    ["--cursor=a\0b", "text_not_storable", "--cursor holds a NUL character"],
    ["--cursor=a\ud800b", "text_not_storable", "--cursor holds ill-formed Unicode"],
  ])("status %j is refused", (flag, code, message) => {
    expect(errorOf(["status", flag])).toMatchObject({ code, message });
  });

  test.each([
    ["--validation-command=npm test"],
    ["--validation-command=[]"],
    ["--validation-command=[1]"],
    ['--validation-command=[""]'],
    ["--validation-timeout=10"],
    ["--validation-timeout=2h"],
    ["--priority=p1"],
  ])("todo add %j is refused", (flag) => {
    expect(errorOf(["todo", "add", "--text=x", flag])).toMatchObject({ code: "invalid_value" });
  });

  test("a refusal names a command that helps", () => {
    expect(errorOf(["todo", "add"]).hint).toBe("loopx todo add --help");
    expect(errorOf(["todo", "add", "--bogus"]).hint).toBe("loopx todo add --help");
  });

  test("the format asked for holds wherever the mistake stands", () => {
    for (const argv of [
      ["todo", "ad", "--json"],
      ["todo", "add", "--bogus", "--format", "json"],
      ["todo", "add", "--format=json", "--text"],
      ["--format", "json", "--limit", "x"],
    ]) {
      expect(parseCommandLine(argv)).toMatchObject({ kind: "refused", globals: { format: "json" } });
    }
    expect(parseCommandLine(["todo", "add", "--text=--json", "--bogus"])).toMatchObject({
      globals: { format: "text" },
    });
  });
});
