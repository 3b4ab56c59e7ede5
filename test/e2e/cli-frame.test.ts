import { build } from "esbuild";
import { spawn, spawnSync, type SpawnSyncReturns } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const loopx = join(root, "packages/loopx/bin/loopx.cjs");
const program = join(mkdtempSync(join(tmpdir(), "loopx-frame-")), "program.mjs");

beforeAll(async () => {
  await build({
    entryPoints: [join(root, "test/e2e/fixtures/program-with-test-commands.ts")],
    outfile: program,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    define: { LOOPX_VERSION: JSON.stringify("0.0.0-test") },
  });
});

function run(file: string, argv: readonly string[], env: Record<string, string> = {}): SpawnSyncReturns<string> {
  const options = { encoding: "utf8", maxBuffer: 8_000_000, env: { PATH: process.env["PATH"] ?? "", ...env } } as const;
  return spawnSync(process.execPath, [file, ...argv], options);
}

function shell(line: string, ...argv: string[]): SpawnSyncReturns<string> {
  return spawnSync("bash", ["-o", "pipefail", "-c", line, "bash", process.execPath, ...argv], { encoding: "utf8" });
}

describe("the bundle", () => {
  test("shows its version, help and completion with nothing on stderr", () => {
    expect(run(loopx, ["--version"])).toMatchObject({ stdout: "loopx 0.1.0\n", stderr: "", status: 0 });
    expect(run(loopx, [])).toMatchObject({ stdout: expect.stringContaining("loopx init"), stderr: "", status: 0 });
    expect(run(loopx, ["help", "todo", "add"])).toMatchObject({ stderr: "", status: 0 });
    expect(run(loopx, ["todo", "--help"]).stdout).toContain("\n  todo claim");
    expect(run(loopx, ["completion", "bash"]).stdout).toContain("complete -F _loopx loopx");
  });

  test("gives one document on stdout for programs, also on failure, and exit code 2 for a usage mistake", () => {
    const refused = run(loopx, ["--format", "json", "todo", "ad"]);
    expect(refused).toMatchObject({ stderr: "", status: 2 });
    expect(JSON.parse(refused.stdout)).toMatchObject({ ok: false, error: { code: "unknown_command" } });
    expect(run(loopx, ["todo", "ad"])).toMatchObject({
      stdout: "",
      stderr: 'error: no command "loopx todo ad"; did you mean "loopx todo add"?\n  next: loopx todo add --help\n',
      status: 2,
    });
  });

  test("styles text only where it is asked to", () => {
    expect(run(loopx, ["--help"]).stdout).not.toContain("\u001b");
    expect(run(loopx, ["--help"], { FORCE_COLOR: "1" }).stdout).toContain("\u001b[1m");
    expect(run(loopx, ["--help", "--no-color"], { FORCE_COLOR: "1" }).stdout).not.toContain("\u001b");
  });

  test("ends quietly when its reader has gone", () => {
    const outcome = shell('"$1" "$2" help 2>&1 | head -1', loopx);
    expect(outcome).toMatchObject({
      stdout: "loopx: what may an agent do next, and who decides?\n",
      stderr: "",
      status: 0,
    });
  });
});

describe("the frame around a command", () => {
  test("writes a megabyte to a pipe to its last byte", () => {
    const { stdout, stderr, status } = run(program, ["history", "--json"]);
    expect({ stderr, status, length: stdout.length }).toEqual({ stderr: "", status: 0, length: 1_048_599 });
    expect(JSON.parse(stdout)).toMatchObject({ text: expect.stringMatching(/last line$/) });
  });

  test.skipIf(spawnSync("python3", ["--version"]).error !== undefined)(
    "writes a megabyte to a non-blocking pipe that is read late",
    () => {
      // A parent that made its pipe non-blocking shares that with us: writes answer EAGAIN when it is full.
      const script = `
      import fcntl, os, subprocess, sys, time
      reader, writer = os.pipe()
      fcntl.fcntl(writer, fcntl.F_SETFL, fcntl.fcntl(writer, fcntl.F_GETFL) | os.O_NONBLOCK)
      child = subprocess.Popen(sys.argv[1:], stdout=writer)
      os.close(writer)
      time.sleep(0.5)
      total = 0
      while chunk := os.read(reader, 65536): total += len(chunk)
      print(total, child.wait())`.replaceAll(/^ {6}/gm, "");
      const outcome = spawnSync("python3", ["-c", script, process.execPath, program, "history", "--json"], {
        encoding: "utf8",
      });
      expect(outcome).toMatchObject({ stdout: "1048599 0\n", stderr: "" });
    },
  );

  test("is not troubled by a reader that leaves in the middle", () => {
    const outcome = shell('"$1" "$2" history | head -c 10', program);
    expect(outcome).toMatchObject({ stdout: "0123456789", stderr: "", status: 0 });
  });

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)(
    "answers %s with code interrupted and exit code %i, after the command's cleanup",
    async (signal, exitCode) => {
      const child = spawn(process.execPath, [program, "status", "--json"], { stdio: ["ignore", "pipe", "pipe"] });
      let stdout = "";
      let stderr = "";
      child.stdout.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk));
      child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
        stderr += chunk;
        if (stderr === "waiting\n") child.kill(signal);
      });
      const status = await new Promise((resolve) => child.on("close", resolve));
      expect({ status, stderr }).toEqual({ status: exitCode, stderr: "waiting\ncleaned up\n" });
      expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { code: "interrupted" } });
    },
  );

  test.each(["goal list", "gate list", "config list"])(
    "answers a fault in %s with code internal, without stack or folder",
    (words) => {
      const outcome = run(program, [...words.split(" "), "--json"]);
      expect(outcome).toMatchObject({ stderr: "", status: 70 });
      expect(JSON.parse(outcome.stdout)).toMatchObject({ ok: false, error: { code: "internal" } });
      const verbose = run(program, [...words.split(" "), "--verbose"]);
      expect(verbose).toMatchObject({ stdout: "", stderr: expect.stringContaining("\n    at "), status: 70 });
      expect(`${outcome.stdout}${verbose.stderr}`).not.toContain("loopx-frame-");
    },
  );

  test("hands hostile words through a real shell to the command unchanged", () => {
    const text = `-x --project '$(id)' "\`id\`" \\ a\nb 中文 🧑‍💻`;
    const outcome = shell('"$1" "$2" todo add --text "$3" --json', program, text);
    expect(JSON.parse(outcome.stdout)).toEqual({ ok: true, text });
  });
});
