import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One requirement id named by one test file. */
export interface Citation {
  readonly id: string;
  readonly file: string;
}

/** The ids that test files below a folder cite with `verifies("…")`, read from their text. */
export function findCitations(folder: string): readonly Citation[] {
  return listTestFiles(folder).flatMap((file) =>
    parseCitations(readFileSync(join(folder, file), "utf8")).map((id) => ({ id, file })),
  );
}

/** The ids cited in one test file's text. A citation in a comment line doesn't count. */
export function parseCitations(text: string): readonly string[] {
  const code = text.replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, "");
  return [...code.matchAll(/\bverifies\(([^)]*)\)/g)].flatMap(([, list = ""]) =>
    [...list.matchAll(/"([^"]+)"/g)].map(([, id = ""]) => id),
  );
}

function listTestFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".test.ts") && !/(?:^|[\\/])(?:node_modules|dist)[\\/]/.test(file))
    .toSorted();
}
