import { neutraliseForTerminal } from "@loopx/contracts";
import { STYLE_SEQUENCES } from "./text-style.ts";

// oxlint-disable-next-line no-control-regex -- an escape sequence is what it looks for
const STYLE = /(\u001b\[\d{1,2}m)/;

/**
 * The last look at text before it is written: our own styles stay, whatever else could drive a terminal becomes
 * visible. Renderers neutralise what they interpolate; this holds where one forgot.
 */
export function neutraliseText(text: string): string {
  return text
    .split(STYLE)
    .map((part) => (STYLE_SEQUENCES.has(part) ? part : neutraliseForTerminal(part)))
    .join("");
}
