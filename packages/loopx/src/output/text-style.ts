/** How text output looks: no-ops where there is no terminal, so that renderers never ask. */
export interface TextStyle {
  readonly columns: number;
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
}

/** SGR codes with their ends. */
const SGR = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39], cyan: [36, 39] } as const;

/**
 * A style for one stream. What it paints carries marks, not escape sequences: `turnMarksIntoStyles` turns them into
 * sequences once the whole text has been neutralised, so that stored text never gets one through.
 */
export function createTextStyle(isStyled: boolean, columns: number): TextStyle {
  const paint = (codes: readonly [number, number]) => (text: string) =>
    isStyled && text !== "" ? `${mark(codes[0])}${text}${mark(codes[1])}` : text;
  return {
    columns,
    bold: paint(SGR.bold),
    dim: paint(SGR.dim),
    red: paint(SGR.red),
    green: paint(SGR.green),
    yellow: paint(SGR.yellow),
    cyan: paint(SGR.cyan),
  };
}

/** Private-use characters: neither ASCII, which texts are full of, nor anything that neutralising would change. */
const MARK_BEGIN = "\ue000";
const MARK_END = "\ue001";

/** What only this process knows; text that was stored before cannot hold it. Made when the first style is painted. */
let nonce: string | undefined;

function mark(code: number): string {
  nonce ??= crypto.randomUUID();
  return `${MARK_BEGIN}${nonce}:${code}${MARK_END}`;
}

/** Text whose marks of this process have become SGR sequences; any other text is left as it is. */
export function turnMarksIntoStyles(text: string): string {
  if (nonce === undefined) return text;
  return text.replaceAll(new RegExp(`${MARK_BEGIN}${nonce}:(\\d{1,2})${MARK_END}`, "g"), "\u001b[$1m");
}

/**
 * Whether text may carry styles. `--no-color` wins, then FORCE_COLOR (`0` and `false` force them off), then NO_COLOR
 * when it isn't empty (no-color.org), then whether the stream is a terminal that understands them.
 */
export function mayStyle(facts: {
  readonly noColor: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isTerminal: boolean;
}): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: refused, TERM: terminal } = facts.env;
  if (facts.noColor) return false;
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  if (refused !== undefined && refused !== "") return false;
  return facts.isTerminal && terminal !== "dumb";
}
