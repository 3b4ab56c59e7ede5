import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One requirement id named by one test. `title` has its suite's before it, as written: a table's placeholders stay. */
export interface Citation {
  readonly id: string;
  readonly file: string;
  readonly title: string;
}

/** The ids that tests below a folder cite with `verifies("…")`, read from their text. Paths are below that folder. */
export function findCitations(folder: string): readonly Citation[] {
  return listTestFiles(folder).flatMap((file) =>
    parseCitations(readFileSync(join(folder, file), "utf8")).map((citation) => ({ ...citation, file })),
  );
}

/** A title is a literal with a function behind it; of several, the nearest before a citation is its test's. */
const CITATION_OR_TITLE =
  /\bverifies\((?<ids>[^)]*)\)|(?<suite>\bdescribe\(\s*)?(?<title>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`),\s*(?:async\s*)?\(/g;

/** The ids cited in one test file's text, each with the title before it. A citation in a comment line doesn't count. */
export function parseCitations(text: string): readonly Omit<Citation, "file">[] {
  const code = text.replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, "");
  const citations: Omit<Citation, "file">[] = [];
  let suite = "";
  let title = "";
  for (const { groups = {} } of code.matchAll(CITATION_OR_TITLE)) {
    const literal = groups["title"]?.slice(1, -1).replaceAll(/\\(["'`])/g, "$1");
    if (literal === undefined) {
      for (const [, id = ""] of (groups["ids"] ?? "").matchAll(/"([^"]+)"/g)) citations.push({ id, title });
    } else if (groups["suite"] === undefined) title = suite === "" ? literal : `${suite}: ${literal}`;
    else suite = literal;
  }
  return citations;
}

function listTestFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".test.ts") && !/(?:^|[\\/])(?:node_modules|dist)[\\/]/.test(file))
    .toSorted();
}
