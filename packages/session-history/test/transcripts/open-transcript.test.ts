import { spawnSync } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTranscript, type Transcript } from "../../src/transcripts/open-transcript.ts";

const { signal } = new AbortController();
let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loopx-transcript-"));
  path = join(folder, "session.jsonl");
  writeFileSync(path, "one\ntwo\n");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function readWhile(change: () => void): Promise<readonly string[]> {
  const opened = await openTranscript({ path, isCompressed: false });
  if (opened.kind !== "opened") return [opened.kind];
  change();
  const lines = await readLines(opened.transcript);
  await opened.transcript.close();
  return lines;
}

async function readLines(transcript: Transcript): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const batch of transcript.lines(signal)) lines.push(...batch.map(({ bytes }) => bytes.toString("utf8")));
  return lines;
}

test("what is added after the opening is not read, and what is deleted still is", async () => {
  expect(await readWhile(() => appendFileSync(path, "three\n"))).toEqual(["one", "two"]);
  expect(await readWhile(() => rmSync(path))).toEqual(["one", "two", "three"]);
});

test("a file that is cut short is read as far as it goes", async () => {
  expect(await readWhile(() => truncateSync(path, 4))).toEqual(["one"]);
});

test("a line is read again by its place, and a place where none begins gives none", async () => {
  const opened = await openTranscript({ path, isCompressed: false });
  if (opened.kind !== "opened") throw new Error(opened.kind);
  const found: string[] = [];
  for await (const { bytes, offset } of opened.transcript.linesAt([4, 0, 99], signal))
    found.push(`${offset} ${bytes.toString("utf8")}`);
  expect(found).toEqual(["4 two", "0 one"]);
  await opened.transcript.close();
});

test("a link, a folder, a pipe and nothing at all are not opened", async () => {
  symlinkSync(path, join(folder, "link"));
  spawnSync("mkfifo", [join(folder, "pipe")]);
  for (const name of ["link", "pipe", "nothing", "."])
    expect([name, await openTranscript({ path: join(folder, name), isCompressed: false })]).toEqual([
      name,
      { kind: "missing" },
    ]);
});
