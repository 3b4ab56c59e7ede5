const QUOTED_OR_PLACEHOLDER = /'[^']*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\/|\?/g;

/** Counts the `?` that stand for parameters: not those in quotes or comments. Drivers differ in what a missing value means. */
export function countPlaceholders(sql: string): number {
  const matches = sql.match(QUOTED_OR_PLACEHOLDER) ?? [];
  return matches.filter((match) => match === "?").length;
}
