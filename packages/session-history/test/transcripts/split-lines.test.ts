import * as fc from "fast-check";
import { expect, test } from "vitest";
import { splitLines } from "../../src/transcripts/split-lines.ts";

interface Line {
  readonly offset: number;
  readonly text: string;
}

/** In chunks of the given sizes, each of which lies in the same memory, as a file's do. */
function splitInChunks(bytes: Buffer, sizes: readonly number[], maxLineBytes: number): readonly Line[] {
  const splitter = splitLines(maxLineBytes);
  const memory = Buffer.alloc(bytes.length);
  const lines: Line[] = [];
  const copy = (found: ReturnType<typeof splitter.push>) =>
    lines.push(...found.map(({ offset, bytes: line }) => ({ offset, text: line.toString("latin1") })));
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    const length = bytes.copy(memory, 0, at, at + size);
    copy(splitter.push(memory.subarray(0, length)));
    at += length;
  }
  copy(splitter.end());
  return lines;
}

/** The plain way, with the whole file in hand. */
function splitWhole(text: string, maxLineBytes: number): readonly Line[] {
  let offset = 0;
  return text.split("\n").flatMap((line) => {
    const stripped = line.replace(/^\0+/, "");
    const found = { offset: offset + line.length - stripped.length, text: stripped };
    offset += line.length + 1;
    return stripped !== "" && stripped.length <= maxLineBytes ? [found] : [];
  });
}

test("lines, their places and what is left out don't depend on how a file comes in", () => {
  const texts = fc.array(fc.constantFrom("a", "b", "\n", "\0", "\n\n", "\0\0\0", "line"), { maxLength: 40 });
  const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(texts, sizes, fc.integer({ min: 1, max: 12 }), (parts, chunkSizes, maxLineBytes) => {
      const text = parts.join("");
      const split = splitInChunks(Buffer.from(text, "latin1"), chunkSizes, maxLineBytes);
      expect(split).toEqual(splitWhole(text, maxLineBytes));
    }),
    { numRuns: 2000 },
  );
});
