import { expect, test } from "vitest";
import { parseUiSurface } from "../../src/handoff/parse-ui-surface.ts";

test("a UI surface is a compact label, and chat_box when none is named", () => {
  expect(parseUiSurface(undefined)).toBe("chat_box");
  expect(["command_palette", "codex_cli_tui"].map(parseUiSurface)).toEqual(["command_palette", "codex_cli_tui"]);
});

test.each([
  "",
  "Chat",
  "chat box",
  "/home/alice",
  "a\u001b[2J",
  "a".repeat(65),
  "ghp_0123456789abcdefghij0123456789abcdef",
])("anything else is refused without being repeated: %j", (text) => {
  expect(() => parseUiSurface(text)).toThrow("--ui-surface is no compact label");
});
