import { describe, expect, test } from "vitest";
import { findThreadId } from "../../src/identity/thread-id.ts";

const env = { CODEX_THREAD_ID: "from-host" };

describe("the caller's thread id", () => {
  test("is the typed one first", () => {
    expect(findThreadId({ typed: "typed", env, readsCodexThreadId: true })).toBe("typed");
  });
  test("comes from the host where the surface reads it, and nowhere else", () => {
    expect(findThreadId({ typed: undefined, env, readsCodexThreadId: true })).toBe("from-host");
    expect(findThreadId({ typed: undefined, env, readsCodexThreadId: false })).toBeUndefined();
  });
  test("is none when the variable is missing or empty", () => {
    expect(findThreadId({ typed: undefined, env: {}, readsCodexThreadId: true })).toBeUndefined();
    expect(findThreadId({ typed: undefined, env: { CODEX_THREAD_ID: "" }, readsCodexThreadId: true })).toBeUndefined();
  });
  test.each(["", " ", "null", "undefined", "a b", "a/b", 'a"b', "a\nb", "x".repeat(129)])(
    "%j is refused, never a wildcard",
    (typed) => {
      const invalid = expect.objectContaining({ code: "invalid_id" });
      expect(() => findThreadId({ typed, env, readsCodexThreadId: true })).toThrow(invalid);
      if (typed === "") return;
      const broken = { CODEX_THREAD_ID: typed };
      expect(() => findThreadId({ typed: undefined, env: broken, readsCodexThreadId: true })).toThrow(invalid);
    },
  );
});
