import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { noteProgress } from "../../../src/context/suite/progress-notes.ts";

const FACTS = { isStdinTerminal: false, isStdoutTerminal: false, isStderrTerminal: true, columns: 80 };

test("a long run says at a terminal how far it is, and not that it is done", async () => {
  const notes: string[] = [];
  const tell = noteProgress({ facts: FACTS, note: (line) => notes.push(line) }, "tests");
  tell(64, 1000);
  await pause(150);
  tell(128, 1000);
  tell(192, 1000);
  await pause(150);
  tell(1000, 1000);
  expect(notes).toEqual(["128 of 1000 tests …"]);
});

test("nothing is said where no person reads it", async () => {
  const notes: string[] = [];
  const tell = noteProgress(
    { facts: { ...FACTS, isStderrTerminal: false }, note: (line) => notes.push(line) },
    "tests",
  );
  await pause(150);
  tell(64, 1000);
  expect(notes).toEqual([]);
});
