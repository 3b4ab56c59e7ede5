import { isLoopxError, type LoopxError } from "@loopx/contracts";
import { describe, expect, test } from "vitest";
import { parseSessionLocator } from "../../src/session-locator/session-locator.ts";

function refusalOf(link: string): LoopxError {
  try {
    parseSessionLocator(link);
  } catch (error) {
    if (isLoopxError(error)) return error;
    throw error;
  }
  throw new Error(`accepted ${link}`);
}

describe("a Codex deep link", () => {
  test("is parsed into a locator that grants nothing", () => {
    expect(parseSessionLocator("codex://threads/thread-a")).toEqual({
      schema_version: "loopx_host_session_locator_v0",
      kind: "codex_deep_link",
      status: "parsed",
      host_family: "codex",
      thread_id: "thread-a",
      deep_link: "codex://threads/thread-a",
      context_scope_ref: "host-session:codex:thread-a",
      authority: "locator_only",
    });
  });

  test("may have its scheme and authority in any case and white space around it", () => {
    expect(parseSessionLocator(" CODEX://Threads/Thread-A\n")).toMatchObject({
      thread_id: "Thread-A",
      deep_link: "codex://threads/Thread-A",
    });
  });

  test.each([
    ["https URL", "https://example.com/threads/thread-a"],
    ["another page", "codex://settings"],
    ["no thread", "codex://threads"],
    ["an empty thread", "codex://threads/"],
    ["a new task", "codex://threads/new"],
    ["a new task in capitals", "codex://threads/NEW"],
    ["an extra segment", "codex://threads/a/extra"],
    ["a trailing slash", "codex://threads/a/"],
    ["a query", "codex://threads/a?host=other"],
    ["an empty query", "codex://threads/a?"],
    ["a fragment", "codex://threads/a#b"],
    ["a percent escape", "codex://threads/a%2Fb"],
    ["a colon", "codex://threads/thread:a"],
    ["non-ASCII", "codex://threads/tâche"],
    ["a full-width letter", "codex://threads/\uff41"],
    ["a leading dot", "codex://threads/.a"],
    ["a placeholder", "codex://threads/undefined"],
    ["a user", "codex://user@threads/a"],
    ["a port", "codex://threads:80/a"],
    ["one slash", "codex:/threads/a"],
    ["text before", "see codex://threads/a"],
    ["text after", "codex://threads/a please"],
    ["a second line", "codex://threads/a\ncodex://threads/b"],
    ["a NUL", "codex://threads/a\0"],
    ["a no-break space after", "codex://threads/a\u00a0"],
    ["129 characters", `codex://threads/${"a".repeat(129)}`],
    ["nothing", ""],
  ])("with %s is refused and not repeated", (_case, link) => {
    const refusal = refusalOf(link);
    expect(refusal.code).toBe("thread_agent_binding_invalid_request");
    const told = JSON.stringify([refusal.message, refusal.hint, refusal.details]);
    expect(told.replace("codex://threads/<thread-id>", "")).not.toMatch(/codex:\/\/|example\.com|extra|2Fb|undefined/);
  });

  test("takes 128 characters", () => {
    expect(parseSessionLocator(`codex://threads/${"a".repeat(128)}`).thread_id).toBe("a".repeat(128));
  });
});
