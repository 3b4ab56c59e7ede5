import { describe, expect, test } from "vitest";
import {
  extendChain,
  openChain,
  verifyChain,
  type ChainEntry,
  type ChainHead,
  type ChainName,
} from "../../src/trace/trace-chain.ts";
import { createRing } from "./sample-trace.ts";

const RING = createRing();
const NAME: ChainName = { writer: "writer-a", partition: "2026-11", keyId: "key_a" };

function createChain(
  length: number,
  name = NAME,
  ring = RING,
  forkedAt = Infinity,
): { readonly entries: ChainEntry[]; readonly head: ChainHead } {
  const entries: ChainEntry[] = [];
  let head = openChain(ring, name);
  for (let number = 1; number <= length; number += 1) {
    const json = number < forkedAt ? `{"trace":${number}}` : `{"fork":${number}}`;
    head = extendChain(ring, name, head, json);
    entries.push({ sequence: head.count, mac: head.mac, json });
  }
  return { entries, head };
}

function renumber(list: readonly ChainEntry[]): ChainEntry[] {
  return list.map((entry, index) => ({ ...entry, sequence: index + 1 }));
}

const { entries, head } = createChain(5);

test("a chain as it was written is whole, and so is an empty one", async () => {
  expect(await verifyChain(RING, NAME, head, entries)).toEqual({ ok: true, count: 5 });
  expect(await verifyChain(RING, NAME, openChain(RING, NAME), [])).toEqual({ ok: true, count: 0 });
});

describe("what was done to a chain is found at the first bad trace", () => {
  const replaceAt = (index: number, parts: Partial<ChainEntry>) =>
    entries.with(index, { ...entries[index]!, ...parts });
  test.each([
    ["a changed trace", replaceAt(2, { json: '{"trace":33}' }), head, 3, "ENTRY_ALTERED"],
    ["a changed digest", replaceAt(2, { mac: entries[3]!.mac }), head, 3, "ENTRY_ALTERED"],
    ["a deleted trace", entries.toSpliced(1, 1), head, 2, "ENTRY_MISSING"],
    ["a deleted and renumbered trace", renumber(entries.toSpliced(1, 1)), head, 2, "ENTRY_ALTERED"],
    ["a deleted beginning", renumber(entries.slice(2)), head, 1, "ENTRY_ALTERED"],
    ["two swapped traces", renumber([entries[1]!, entries[0]!, ...entries.slice(2)]), head, 1, "ENTRY_ALTERED"],
    ["a repeated trace", renumber([entries[0]!, ...entries]), head, 2, "ENTRY_ALTERED"],
    ["a cut tail", entries.slice(0, 3), head, 4, "TAIL_MISSING"],
    ["everything cut", [], head, 1, "TAIL_MISSING"],
    [
      "a cut tail and a count to fit",
      entries.slice(0, 3),
      { ...head, count: 3, mac: entries[2]!.mac },
      4,
      "HEAD_ALTERED",
    ],
    ["a head of another time", entries, createChain(3).head, 4, "HEAD_ALTERED"],
    ["traces of another writer", createChain(5, { ...NAME, writer: "writer-b" }).entries, head, 1, "ENTRY_ALTERED"],
    [
      "traces under another key",
      createChain(5, NAME, createRing([{ id: "key_a", state: "active", byte: 9 }])).entries,
      head,
      1,
      "ENTRY_ALTERED",
    ],
    [
      "a trace of a fork, signed at the same place",
      replaceAt(2, createChain(3, NAME, RING, 3).entries[2]!),
      head,
      4,
      "ENTRY_ALTERED",
    ],
    ["a trace that nobody signed", replaceAt(0, { mac: "" }), head, 1, "ENTRY_ALTERED"],
  ])("%s", async (...[, tampered, tamperedHead, firstBadSequence, problem]) => {
    expect(await verifyChain(RING, NAME, tamperedHead, tampered)).toEqual({ ok: false, firstBadSequence, problem });
  });
});

test("a chain under a rotated key is checked, under a destroyed one it says so", async () => {
  const next = { id: "key_b", state: "active", byte: 2 } as const;
  const rotated = createRing([{ id: "key_a", state: "verify_only", byte: 1 }, next]);
  expect(await verifyChain(rotated, NAME, head, entries)).toEqual({ ok: true, count: 5 });
  const destroyed = createRing([{ id: "key_a", state: "destroyed", byte: 1 }, next]);
  expect(await verifyChain(destroyed, NAME, head, entries)).toMatchObject({
    firstBadSequence: 1,
    problem: "KEY_DESTROYED",
  });
  expect(await verifyChain(createRing([next]), NAME, head, entries)).toMatchObject({ problem: "KEY_UNKNOWN" });
});
