/** A todo as the file writes it. */
export interface PythonTodo {
  /** Counted from 1. */
  readonly line: number;
  readonly section: PythonSection;
  /** What stands in the box: ` `, `x` or `-`. */
  readonly mark: string;
  /** Without box and priority prefix; lines that continue it are joined by line feeds. */
  readonly text: string;
  /** Decoded values by key: `todo_id`, `status`, `claimed_by` and some fifty more. */
  readonly metadata: ReadonlyMap<string, string>;
}

export type PythonSection = "user" | "agent" | "archive" | "other";

/** What an `ACTIVE_GOAL_STATE.md` of the public Python implementation holds. */
export interface PythonGoalFile {
  readonly frontMatter: ReadonlyMap<string, string>;
  /** The text under the heading Objective, or undefined where it is empty or missing. */
  readonly objective: string | undefined;
  readonly todos: readonly PythonTodo[];
}

/**
 * Reads such a file; it is edited by hand too, so whatever isn't understood is passed over, never refused.
 *
 * Todos are boxes (`- [ ] text`) anywhere; the second-level heading above one says whose it is.
 */
export function parsePythonGoalFile(text: string): PythonGoalFile {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const bodyAt = findBody(lines);
  const todos: PythonTodo[] = [];
  const objective: string[] = [];
  let heading = "";
  for (let at = bodyAt; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const title = /^##\s+(.*)$/.exec(line)?.[1];
    if (title !== undefined) heading = title.toLowerCase();
    else if (/^\s{0,3}[-*] \[[ xX-]\] /.test(line)) todos.push(readTodo(lines, at, toSection(heading)));
    else if (heading.trim() === "objective") objective.push(line);
  }
  const stated = objective.join("\n").trim();
  return {
    frontMatter: readFrontMatter(lines.slice(0, bodyAt)),
    objective: stated === "" ? undefined : stated,
    todos,
  };
}

/** Index of the first line after the front matter. */
function findBody(lines: readonly string[]): number {
  if (lines[0]?.trim() !== "---") return 0;
  const end = lines.findIndex((line, at) => at > 0 && line.trim() === "---");
  return end === -1 ? 0 : end + 1;
}

function readFrontMatter(lines: readonly string[]): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const line of lines) {
    const [, key, value] = /^([a-z_]{1,40}):\s*(.*)$/.exec(line) ?? [];
    if (key !== undefined && value !== undefined) values.set(key, unquote(value.trim()));
  }
  return values;
}

function unquote(value: string): string {
  if (!value.startsWith('"')) return value;
  try {
    return String(JSON.parse(value));
  } catch {
    return value;
  }
}

/** Headings are found by a part of them, since people reword them. */
function toSection(heading: string): PythonSection {
  if (heading.includes("archive")) return "archive";
  if (heading.includes("user todo") || heading.includes("owner review")) return "user";
  return heading.includes("agent todo") ? "agent" : "other";
}

function readTodo(lines: readonly string[], at: number, section: PythonSection): PythonTodo {
  const [, mark = " ", first = ""] = /^\s{0,3}[-*] \[([ xX-])\] (.*)$/.exec(lines[at] ?? "") ?? [];
  const parts = [first];
  const metadata = new Map<string, string>();
  for (let next = at + 1; next < lines.length && /^\s{2,}\S/.test(lines[next] ?? ""); next += 1) {
    const line = (lines[next] ?? "").trim();
    const comment = /^<!-- loopx:todo (.*?)-->$/.exec(line)?.[1];
    if (comment === undefined) parts.push(line);
    else for (const [key, value] of readMetadata(comment)) metadata.set(key, value);
  }
  return { line: at + 1, section, mark: mark.toLowerCase(), text: parts.join("\n").trim(), metadata };
}

/** `key=value` parted by spaces, values percent-encoded. */
function readMetadata(comment: string): readonly (readonly [string, string])[] {
  return comment.split(/\s+/).flatMap((word) => {
    const [, key, value] = /^([a-z_]{1,60})=(.+)$/.exec(word) ?? [];
    return key === undefined || value === undefined ? [] : [[key, decode(value)] as const];
  });
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
