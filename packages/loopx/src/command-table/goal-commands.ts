import type { CommandRecord } from "./command-spec.ts";
import { AGENT_ID, EXPECT_SEQ, GOAL_ID, OWNER_TOKEN_FILE, REASON } from "./shared-flags.ts";

const TURN_LIMIT = { type: "integer", placeholder: "N|none", min: 0, max: 1_000_000_000, orNone: true } as const;

/** What the work is for, and how much of it may happen. */
export const GOAL_COMMANDS = {
  "goal list": {
    summary: "List the goals of this project or registry",
    authority: "read",
    flags: {},
    examples: ["loopx goal list"],
  },
  "goal show": {
    summary: "Show a goal with its budget",
    authority: "read",
    flags: { goalId: GOAL_ID },
    examples: ["loopx goal show --goal-id importer-goal"],
  },
  "goal edit": {
    summary: "Change a goal's objective",
    details: "An agent's edit opens a gate; an owner's takes effect at once.",
    authority: "agent",
    flags: {
      goalId: GOAL_ID,
      objective: { type: "text", placeholder: "TEXT", describe: "the new objective", required: true },
      agentId: AGENT_ID,
      expectRevision: {
        type: "integer",
        placeholder: "N",
        describe: "refuse when the goal has another revision",
        min: 1,
      },
      ownerTokenFile: OWNER_TOKEN_FILE,
    },
    examples: ["loopx goal edit --goal-id importer-goal --objective 'Import CSV and JSON' --expect-revision 3"],
  },
  "goal pause": {
    summary: "Stop turns until the goal is resumed",
    authority: "agent",
    flags: {
      goalId: GOAL_ID,
      agentId: AGENT_ID,
      reason: REASON,
      expectSeq: EXPECT_SEQ,
      ownerTokenFile: OWNER_TOKEN_FILE,
    },
    examples: ["loopx goal pause --goal-id importer-goal --reason 'Waiting for the release'"],
  },
  "goal resume": {
    summary: "Let a paused goal go on",
    authority: "owner",
    flags: {
      goalId: GOAL_ID,
      agentId: AGENT_ID,
      reason: REASON,
      expectSeq: EXPECT_SEQ,
      ownerTokenFile: OWNER_TOKEN_FILE,
    },
    examples: ["loopx goal resume --goal-id importer-goal"],
  },
  "goal stop": {
    summary: "End a goal before it is reached",
    authority: "owner",
    flags: { goalId: GOAL_ID, agentId: AGENT_ID, reason: REASON, ownerTokenFile: OWNER_TOKEN_FILE },
    examples: ["loopx goal stop --goal-id importer-goal --reason 'No longer needed'"],
  },
  "goal complete": {
    summary: "Complete a goal",
    authority: "agent",
    ownerWhen: "work is still open",
    flags: { goalId: GOAL_ID, agentId: AGENT_ID, reason: REASON, ownerTokenFile: OWNER_TOKEN_FILE },
    examples: ["loopx goal complete --goal-id importer-goal --agent-id codex-main"],
  },
  "goal budget": {
    summary: "Set how many turns a goal may take",
    authority: "agent",
    ownerWhen: "a limit is raised or lifted",
    flags: {
      goalId: GOAL_ID,
      agentId: AGENT_ID,
      totalTurns: { ...TURN_LIMIT, describe: "turns in all" },
      windowTurns: { ...TURN_LIMIT, describe: "turns per window" },
      window: {
        type: "duration",
        placeholder: "DURATION",
        describe: "length of the window",
      },
      expectSeq: EXPECT_SEQ,
      ownerTokenFile: OWNER_TOKEN_FILE,
    },
    examples: [
      "loopx goal budget --goal-id importer-goal --total-turns 200",
      "loopx goal budget --goal-id importer-goal --window-turns 20 --window 1d",
    ],
  },
} as const satisfies CommandRecord;
