import { containsCredential, LoopxError } from "@loopx/contracts";

/** Where a message is typed when the host doesn't say. */
const DEFAULT_UI_SURFACE = "chat_box";

/**
 * The compact label of where in the host a message was typed: `chat_box`, `command_palette`, `codex_cli_tui`, ….
 *
 * Refuses with `invalid_value` what is no such label: it is printed, and never a key.
 */
export function parseUiSurface(text: string | undefined): string {
  if (text === undefined) return DEFAULT_UI_SURFACE;
  if (/^[a-z][a-z0-9_]{0,63}$/.test(text) && containsCredential(text) === undefined) return text;
  throw new LoopxError("invalid_value", {
    message: "--ui-surface is no compact label",
    hint: `use up to 64 of a-z 0-9 _, beginning with a letter, such as ${DEFAULT_UI_SURFACE}`,
    details: { field: "ui_surface" },
  });
}
