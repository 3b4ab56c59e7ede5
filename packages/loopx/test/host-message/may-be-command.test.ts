import { HOOK_CONTRACTS, parseHostMessage, prefixesOf } from "@loopx/host-commands";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { mayBeCommand } from "../../src/host-message/may-be-command.ts";

const piece = fc.constantFrom("/", "$", "loop", "x", "-", "-global-", "summary", " ", "\n", "\u00a0", "a", "／", ".");
const prompt = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join(""));

test("the first look lets every message through that the parser takes for a command of any host", () => {
  const surfaces = Object.values(HOOK_CONTRACTS).flatMap((contract) => contract.surfaces);
  let commands = 0;
  fc.assert(
    fc.property(
      fc.oneof(
        prompt,
        prompt.map((text) => `/loopx${text}`),
        prompt.map((text) => `$loop${text}`),
      ),
      (text) => {
        const isOurs = surfaces.some((surface) => parseHostMessage(text, prefixesOf(surface)).kind !== "ordinary");
        if (isOurs) expect(mayBeCommand(Buffer.from(JSON.stringify({ prompt: text })))).toBe(true);
        commands += isOurs ? 1 : 0;
      },
    ),
    { numRuns: 2000 },
  );
  expect(commands).toBeGreaterThan(200);
});

test.each([
  "",
  "null",
  "[]",
  "{",
  "{}",
  '{"prompt":1}',
  '{"prompt":"fix /loopx"}',
  '{"prompt":"/loopxyz"}',
  '"/loopx"',
])("and nothing of another beginning or shape: %j", (payload) => {
  expect(mayBeCommand(Buffer.from(payload))).toBe(false);
});

test("escapes of JSON and a byte order mark hide no command", () => {
  expect(mayBeCommand(Buffer.from(String.raw`{"prompt":"\/loop\u0078 fix it"}`))).toBe(true);
  expect(mayBeCommand(Buffer.from('\uFEFF{"prompt":"/loopx"}'))).toBe(true);
});
