import { LIMITS } from "@loopx/contracts";

/** The goal a command works on; without it the one that is open is meant, or the project's only one. */
export const GOAL_ID = {
  type: "id",
  names: "goal",
  placeholder: "GOAL",
  describe: "goal to work on; may be left out where one is open",
} as const;

export const REQUIRED_GOAL_ID = {
  type: "id",
  names: "goal",
  placeholder: "GOAL",
  describe: "goal to work on",
  required: true,
} as const;

export const AGENT_ID = {
  type: "id",
  names: "agent",
  placeholder: "AGENT",
  describe: "registered lane you act as",
} as const;

export const REQUIRED_AGENT_ID = {
  type: "id",
  names: "agent",
  placeholder: "AGENT",
  describe: "registered lane you act as",
  required: true,
} as const;

/** For whoever decides on what they looked at a while ago. */
export const EXPECT_SEQ = {
  type: "integer",
  placeholder: "SEQ",
  describe: "refuse when it changed after this event",
  min: 0,
} as const;

export const THREAD_ID = {
  type: "id",
  names: "thread",
  placeholder: "THREAD",
  describe: "stable id of the host's thread",
} as const;

export const TURN = {
  type: "id",
  names: "turn",
  placeholder: "TURN",
  describe: "turn that should-run opened for you",
} as const;

export const TODO_ID = {
  type: "id",
  names: "todo",
  placeholder: "TODO",
  describe: "todo the command is about",
} as const;

export const REQUIRED_TODO_ID = {
  type: "id",
  names: "todo",
  placeholder: "TODO",
  describe: "todo the command is about",
  required: true,
} as const;

/** Completion offers the surfaces; handlers check them, so that an ambiguous one gets its own explanation. */
export const HOST_SURFACE = {
  type: "text",
  placeholder: "SURFACE",
  describe: "exact host you run in",
  completes: [
    "codex-app",
    "codex-app-ssh",
    "codex-ide-plugin",
    "codex-cli-tui",
    "claude-code",
    "opencode",
    "cursor-agent",
    "gemini-cli",
    "shell",
    "other-agent",
  ],
} as const;

export const OWNER_TOKEN_FILE = {
  type: "path",
  placeholder: "FILE",
  describe: "file with an owner token, where no terminal is at hand",
} as const;

export const LEASE_TTL = {
  type: "duration",
  placeholder: "DURATION",
  describe: "how long the claim holds without activity",
  minMs: LIMITS.leaseMinMs,
  maxMs: LIMITS.leaseMaxMs,
} as const;

export const EVIDENCE = {
  type: "text",
  placeholder: "TEXT",
  describe: "what was done and how it was checked",
} as const;

export const EVIDENCE_FILE = {
  type: "path",
  placeholder: "FILE",
  describe: "file whose digest is recorded as evidence",
  repeatable: true,
} as const;

export const VALIDATION_LABEL = {
  type: "text",
  placeholder: "TEXT",
  describe: "short name of the check",
} as const;

/** Of a question about the next turn: the context that is fetched with it. */
export const CONTEXT_PROFILE = {
  type: "text",
  placeholder: "PROFILE",
  describe: "fetch the context attached under this profile first, and show it beside the answer",
} as const;

export const PRIORITY = {
  type: "choice",
  placeholder: "PRIORITY",
  describe: "P0 comes first",
  choices: ["P0", "P1", "P2", "P3", "P4"],
} as const;

export const REASON = { type: "text", placeholder: "TEXT", describe: "why, for the record" } as const;

export const LIMIT = {
  type: "integer",
  placeholder: "COUNT",
  describe: "rows per page",
  min: 1,
  max: 500,
} as const;

export const CURSOR = {
  type: "text",
  placeholder: "CURSOR",
  describe: "where to go on, from the page before",
} as const;

export const EXECUTE = { type: "boolean", describe: "write; without it the command only previews" } as const;

/** Of a command that needs a live todo, gates included. */
export const LIVE_TODO_ID = { ...REQUIRED_TODO_ID, offers: "live" } as const;

/** Of a command that takes a todo for an agent. */
export const CLAIMABLE_TODO_ID = { ...REQUIRED_TODO_ID, offers: "claimable" } as const;

/** Of a command that refuses gates, which are decided. */
export const WORK_TODO_ID = { ...REQUIRED_TODO_ID, offers: "work" } as const;

export const NEXT_TODO = {
  type: "text",
  placeholder: "TEXT",
  describe: "add this todo as the successor",
} as const;

export const SUCCESSOR_TODO_ID = {
  type: "id",
  names: "todo",
  offers: "live",
  placeholder: "TODO",
  describe: "existing todo that follows",
} as const;
