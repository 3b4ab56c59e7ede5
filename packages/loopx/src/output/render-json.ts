/**
 * One JSON document with its newline: minified for programs, indented where a person looks at it. On a terminal,
 * characters that could drive it are written as escapes: another spelling of the same document.
 */
export function renderJson(packet: object, isTerminal: boolean): string {
  if (!isTerminal) return `${JSON.stringify(packet)}\n`;
  // Line breaks left here are the indentation; those inside strings are escaped already.
  return `${JSON.stringify(packet, undefined, 2).replace(DRIVES_A_TERMINAL, escapeUnit)}\n`;
}

/** DEL, C1 controls, bidirectional controls, line and paragraph separators. */
const DRIVES_A_TERMINAL = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

function escapeUnit(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
