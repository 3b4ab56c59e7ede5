/** The value at a path inside a parsed document; undefined where the path leads nowhere. */
export function readField(document: unknown, ...path: readonly (string | number)[]): unknown {
  let value = document;
  for (const step of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = new Map(Object.entries(value)).get(String(step));
  }
  return value;
}

/** The text at a path inside a parsed document; throws, showing the document, when there is none. */
export function readText(document: unknown, ...path: readonly (string | number)[]): string {
  const value = readField(document, ...path);
  if (typeof value === "string") return value;
  throw new Error(`no text at ${path.join(".")} in ${JSON.stringify(document)}`);
}
