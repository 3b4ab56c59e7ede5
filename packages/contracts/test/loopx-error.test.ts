import { describe, expect, test } from "vitest";
import { refuse } from "../src/errors.ts";
import { fromRefusal, isLoopxError, LoopxError, toErrorPacket } from "../src/loopx-error.ts";

describe("LoopxError", () => {
  test("masks paths and credentials in message, hint and details", () => {
    const error = new LoopxError("store_corrupt", {
      message: "the store /home/alice/p/.loopx/state.db is damaged",
      hint: "run loopx doctor --project=/home/alice/p",
      details: { file: "/home/alice/p", note: "password=hunter2" },
    });
    expect(error.message).toBe("the store <local-path-redacted> is damaged");
    expect(error.hint).toBe("run loopx doctor --project=<local-path-redacted>");
    expect(error.details).toEqual({ file: "<local-path-redacted>", note: "password=<credential-redacted>" });
  });

  test("takes exit code and HTTP status from the table and keeps its cause", () => {
    const cause = new Error("driver");
    const error = new LoopxError("store_full", { message: "full", cause });
    expect([error.exitCode, error.httpStatus, error.cause]).toEqual([5, 507, cause]);
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe("LoopxError");
    expect("hint" in error || "details" in error).toBe(false);
  });

  test("is recognised across copies of the module, and nothing else is", () => {
    const fromAnotherCopy = Object.assign(new Error("x"), { [Symbol.for("loopx.error")]: true });
    expect(isLoopxError(fromAnotherCopy)).toBe(true);
    expect(isLoopxError(new LoopxError("usage", { message: "x" }))).toBe(true);
    for (const other of [new Error("x"), { code: "usage" }, null, undefined, "usage"]) {
      expect(isLoopxError(other)).toBe(false);
    }
  });
});

describe("toErrorPacket", () => {
  test("renders the parts that are there", () => {
    expect(
      toErrorPacket(new LoopxError("store_busy", { message: "locked", hint: "retry", details: { ms: 5 } })),
    ).toEqual({
      ok: false,
      error: {
        code: "store_busy",
        category: "store",
        message: "locked",
        hint: "retry",
        details: { ms: 5 },
        retry: true,
      },
    });
    expect(JSON.stringify(toErrorPacket(new LoopxError("usage", { message: "bad" })))).toBe(
      '{"ok":false,"error":{"code":"usage","category":"usage","message":"bad","retry":false}}',
    );
  });

  test("tells no word of a foreign error but its name and system code", () => {
    const foreign = Object.assign(new TypeError("the query 'secret plans' failed"), { code: "ENOENT" });
    expect(toErrorPacket(foreign)).toEqual({
      ok: false,
      error: {
        code: "internal",
        category: "internal",
        message: "LoopX met a fault of its own (TypeError)",
        details: { system_code: "ENOENT" },
        retry: false,
      },
    });
    expect(toErrorPacket("thrown text").error.message).toBe("LoopX met a fault of its own (string)");
  });
});

test("fromRefusal carries code, message, hint and details over", () => {
  const refusal = refuse("todo_claimed_by_other", { message: "held", hint: "wait", details: { by: "cc-main" } });
  expect(toErrorPacket(fromRefusal(refusal)).error).toEqual({
    code: "todo_claimed_by_other",
    category: "refused",
    message: "held",
    hint: "wait",
    details: { by: "cc-main" },
    retry: true,
  });
});
