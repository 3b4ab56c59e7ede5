import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { LoopxError } from "@loopx/contracts";
import { describe, expect, test } from "vitest";
import { findSqliteCode, isLockHeld, toStoreError } from "../../src/sqlite/sqlite-errors.ts";
import { createTemporaryDirectory } from "../temporary-directory.ts";

const PLACE = { path: "/nowhere/state.db", label: ".loopx/state.db" };

function betterError(code: string): Error {
  return Object.assign(new Error("the engine's words"), { code });
}

function nodeError(errcode: number): Error {
  return Object.assign(new Error("the engine's words"), { code: "ERR_SQLITE_ERROR", errcode });
}

describe("toStoreError", () => {
  test.each([
    { better: "SQLITE_BUSY", node: 5, code: "store_busy" },
    { better: "SQLITE_BUSY_RECOVERY", node: 261, code: "store_busy" },
    { better: "SQLITE_FULL", node: 13, code: "store_full" },
    { better: "SQLITE_IOERR_WRITE", node: 778, code: "store_failed" },
    { better: "SQLITE_NOTADB", node: 26, code: "store_corrupt" },
    { better: "SQLITE_CORRUPT", node: 11, code: "store_corrupt" },
    { better: "SQLITE_CORRUPT_INDEX", node: 779, code: "store_corrupt" },
    { better: "SQLITE_READONLY_ROLLBACK", node: 776, code: "store_needs_recovery" },
    { better: "SQLITE_READONLY_RECOVERY", node: 264, code: "store_needs_recovery" },
    { better: "SQLITE_READONLY_DBMOVED", node: 1032, code: "store_missing" },
    { better: "SQLITE_READONLY", node: 8, code: "store_read_only" },
    { better: "SQLITE_READONLY_DIRECTORY", node: 1544, code: "store_read_only" },
    { better: "SQLITE_CONSTRAINT_UNIQUE", node: 2067, code: "store_failed" },
    { better: "UNKNOWN_SQLITE_ERROR_9999", node: 9999, code: "store_failed" },
  ])("$better and its number $node are both $code", ({ better, node, code }) => {
    for (const error of [betterError(better), nodeError(node)]) {
      const translated = toStoreError(error, PLACE, "read");
      expect(translated).toMatchObject({ code, cause: error, message: expect.stringContaining(".loopx/state.db") });
      expect(translated.message).not.toContain("engine");
    }
  });

  test.each([betterError("SQLITE_CANTOPEN"), nodeError(14)])("cannot open means what was being done (%#)", (error) => {
    expect(toStoreError(error, PLACE, "write").code).toBe("store_read_only");
    expect(toStoreError(error, PLACE, "read").code).toBe("store_failed");
    const path = join(createTemporaryDirectory(), "state.db");
    writeFileSync(`${path}-journal`, "");
    expect(toStoreError(error, { path, label: "x" }, "read").code).toBe("store_needs_recovery");
  });

  test("an error of ours passes as it is", () => {
    const error = new LoopxError("store_missing", { message: "gone" });
    expect(toStoreError(error, PLACE, "read")).toBe(error);
  });

  test("anything else is store_failed without its words", () => {
    const translated = toStoreError(new TypeError("open /home/me"), PLACE, "read");
    expect(translated).toMatchObject({
      code: "store_failed",
      message: ".loopx/state.db could not carry out the operation",
    });
    expect(toStoreError("a thrown string", PLACE, "read").code).toBe("store_failed");
    expect(toStoreError(null, PLACE, "read").code).toBe("store_failed");
  });

  test("only a held lock is worth another attempt", () => {
    expect([betterError("SQLITE_BUSY"), nodeError(5), nodeError(517)].map(isLockHeld)).toEqual([true, true, true]);
    expect([betterError("SQLITE_FULL"), nodeError(13), new Error("no"), undefined].map(isLockHeld)).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  test("a system error is no engine error", () => {
    expect(findSqliteCode(Object.assign(new Error("x"), { code: "ENOENT" }))).toBeUndefined();
  });
});
