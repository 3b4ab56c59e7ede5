import { spawnSync } from "node:child_process";
import { renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished, expect, test } from "vitest";
import { findEntrypoint } from "../../src/entrypoint/entrypoint-identity.ts";
import { dispatchRequest, type DispatchOutcome, type RuntimeBinding } from "../../src/index.ts";
import { createFolder, FIXTURES, isAlive, placeProgram, readPid } from "../provider-place.ts";

const LONG_MS = 20_000;

async function send(binding: RuntimeBinding): Promise<DispatchOutcome> {
  return dispatchRequest(
    binding,
    { operation: "retrieve" },
    { timeoutMs: LONG_MS, environment: { PATH: process.env["PATH"] } },
  );
}

function failureOf(outcome: DispatchOutcome): string {
  return outcome.kind === "failed" ? outcome.failure : outcome.kind;
}

const hasSetsid = spawnSync("sh", ["-c", "command -v setsid"]).status === 0;

test.runIf(hasSetsid)("a child that leaves the group is out of reach, and keeps no answer back", async () => {
  const file = join(createFolder(), "pid");
  const outcome = await send(placeProgram("escapes-its-group.sh", [file]).binding);
  expect(outcome).toMatchObject({ kind: "answered", response: { ok: true } });
  const pid = await readPid(file);
  onTestFinished(() => void process.kill(pid, "SIGKILL"));
  expect(isAlive(pid)).toBe(true);
});

test.each([
  ["writes-after-its-answer.sh", [], LONG_MS, "response_not_json_object"],
  ["ends-by-a-signal.sh", [], LONG_MS, "nonzero_exit"],
  ["closes-its-pipes-and-stays.sh", [], 300, "timeout"],
  ["trickles.mjs", [], 600, "timeout"],
  ["prints-what-it-is-told.sh", [`${'{"a":'.repeat(65)}1${"}".repeat(65)}`], LONG_MS, "response_not_json_object"],
  ["prints-what-it-is-told.sh", ["[".repeat(50_000)], LONG_MS, "response_not_json_object"],
  ["prints-what-it-is-told.sh", ['{"ok":true,"__proto__":{"ok":false}}'], LONG_MS, "response_not_json_object"],
  ["prints-what-it-is-told.sh", [`{"ok":true,"n":${"9".repeat(400)}}`], LONG_MS, "response_not_json_object"],
] as const)("%s %# is no answer: %s", async (name, args, timeoutMs, failure) => {
  expect(failureOf(await send(placeProgram(name, args, timeoutMs).binding))).toBe(failure);
});

/** An extension whose manifest names a link to its program, which lies in another folder. */
function placeLink(name: string): { readonly link: string; readonly other: string; readonly binding: RuntimeBinding } {
  const { binding } = placeProgram(name);
  const other = join(FIXTURES, "answers-well.mjs");
  const folder = createFolder();
  const link = join(folder, "provider");
  symlinkSync(binding.argv[0] ?? "", link);
  const found = findEntrypoint(link, folder);
  if (found.kind !== "found") throw new Error(found.kind);
  const place = { entrypoint: link, folder };
  return {
    link,
    other,
    binding: { ...binding, argv: [found.path, link, other], place, entrypointIdentity: found.identity },
  };
}

test("a link that leads elsewhere before the start starts nothing", async () => {
  const { link, other, binding } = placeLink("ends-with-1.sh");
  symlinkSync(other, `${link}.new`);
  renameSync(`${link}.new`, link);
  expect(failureOf(await send(binding))).toBe("entrypoint_changed");
});

test("a link that leads elsewhere while the program runs gives no answer", async () => {
  expect(failureOf(await send(placeLink("leads-its-link-elsewhere.sh").binding))).toBe("entrypoint_changed");
});

test("a pipe in the place of the program is no program, and is never waited for", async () => {
  const { binding, entrypoint, folder } = placeProgram("answers-well.mjs");
  rmSync(entrypoint);
  expect(spawnSync("mkfifo", ["-m", "755", entrypoint]).status).toBe(0);
  expect(findEntrypoint(entrypoint, folder)).toEqual({ kind: "missing" });
  expect(failureOf(await send(binding))).toBe("entrypoint_changed");
});

test("a folder that links to itself, or out of itself, is looked at once", async () => {
  const { binding, entrypoint, folder } = placeProgram("answers-well.mjs");
  symlinkSync(folder, join(folder, "loop"));
  symlinkSync("/", join(folder, "everything"));
  const found = findEntrypoint(entrypoint, folder);
  if (found.kind !== "found") throw new Error(found.kind);
  expect(failureOf(await send({ ...binding, entrypointIdentity: found.identity }))).toBe("answered");
});
