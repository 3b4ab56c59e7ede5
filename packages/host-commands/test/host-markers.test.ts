import { describe, expect, test } from "vitest";
import { findHostMarker, HOST_MARKERS, listMarkerVariables } from "../src/host-markers.ts";

describe("host markers", () => {
  test("a shell of a person has none", () => {
    const env = {
      HOME: "/home/alice",
      TERM: "xterm",
      CODEX_HOME: "/x",
      CURSOR_TRACE_ID: "t",
      GEMINI_API_KEY: "k",
      AGENT: "1",
    };
    expect(findHostMarker(env)).toBeUndefined();
  });

  test.each([
    ["LOOPX_AGENT", "loopx-drive"],
    ["CLAUDECODE", "claude-code"],
    ["CLAUDE_CODE_SESSION_ID", "claude-code"],
    ["CODEX_THREAD_ID", "codex"],
    ["CODEX_SANDBOX", "codex"],
    ["CURSOR_AGENT", "cursor"],
    ["GEMINI_CLI", "gemini"],
    ["OPENCODE", "opencode"],
    ["AI_AGENT", "other-agent"],
  ])("%s is a marker of %s", (variable, host) => {
    expect(findHostMarker({ HOME: "/home/alice", [variable]: "1" })).toEqual({ variable, host });
  });

  test("an empty value is no marker; any other value is one", () => {
    expect(findHostMarker({ CLAUDECODE: "" })).toBeUndefined();
    expect(findHostMarker({ CLAUDECODE: "0" })?.host).toBe("claude-code");
    expect(findHostMarker({ CLAUDECODE: undefined })).toBeUndefined();
  });

  test("no variable stands on the list twice", () => {
    expect(new Set(HOST_MARKERS.map((marker) => marker.variable)).size).toBe(HOST_MARKERS.length);
  });

  test("lists the variables of one host", () => {
    expect(listMarkerVariables("gemini")).toEqual(["GEMINI_CLI"]);
  });
});
