import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { someRequest } from "../advisory/some-request.ts";

const program = join(import.meta.dirname, "fixtures", "provider-of-everything.mjs");

function run(input: string, args: readonly string[] = [], env: Record<string, string> = {}) {
  const options = { input, encoding: "utf8", env: { PATH: process.env["PATH"], ...env } } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], options);
  return { status, stdout, stderr };
}

const ask = (query: string, changes: Record<string, unknown> = {}) =>
  run(JSON.stringify(someRequest({ query, ...changes })));

const FOUND =
  '{"schema_version":"decision_context_advisory_retrieve_response_v0","ok":true,"status":"completed","reason_code":null,"items":[{"resource_ref":"note:1","summary":"A note","content":"What the note says","score":1}]}';

describe("a provider as a program", () => {
  test("writes exactly one response and ends well", () => {
    expect(ask("find one")).toEqual({ status: 0, stdout: FOUND, stderr: "" });
  });

  test("what a library prints goes to stderr, so that the answer stays alone", () => {
    expect(ask("print first")).toEqual({ status: 0, stdout: FOUND, stderr: "a log line\nanother" });
  });

  test("so does what is printed by a stream that was taken before it ran", () => {
    const request = JSON.stringify(someRequest({ query: "print by what it holds" }));
    expect(run(request, ["--holding"])).toEqual({ status: 0, stdout: FOUND, stderr: "a log line\n" });
  });

  test("reads a request that comes late and in pieces through a pipe that does not block, and answers whole", async () => {
    const request = JSON.stringify(someRequest({ query: "print a lot" }));
    const script = `import { spawn } from "node:child_process";
      const child = spawn(process.execPath, [${JSON.stringify(program)}], { stdio: [process.stdin, "pipe", "inherit"] });
      child.stdout.on("data", (chunk) => process.stdout.write(chunk));`;
    const caller = spawn(process.execPath, ["--input-type=module", "--eval", script], {
      stdio: ["pipe", "pipe", "pipe"],
    });
    caller.stderr.resume();
    let stdout = "";
    caller.stdout.on("data", (chunk) => (stdout += String(chunk)));
    const half = request.length >> 1;
    caller.stdin.write(request.slice(0, half), () => setTimeout(() => caller.stdin.end(request.slice(half)), 100));
    await new Promise((resolve) => caller.on("close", resolve));
    expect(JSON.parse(stdout)).toMatchObject({ status: "completed", items: [{ content: "y".repeat(15_000) }] });
  });

  test("ends although something was left running", () => {
    expect(ask("leave a timer")).toMatchObject({ status: 0, stdout: FOUND });
  });

  test.each([
    ["give a reason", "store_missing"],
    ["throw", "provider_error"],
  ])("asked to %s, it answers unavailable and exits with 0", (query, reason) => {
    const { status, stdout, stderr } = ask(query);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ status: "unavailable", reason_code: reason, items: [] });
    expect(stdout + stderr).not.toContain("canary");
  });

  test("answers before its deadline when it never gets done", () => {
    const { status, stdout } = ask("never settle", { timeout_seconds: 1 });
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ status: "unavailable", reason_code: "deadline_exceeded" });
  });

  test("tells an author who asks what was thrown", () => {
    const request = JSON.stringify(someRequest({ query: "throw" }));
    expect(run(request, [], { LOOPX_PROVIDER_DEBUG: "1" }).stderr).toContain("canary-of-a-thrown-text");
  });

  test.each(["", "not json", `${JSON.stringify(someRequest())}{}`, "x".repeat(3_000_000)])(
    "an input that is no request is answered, case %#",
    (input) => {
      const { status, stdout } = run(input);
      expect(status).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ status: "unavailable", reason_code: "request_invalid" });
    },
  );

  test("answers --doctor by its exit code, without reading stdin", async () => {
    const child = spawn(process.execPath, [program, "--doctor"], { stdio: ["pipe", "ignore", "ignore"] });
    expect(await new Promise((resolve) => child.on("exit", resolve))).toBe(0);
    expect(run("", ["--doctor", "--sick"])).toEqual({ status: 1, stdout: '{"ok":false}', stderr: "" });
    expect(run("", ["--doctor", "--throwing"])).toEqual({ status: 1, stdout: '{"ok":false}', stderr: "" });
  });
});
