import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  codexAgent,
  codexMeta,
  codexUser,
  contentsOf,
  createHistoryHome,
  type HistoryHome,
  toJsonLines,
} from "./history-world.ts";

const zlib = process.getBuiltinModule("node:zlib") as { zstdCompressSync?: (bytes: Buffer) => Buffer };
const hasZstd = zlib.zstdCompressSync !== undefined;
const ID = "019e8951-3e7d-7343-a3e3-05bff48a317d";

let home: HistoryHome;
beforeEach(() => {
  home = createHistoryHome();
});
afterEach(() => home.remove());

const recall = async () => contentsOf(await home.recall(`host-session:codex:${ID}`, "pilot"));

function writeCompressed(bytes: Buffer): void {
  const folder = join(home.folder, ".codex", "archived_sessions");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `rollout-2026-11-29T10-00-00-${ID}.jsonl.zst`), bytes);
}

describe("a compressed rollout", () => {
  test.skipIf(hasZstd)("is a reason where this Node can't read it, unless a plain one stands there too", async () => {
    writeCompressed(Buffer.from("not looked at"));
    expect(await recall()).toEqual(["unavailable: session_compressed_unreadable"]);
    home.writeCodex(ID, [codexUser("The plain pilot")]);
    expect(await recall()).toEqual(["The plain pilot"]);
  });

  test.runIf(hasZstd)("is read where this Node can, and the plain one first", async () => {
    const lines = [
      codexMeta(ID),
      codexUser("The cold pilot"),
      codexAgent("x".repeat(3_000_000)),
      codexAgent("A pilot"),
    ];
    writeCompressed(zlib.zstdCompressSync?.(Buffer.from(toJsonLines(lines))) ?? Buffer.alloc(0));
    expect((await recall()).toSorted()).toEqual(["A pilot", "The cold pilot"]);
    home.writeCodex(ID, [codexUser("The plain pilot")]);
    expect(await recall()).toEqual(["The plain pilot"]);
  });

  test.runIf(hasZstd)("is a reason when it is damaged", async () => {
    const whole = zlib.zstdCompressSync?.(Buffer.from(toJsonLines([codexMeta(ID), codexUser("pilot")])));
    writeCompressed(whole?.subarray(0, 40) ?? Buffer.alloc(0));
    expect(await recall()).toEqual(["unavailable: session_compressed_unreadable"]);
    writeCompressed(Buffer.from("not compressed at all"));
    expect(await recall()).toEqual(["unavailable: session_compressed_unreadable"]);
  });
});
