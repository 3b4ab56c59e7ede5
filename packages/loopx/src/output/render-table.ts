import { displayWidth, neutraliseForTerminal } from "@loopx/contracts";
import type { TextStyle } from "./text-style.ts";

export interface TableColumn {
  readonly title: string;
  /** Numbers read best with their ends in line. */
  readonly align?: "right";
  /** Paints a cell after it is padded, so widths stay right. */
  readonly paint?: (cell: string) => string;
}

const GAP = "  ";

/**
 * Rows under their titles, columns aligned by display width (CJK and emoji take two cells). Cells may hold anything:
 * they are neutralised here. No trailing spaces; the last column isn't cut.
 */
export function renderTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  style: TextStyle,
): string {
  const body = rows.map((row) =>
    columns.map((_, at) => neutraliseForTerminal((row[at] ?? "").replaceAll(/\s+/g, " "))),
  );
  const widths = columns.map((column, at) =>
    body.reduce((widest, row) => Math.max(widest, displayWidth(row[at] ?? "")), displayWidth(column.title)),
  );
  const titles = columns.map((column, at) => style.bold(pad(column.title, column, widths[at] ?? 0)));
  const lines = body.map((row) =>
    columns.map((column, at) => {
      const cell = pad(row[at] ?? "", column, at === columns.length - 1 ? 0 : (widths[at] ?? 0));
      return column.paint === undefined ? cell : column.paint(cell);
    }),
  );
  return [titles, ...lines].map((cells) => cells.join(GAP).trimEnd()).join("\n");
}

function pad(cell: string, column: TableColumn, width: number): string {
  const fill = " ".repeat(Math.max(0, width - displayWidth(cell)));
  return column.align === "right" ? `${fill}${cell}` : `${cell}${fill}`;
}
