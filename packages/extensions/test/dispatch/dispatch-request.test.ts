import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { dispatchRequest, type DispatchOptions, type DispatchOutcome, type RuntimeBinding } from "../../src/index.ts";
import { createFolder, isAlive, placeProgram, readPid, waitUntilGone } from "../provider-place.ts";

const REQUEST = { operation: "retrieve", query: "Grüße: canary-query" };
const LONG_MS = 20_000;

async function send(binding: RuntimeBinding, more: Partial<DispatchOptions> = {}): Promise<DispatchOutcome> {
  return dispatchRequest(binding, REQUEST, { timeoutMs: LONG_MS, environment: { PATH: process.env["PATH"] }, ...more });
}

function failureOf(outcome: DispatchOutcome): string {
  return outcome.kind === "failed" ? outcome.failure : outcome.kind;
}

function responseOf(outcome: DispatchOutcome): Readonly<Record<string, unknown>> {
  if (outcome.kind === "failed") throw new Error(outcome.failure);
  return outcome.response;
}

test("a request is one JSON object without a newline, and its answer is taken", async () => {
  const { binding } = placeProgram("shows-its-input.mjs", ["--serve", "a b"]);
  expect(await send(binding)).toMatchObject({
    kind: "answered",
    response: {
      input: '{"operation":"retrieve","query":"Grüße: canary-query"}',
      argv: ["--serve", "a b"],
    },
  });
});

test.each([
  ["prints-a-log-line-first.sh", [], "response_not_json_object"],
  ["prints-two-objects.sh", [], "response_not_json_object"],
  ["prints-what-it-is-told.sh", ['{"ok":true,"score":NaN}'], "response_not_json_object"],
  ["prints-what-it-is-told.sh", ['{"ok":true,"score":1e999}'], "response_not_json_object"],
  ["prints-what-it-is-told.sh", ['{"ok":true,"ok":true}'], "response_not_json_object"],
  ["prints-what-it-is-told.sh", ['{"ok":true,"\\u006fk":true}'], "response_not_json_object"],
  ["prints-what-it-is-told.sh", ['{"ok":true,"x":"\\377"}'], "response_not_json_object"],
  ["prints-what-it-is-told.sh", ['\\357\\273\\277{"ok":true}'], "response_not_json_object"],
  ["prints-what-it-is-told.sh", ["[]"], "response_not_json_object"],
  ["prints-what-it-is-told.sh", ["null"], "response_not_json_object"],
  ["prints-what-it-is-told.sh", [""], "response_not_json_object"],
  ["prints-what-it-is-told.sh", ['{"ok":false}'], "ok_false"],
  ["ends-with-1.sh", [], "nonzero_exit"],
  ["floods-stdout.sh", [], "response_too_large"],
  ["floods-stderr.sh", [], "stderr_too_large"],
  ["changes-its-own-file.sh", [], "entrypoint_changed"],
] as const)("%s %j is no answer: %s", async (name, args, failure) => {
  expect(failureOf(await send(placeProgram(name, args).binding))).toBe(failure);
});

test.each(['{"ok":true}', ' {"ok":true}\\n'])("white space around the object %j changes nothing", async (text) => {
  expect(await send(placeProgram("prints-what-it-is-told.sh", [text]).binding)).toMatchObject({
    response: { ok: true },
  });
});

test("a program that reads no stdin may answer, however long the request is", async () => {
  const { binding } = placeProgram("reads-no-stdin.sh");
  const options = { timeoutMs: LONG_MS, environment: {} };
  const outcome = await dispatchRequest(binding, { query: "x".repeat(900_000) }, options);
  expect(outcome).toMatchObject({ kind: "answered", response: { read: false } });
});

test("a million bytes are an answer, and one more is none", async () => {
  expect(failureOf(await send(placeProgram("fills-stdout.mjs", ["1000000"]).binding))).toBe("answered");
  expect(failureOf(await send(placeProgram("fills-stdout.mjs", ["1000001"]).binding))).toBe("response_too_large");
});

test("a request over a million bytes starts nothing", async () => {
  const { binding, folder } = placeProgram("ignores-term.sh", [join(createFolder(), "started")]);
  const options = { timeoutMs: LONG_MS, environment: {} };
  const outcome = await dispatchRequest(binding, { query: "x".repeat(1_000_000) }, options);
  expect(failureOf(outcome)).toBe("request_too_large");
  expect(readdirSync(folder)).toEqual(["ignores-term.sh"]);
});

test("the shorter of both deadlines ends a program that hangs", async () => {
  expect(failureOf(await send(placeProgram("hangs.sh", [], 150).binding))).toBe("timeout");
  expect(failureOf(await send(placeProgram("hangs.sh").binding, { timeoutMs: 150 }))).toBe("timeout");
});

