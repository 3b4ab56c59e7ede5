import { neutraliseForTerminal } from "@loopx/contracts";
import { turnMarksIntoStyles } from "./text-style.ts";

/**
 * The last look at text before it is written: everything that could drive a terminal becomes visible, then our own
 * styles are put in. Renderers neutralise what they interpolate; this holds where one forgot.
 */
export function neutraliseText(text: string): string {
  return turnMarksIntoStyles(neutraliseForTerminal(text));
}
