import { LIMITS } from "@loopx/contracts";
import type { CommandRecord } from "./command-spec.ts";
import { AGENT_ID, CURSOR, LIMIT } from "./shared-flags.ts";

const VIEW_FLAGS = {
  agentId: { ...AGENT_ID, describe: "only goals in which exactly this lane is registered, as it sees them" },
  limit: {
    ...LIMIT,
    describe: "rows per page at most; a page ends earlier where it would grow too large",
    max: 100,
    default: 8,
  },
  cursor: CURSOR,
} as const;

/** The path of a registry is this machine's own, so no packet repeats it. */
const DETAILS =
  "Reads every project that this machine has registered, wherever you stand, and writes nothing. With --registry, add " +
  "the same flag to the commands it prints.";

const TIME_RANGE = {
  type: "duration",
  placeholder: "DURATION",
  describe: "how far back",
} as const;

/** Looking over every project of this machine. */
export const GLOBAL_COMMANDS = {
  "global-summary": {
    summary: "Show one digest of all projects: lanes, gates, work, risks, progress",
    details: DETAILS,
    authority: "read",
    flags: { ...VIEW_FLAGS, timeRange: { ...TIME_RANGE, describe: "how far back progress is shown; 24h by default" } },
    examples: ["loopx global-summary", "loopx global-summary --time-range 7d"],
    budgetBytes: LIMITS.packetMaxBytes.global_page,
  },
  "global-gates": {
    summary: "Show the questions of all projects that wait for an owner",
    details: DETAILS,
    authority: "read",
    flags: VIEW_FLAGS,
    examples: ["loopx global-gates", "loopx --format json global-gates --limit 20"],
    budgetBytes: LIMITS.packetMaxBytes.global_page,
  },
  "global-todos": {
    summary: "Show the open work of all projects, what can be worked on first",
    details: DETAILS,
    authority: "read",
    flags: VIEW_FLAGS,
    examples: ["loopx global-todos", "loopx global-todos --agent-id codex-main"],
    budgetBytes: LIMITS.packetMaxBytes.global_page,
  },
  "global-risks": {
    summary: "Show what went wrong or may go wrong in all projects, the gravest first",
    details: `Failed checks, texts with a local path or a credential, approvals taken back, turns past their lease. ${DETAILS}`,
    authority: "read",
    flags: { ...VIEW_FLAGS, timeRange: { ...TIME_RANGE, describe: "leave out what was seen before; all by default" } },
    examples: ["loopx global-risks", "loopx global-risks --time-range 24h"],
    budgetBytes: LIMITS.packetMaxBytes.global_page,
  },
} as const satisfies CommandRecord;