test("a program that ignores the request to end is gone all the same", async () => {
  const file = join(createFolder(), "pid");
  const outcome = send(placeProgram("ignores-term.sh", [file]).binding, { timeoutMs: 1_500 });
  const pid = await readPid(file);
  expect(isAlive(pid)).toBe(true);
  expect(failureOf(await outcome)).toBe("timeout");
  await waitUntilGone(pid);
});

test("a grandchild that holds stdout keeps no answer back, and is ended", async () => {
  const file = join(createFolder(), "pid");
  const outcome = await send(placeProgram("leaves-a-grandchild-on-stdout.sh", [file]).binding);
  expect(outcome).toMatchObject({ kind: "answered", response: { ok: true } });
  await waitUntilGone(await readPid(file));
});

test("an abort ends the program at once", async () => {
  const file = join(createFolder(), "pid");
  const abort = new AbortController();
  const outcome = send(placeProgram("ignores-term.sh", [file]).binding, { signal: abort.signal });
  const pid = await readPid(file);
  abort.abort();
  expect(failureOf(await outcome)).toBe("aborted");
  await waitUntilGone(pid);
  expect(failureOf(await send(placeProgram("hangs.sh").binding, { signal: abort.signal }))).toBe("aborted");
});

test("a program that is not there, or cannot be executed, is changed or fails to start", async () => {
  const gone = placeProgram("reads-no-stdin.sh");
  rmSync(gone.entrypoint);
  expect(failureOf(await send(gone.binding))).toBe("entrypoint_changed");
  const { binding } = placeProgram("reads-no-stdin.sh");
  expect(failureOf(await send({ ...binding, argv: ["/nowhere/program"] }))).toBe("execution_failed");
  expect(failureOf(await send({ ...binding, argv: [binding.argv[0] ?? "", "a\0b"] }))).toBe("execution_failed");
});

test("a file that changed beside the program is a change of the program: nothing is started", async () => {
  const file = join(createFolder(), "pid");
  const { binding, folder } = placeProgram("ignores-term.sh", [file]);
  writeFileSync(join(folder, "library.py"), "print('another')");
  expect(failureOf(await send(binding))).toBe("entrypoint_changed");
  expect(readdirSync(join(file, ".."))).toEqual([]);
});

test("a program works in an empty folder of its own, which is gone afterwards", async () => {
  const outcome = await send(placeProgram("writes-in-its-folder.sh").binding);
  const { folder, listing } = responseOf(outcome);
  expect(listing).toBe("left-behind");
  expect(String(folder).startsWith(join(tmpdir(), "loopx-provider-"))).toBe(true);
  expect(() => readdirSync(String(folder))).toThrow("ENOENT");
});

test("a program sees the allowed variables and no other", async () => {
  const environment = {
    PATH: "/usr/bin:/bin",
    HOME: "/home/somebody",
    LANG: "de_DE.UTF-8",
    LC_ALL: "C",
    XDG_DATA_HOME: "/data",
    XDG_SESSION_COOKIE: "canary-env",
    CODEX_HOME: "/codex",
    CODEX_THREAD_ID: "thread-1",
    CLAUDE_CONFIG_DIR: "/claude",
    CLAUDE_CODE_SESSION_ID: "session-1",
    GITHUB_TOKEN: "canary-env",
    NODE_OPTIONS: "--require /canary-env.cjs",
    LD_PRELOAD: "/canary-env.so",
    LOOPX_HOME: "/canary-env",
  };
  const outcome = await send(placeProgram("shows-its-environment.mjs").binding, { environment });
  const given = responseOf(outcome)["environment"] as Readonly<Record<string, string>>;
  expect(JSON.stringify(given)).not.toContain("canary-env");
  expect(Object.keys(given).toSorted()).toEqual([
    "CLAUDE_CODE_SESSION_ID",
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "CODEX_THREAD_ID",
    "HOME",
    "LANG",
    "LC_ALL",
    "LOOPX_EXTENSION_DEPTH",
    "PATH",
    "XDG_DATA_HOME",
  ]);
  expect(given["PATH"]?.split(":").slice(0, 2)).toEqual(["/usr/bin", "/bin"]);
});

test("what a provider starts dispatches nothing", async () => {
  const { binding } = placeProgram("answers-well.mjs");
  expect(failureOf(await send(binding, { environment: { LOOPX_EXTENSION_DEPTH: "1" } }))).toBe("reentrant");
  expect(
    failureOf(await send(binding, { environment: { PATH: process.env["PATH"], LOOPX_EXTENSION_DEPTH: "0" } })),
  ).toBe("answered");
});

test("nothing that a failed program wrote is in the outcome", async () => {
  const outcomes = await Promise.all([
    send(placeProgram("floods-stdout.sh").binding),
    send(placeProgram("floods-stderr.sh").binding),
    send(placeProgram("prints-what-it-is-told.sh", ["canary-stdout"]).binding),
  ]);
  expect(JSON.stringify(outcomes)).not.toContain("canary");
});
