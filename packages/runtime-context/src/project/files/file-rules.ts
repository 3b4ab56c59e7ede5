import type { FindingRule } from "../document/finding.ts";

/** What a project may hold, so that a build is the same on every machine and ends in bounded time. */
export const FILE_LIMITS = {
  /** Bytes of one file. */
  bytes: 1_048_576,
  files: 10_000,
  /** Bytes of all files of a build. */
  totalBytes: 67_108_864,
  /** Names in a path. */
  depth: 8,
  nameLength: 128,
} as const;

export interface FileFault {
  readonly rule: FindingRule;
  readonly message: string;
}

/** Windows opens these as devices, with or without an extension. */
const RESERVED_NAME = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9]|lpt[0-9])(?:\.|$)/i;
/** ASCII has one spelling on every file system: no normalisation forms, no case rules beyond A to Z. */
const NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]*$/;
const DATABASE_NAME = /\.(?:db|db3|sqlite|sqlite3)$/i;

/**
 * Why a path may not name a file of a project, or undefined.
 *
 * Taken: relative, `/` between names, names of A-Z a-z 0-9 . _ - that begin with a letter, digit or _. So there is no `..`, no
 * hidden file, no backslash, drive, `~`, NUL or percent sign to be understood differently elsewhere.
 */
export function findPathFault(path: string): FileFault | undefined {
  const names = path.split("/");
  if (names.length > FILE_LIMITS.depth) return invalid(`is deeper than ${FILE_LIMITS.depth} names`);
  for (const name of names) {
    const fault = findNameFault(name);
    if (fault !== undefined) return invalid(fault);
  }
  if (DATABASE_NAME.test(path)) {
    return { rule: "BINDING_FIELD_IN_PROJECT", message: "a database belongs in a Deployment Binding" };
  }
  return undefined;
}

function findNameFault(name: string): string | undefined {
  if (name === "") return "must be a path inside the project, such as layers/rules.md";
  if (name === "." || name === "..") return "must not leave the project: no . and no .. in the path";
  if (name.length > FILE_LIMITS.nameLength) return `holds a name over ${FILE_LIMITS.nameLength} characters`;
  if (!NAME.test(name)) return "takes letters, digits and . _ - in names that begin with a letter, digit or _";
  if (name.endsWith(".")) return "holds a name that ends with a dot, which Windows drops";
  return RESERVED_NAME.test(name) ? "holds a reserved device name" : undefined;
}

function invalid(message: string): FileFault {
  return { rule: "INVALID_PATH", message };
}

/** Pairs of different paths or folders that are one where case doesn't count: `[["Rules.md", "rules.md"]]`. */
export function listCaseTwins(paths: Iterable<string>): readonly (readonly [string, string])[] {
  const firstOf = new Map<string, string>();
  const twins: [string, string][] = [];
  for (const place of new Set([...paths].flatMap(listPlaces))) {
    const folded = place.toLowerCase();
    const first = firstOf.get(folded);
    if (first === undefined) firstOf.set(folded, place);
    else twins.push([first, place]);
  }
  return twins;
}

/** `a/b/c.md` is at `a`, `a/b` and `a/b/c.md`. */
function listPlaces(path: string): readonly string[] {
  const names = path.split("/");
  return names.map((_, index) => names.slice(0, index + 1).join("/"));
}
