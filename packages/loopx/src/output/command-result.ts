import type { TextStyle } from "./text-style.ts";

/** What a command hands back: one packet, and the same for people. */
export interface CommandResult {
  /** The JSON document, snake_case keys. Undefined where stdout was a protocol's: nothing is written to it. */
  readonly packet: object | undefined;
  /** Rendered only when text was asked for. Without a newline at the end one is added; `""` prints nothing. */
  readonly text: (style: TextStyle) => string;
  /** The text is data for a program (an export, a script): written byte for byte where no terminal reads it. */
  readonly isData?: true;
  /** 0 unless the answer itself says no. */
  readonly exitCode?: number;
}
