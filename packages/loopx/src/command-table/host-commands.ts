import { LIMITS } from "@loopx/contracts";
import type { CommandRecord } from "./command-spec.ts";
import { AGENT_ID, GOAL_ID, HOST_SURFACE, OWNER_TOKEN_FILE, THREAD_ID } from "./shared-flags.ts";

const GOAL_TEXT = { type: "text", placeholder: "TEXT", describe: "the task, in the user's exact words" } as const;

/** Getting a project connected and a task started. */
export const HOST_COMMANDS = {
  bootstrap: {
    summary: "Connect a project: create its store and a goal",
    details: "Writes at once; --dry-run shows what it would write. Connecting twice changes nothing.",
    authority: "agent",
    ownerWhen: "the folder holds state that was not created on this machine",
    flags: {
      goalId: {
        type: "id",
        names: "goal",
        placeholder: "GOAL",
        describe: "id for the goal, instead of one made from the folder",
      },
      objective: { type: "text", placeholder: "TEXT", describe: "what the goal is to reach" },
      newId: { type: "boolean", describe: "give a copied project an id of its own" },
      newGoal: { type: "boolean", describe: "start another goal beside the existing one" },
      dryRun: { type: "boolean", describe: "show what would be written" },
      ownerTokenFile: OWNER_TOKEN_FILE,
    },
    aliases: ["connect"],
    examples: [
      "loopx bootstrap --project . --objective 'Ship the importer'",
      "loopx connect --project . --goal-id importer-goal --dry-run",
    ],
  },
  "bootstrap-command-pack": {
    summary: "Show a project's state and the commands that come next",
    authority: "read",
    flags: { goalText: GOAL_TEXT },
    examples: [
      "loopx bootstrap-command-pack --project .",
      "loopx bootstrap-command-pack --project . --goal-text 'Fix the flaky login test'",
    ],
    budgetBytes: LIMITS.packetMaxBytes.start_goal,
  },
  "start-goal": {
    summary: "Plan a task for this project, or say what must be chosen first",
    details: "Writes nothing: it prints the commands to run, in order.",
    authority: "read",
    flags: {
      guided: { type: "boolean", describe: "plan step by step; needed" },
      goalText: GOAL_TEXT,
      slashCommandArguments: { type: "text", placeholder: "RAW", describe: "everything after /loopx, unparsed" },
      hostSurface: HOST_SURFACE,
      goalId: GOAL_ID,
      agentId: AGENT_ID,
      threadId: THREAD_ID,
      newPeer: { type: "boolean", describe: "join the goal as a new lane" },
      newGoal: { type: "boolean", describe: "start another goal instead of planning for the existing one" },
      includeCommandPackDetail: { type: "boolean", describe: "nest the whole command pack" },
    },
    chooseOne: [{ from: ["goalText", "slashCommandArguments"], required: true }],
    examples: [
      "loopx start-goal --guided --project . --goal-text 'Fix the flaky login test' --host-surface codex-cli-tui",
      "loopx --format json start-goal --guided --project . --goal-text 'Fix it' --host-surface codex-ide-plugin --include-command-pack-detail",
    ],
    budgetBytes: LIMITS.packetMaxBytes.start_goal,
  },
} as const satisfies CommandRecord;
