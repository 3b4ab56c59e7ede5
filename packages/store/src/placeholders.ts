const QUOTED_OR_PLACEHOLDER = /'[^']*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\/|\?/g;

/** Counts the `?` that stand for parameters: not those in quotes or comments. Drivers differ in what a missing value means. */
export function countPlaceholders(sql: string): number {
  const matches = sql.match(QUOTED_OR_PLACEHOLDER) ?? [];
  return matches.filter((match) => match === "?").length;
}

/** The same statement with `$1`, `$2` … in place of each `?` that stands for a parameter. */
export function numberPlaceholders(sql: string): string {
  let count = 0;
  return sql.replaceAll(QUOTED_OR_PLACEHOLDER, (match) => {
    if (match !== "?") return match;
    count += 1;
    return `$${count}`;
  });
}
