import { LIMITS } from "./limits.ts";
import { LoopxError } from "./loopx-error.ts";

export type GoalId = string & { readonly __brand: "GoalId" };
export type AgentId = string & { readonly __brand: "AgentId" };
export type ThreadId = string & { readonly __brand: "ThreadId" };
export type TodoId = string & { readonly __brand: "TodoId" };
export type TurnId = string & { readonly __brand: "TurnId" };
export type ProjectId = string & { readonly __brand: "ProjectId" };

/** A goal id, or `invalid_id`. Upper case is refused, not changed: two spellings must not look like two goals. */
export function parseGoalId(value: unknown, field = "goal_id"): GoalId {
  return parseId(value, field, GOAL_ID);
}

/** A registered lane's id, or `invalid_id`. */
export function parseAgentId(value: unknown, field = "agent_id"): AgentId {
  return parseId(value, field, AGENT_ID);
}

/** A host's opaque thread id, or `invalid_id`. */
export function parseThreadId(value: unknown, field = "thread_id"): ThreadId {
  return parseId(value, field, THREAD_ID);
}

/** A todo id, or `invalid_id`. */
export function parseTodoId(value: unknown, field = "todo_id"): TodoId {
  return parseId(value, field, TODO_ID);
}

/** A turn id, or `invalid_id`. */
export function parseTurnId(value: unknown, field = "turn_id"): TurnId {
  return parseId(value, field, TURN_ID);
}

/** A project id, or `invalid_id`. */
export function parseProjectId(value: unknown, field = "project_id"): ProjectId {
  return parseId(value, field, PROJECT_ID);
}

/** Leaves room for `-goal` and five more characters on a collision inside the 80 of a goal id. */
const LONGEST_STEM = 64;

/**
 * The stem of a default goal id from a directory name: `My Repo 项目` gives `my-repo`, a name without a Latin letter or
 * digit gives `project`. The stem followed by `-goal` is a valid goal id.
 */
export function toGoalIdFromName(name: string): string {
  const stem = name
    // Only the part that can reach the stem is looked at.
    .slice(0, 4 * LONGEST_STEM)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    // No dots: `con.x-goal` would be a reserved device name on Windows.
    .replace(/[^a-z0-9_]+/g, "-")
    .replace(/^[-_]+/, "")
    .slice(0, LONGEST_STEM)
    .replace(/[-_]{1,64}$/, "");
  return stem === "" ? "project" : stem;
}

interface IdRule<Id extends string> {
  /** For the type only: which brand the rule gives. */
  readonly brand?: Id;
  readonly pattern: RegExp;
  readonly accepts: string;
}

const GOAL_ID: IdRule<GoalId> = {
  pattern: /^[a-z0-9][a-z0-9._-]{0,79}$/,
  accepts: "1 to 80 of a-z 0-9 . _ - beginning with a letter or digit",
};
const AGENT_ID: IdRule<AgentId> = {
  pattern: /^[a-z][a-z0-9_.:@-]{0,79}$/,
  accepts: "1 to 80 of a-z 0-9 _ . : @ - beginning with a letter",
};
const THREAD_ID: IdRule<ThreadId> = {
  pattern: /^[^\s\p{C}]+$/u,
  accepts: "up to 128 visible characters without spaces, slashes or quotes",
};
const TODO_ID: IdRule<TodoId> = { pattern: /^todo_[a-z0-9]{6,40}$/, accepts: "todo_ and 6 to 40 of a-z 0-9" };
const TURN_ID: IdRule<TurnId> = { pattern: /^turn_[a-z0-9]{6,40}$/, accepts: "turn_ and 6 to 40 of a-z 0-9" };
const PROJECT_ID: IdRule<ProjectId> = {
  pattern: /^project_[a-z0-9]{6,40}$/,
  accepts: "project_ and 6 to 40 of a-z 0-9",
};

/** Device names that Windows opens instead of a file, with or without an extension or a stream. */
const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:[.:]|$)/i;

function parseId<Id extends string>(value: unknown, field: string, rule: IdRule<Id>): Id {
  if (isId(value, rule)) return value;
  throw new LoopxError("invalid_id", {
    // The value itself is never repeated: it may be an escape sequence, a link or a secret.
    message: `${field} ${findIdFault(value, rule)}`,
    hint: `${field} takes ${rule.accepts}`,
    details: { field },
  });
}

function isId<Id extends string>(value: unknown, rule: IdRule<Id>): value is Id {
  return findIdFault(value, rule) === undefined;
}

/** First fault that makes a value unusable as an id: ids name files, rows and processes, so one list holds for all. */
function findIdFault(value: unknown, rule: IdRule<string>): string | undefined {
  if (typeof value !== "string") return "must be text";
  if (value.trim() === "") return "is empty";
  if (value.length > LIMITS.idMaxLength) return `is longer than ${LIMITS.idMaxLength} characters`;
  if (/^(?:null|undefined)$/i.test(value)) return "is a placeholder, not an id";
  if (/[\s\p{Cc}]/u.test(value)) return "holds white space or control characters";
  if (/[/\\"'`]/.test(value)) return "holds a slash or a quote";
  if (value.includes("..") || value.endsWith(".")) return "holds two dots in a row or ends with a dot";
  if (WINDOWS_DEVICE.test(value)) return "is a reserved device name";
  return rule.pattern.test(value) ? undefined : "is malformed";
}
