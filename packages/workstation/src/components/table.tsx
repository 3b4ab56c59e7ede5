import type { ReactNode } from "react";

/** A column: what it is called and what of a row stands in it. */
export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Figures stand at the right. */
  readonly isFigure?: true;
}

interface TableProps<Row> {
  /** What the rows are, for those who do not see where the table stands. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}

/** Some dozens of rows; for more there is `VirtualList`. On a narrow screen each row becomes a card. */
export function Table<Row>({ label, columns, rows, keyOf }: TableProps<Row>): ReactNode {
  return (
    <table className="table" aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ title, isFigure }) => (
            <th key={title} scope="col" className={isFigure ? "figure" : undefined}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ title, cell, isFigure }) => (
              <td key={title} data-title={title} className={isFigure ? "figure" : undefined}>
                <div>{cell(row)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
