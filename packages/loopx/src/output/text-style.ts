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

/** SGR sequences with their ends; `neutraliseText` lets exactly these through. */
const SGR = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39], cyan: [36, 39] } as const;

/** The escape sequences that a style may write. */
export const STYLE_SEQUENCES: ReadonlySet<string> = new Set(Object.values(SGR).flat().map(sequence));

export function createTextStyle(isStyled: boolean, columns: number): TextStyle {
  const paint = (codes: readonly [number, number]) => (text: string) =>
    isStyled && text !== "" ? `${sequence(codes[0])}${text}${sequence(codes[1])}` : text;
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

function sequence(code: number): string {
  return `\u001b[${code}m`;
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
