import { LoopxError, toInstant } from "@loopx/contracts";
import { describe, expect, test } from "vitest";
import type { CommandLoaders } from "../src/commands/command-handler.ts";
import { COMMAND_LOADERS } from "../src/commands/command-loaders.ts";
import { runCommandLine, type CommandOutcome } from "../src/run-command-line.ts";

async function run(
  argv: readonly string[],
  loaders: Partial<CommandLoaders> = COMMAND_LOADERS,
  isTerminal = false,
): Promise<CommandOutcome & { notes: string }> {
  let notes = "";
  const outcome = await runCommandLine(argv, {
    ambient: { now: () => toInstant(0), newId: (prefix) => `${prefix}_0`, env: {}, cwd: "." },
    facts: { isStdinTerminal: isTerminal, isStdoutTerminal: isTerminal, isStderrTerminal: isTerminal, columns: 80 },
    loaders,
    mayRunChecks: true,
    note: (text) => (notes += text),
    onInterrupt: () => undefined,
    untilInterrupted: async () => undefined,
  });
  return { ...outcome, notes };
}

describe("a command line that answers", () => {
  test("writes text for people and one document for programs", async () => {
    expect(await run(["version"])).toMatchObject({ stdout: "loopx 0.0.0-test\n", stderr: "", exitCode: 0 });
    const { stdout } = await run(["--version", "--json"]);
    expect(stdout).toBe(
      `{"ok":true,"schema_version":"loopx_version_v0","version":"0.0.0-test","node":"${process.versions.node}"}\n`,
    );
  });

  test("has an exit code of its own where the answer is no", async () => {
    const loaders: Partial<CommandLoaders> = {
      status: async () => ({ run: () => ({ packet: { ok: false }, text: () => "no", exitCode: 3 }) }),
    };
    expect(await run(["status"], loaders)).toMatchObject({ stdout: "no\n", exitCode: 3 });
    expect(await run(["status", "--json"], loaders)).toMatchObject({ stdout: '{"ok":false}\n', exitCode: 3 });
  });

  test("gives its handler typed flags, and its notes to stderr unless quiet", async () => {
    const loaders: Partial<CommandLoaders> = {
      "todo add": async () => ({
        run: ({ flags, globals, note }) => {
          note(`writing \u001b[2J${flags.text}`);
          return { packet: { blocks: flags.blocks, project: globals.project }, text: () => "" };
        },
      }),
    };
    const argv = ["todo", "add", "--text=x", "--blocks=goal", "--project=p", "--json"];
    expect(await run(argv, loaders)).toMatchObject({
      stdout: '{"blocks":["goal"],"project":"p"}\n',
      notes: "writing \\x1b[2Jx\n",
    });
    expect(await run([...argv, "--quiet"], loaders)).toMatchObject({ notes: "" });
  });

  test("writes data as it is where no terminal reads it", async () => {
    const loaders: Partial<CommandLoaders> = {
      export: async () => ({ run: () => ({ packet: {}, text: () => "a\u202e\n", isData: true }) }),
    };
    expect(await run(["export"], loaders)).toMatchObject({ stdout: "a\u202e\n" });
    expect(await run(["export"], loaders, true)).toMatchObject({ stdout: "a\\u202e\n" });
  });
});

describe("a command line that fails", () => {
  test("says so on stderr with the next step, and on stdout in one document", async () => {
    expect(await run(["todo", "ad"])).toEqual({
      stdout: "",
      stderr: 'error: no command "loopx todo ad"; did you mean "loopx todo add"?\n  next: loopx todo add --help\n',
      exitCode: 2,
      notes: "",
    });
    const { stdout, stderr, exitCode } = await run(["--format", "json", "todo", "ad"]);
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 2 });
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      error: { code: "unknown_command", hint: "loopx todo add --help", details: { suggestions: ["todo add"] } },
    });
  });

  test("keeps a handler's refusal as it is", async () => {
    const loaders: Partial<CommandLoaders> = {
      status: async () => ({
        run: () => {
          throw new LoopxError("unknown_goal", { message: "no goal\u001b[2J here", hint: "loopx goal list" });
        },
      }),
    };
    expect(await run(["status"], loaders)).toMatchObject({
      stderr: "error: no goal\\x1b[2J here\n  next: loopx goal list\n",
      exitCode: 4,
    });
  });

  test("hides a fault's message and stack, and with --verbose shows the stack without folders", async () => {
    const loaders: Partial<CommandLoaders> = {
      status: async () => ({
        run: () => {
          throw new TypeError("reading /home/someone/secret/file.txt failed");
        },
      }),
    };
    const quiet = await run(["status"], loaders);
    expect(quiet).toMatchObject({ stdout: "", exitCode: 70 });
    expect(quiet.stderr).toMatch(/^error: LoopX met a fault of its own \(TypeError\)\n {2}next: [^\n]+\n$/);
    const verbose = await run(["status", "--verbose", "--json"], loaders);
    expect(JSON.parse(verbose.stdout)).toMatchObject({ error: { code: "internal" } });
    expect(verbose.stderr).toContain("TypeError: reading file.txt failed\n    at ");
    expect(verbose.stderr).not.toMatch(/\/(?:home|work|packages|node_modules)\//);
  });

  test("refuses a command without a handler", async () => {
    expect(await run(["doctor"], {})).toMatchObject({
      stderr: expect.stringContaining("loopx doctor is not built yet"),
      exitCode: 70,
    });
  });
});
