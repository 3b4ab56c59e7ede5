import { displayWidth } from "@loopx/contracts";

/** Lines of at most `columns` cells; a word that is longer stands alone. White space is folded. */
export function wrapText(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  let width = 0;
  for (const word of text.split(/\s+/).filter((part) => part !== "")) {
    const wordWidth = displayWidth(word);
    if (line !== "" && width + 1 + wordWidth > columns) {
      lines.push(line);
      line = "";
      width = 0;
    }
    width += wordWidth + (line === "" ? 0 : 1);
    line = line === "" ? word : `${line} ${word}`;
  }
  return line === "" ? lines : [...lines, line];
}

/** A term and its explanation in two columns; the explanation wraps in its own column. */
export function renderTerm(term: string, text: string, layout: { termWidth: number; columns: number }): string[] {
  const indent = "  ";
  const gap = indent.length + layout.termWidth + 2;
  const wrapped = wrapText(text, Math.max(20, layout.columns - gap));
  const isWide = displayWidth(term) > layout.termWidth;
  const first = isWide ? [`${indent}${term}`] : [];
  const rest = wrapped.map((line, at) => {
    const left =
      at === 0 && !isWide ? `${indent}${term}${" ".repeat(layout.termWidth - displayWidth(term))}  ` : " ".repeat(gap);
    return `${left}${line}`;
  });
  return [...first, ...(rest.length === 0 && !isWide ? [`${indent}${term}`] : rest)];
}
