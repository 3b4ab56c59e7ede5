import { LIMITS } from "@loopx/contracts";
import type { CommandRecord } from "./command-spec.ts";
import {
  AGENT_ID,
  CONTEXT_PROFILE,
  EVIDENCE,
  EVIDENCE_FILE,
  GOAL_ID,
  HOST_SURFACE,
  LEASE_TTL,
  REQUIRED_AGENT_ID,
  REQUIRED_GOAL_ID,
  THREAD_ID,
  TODO_ID,
  TURN,
  VALIDATION_LABEL,
} from "./shared-flags.ts";

/** One guarded turn: ask, work, record, spend. */
export const TURN_COMMANDS = {
  "quota should-run": {
    summary: "Ask what you may do next, and claim it",
    details: "Opens a turn or resumes yours. Asking again changes nothing.",
    authority: "agent",
    flags: {
      goalId: REQUIRED_GOAL_ID,
      agentId: REQUIRED_AGENT_ID,
      threadId: THREAD_ID,
      hostSurface: HOST_SURFACE,
      turn: TURN,
      leaseTtl: LEASE_TTL,
      contextProfile: CONTEXT_PROFILE,
    },
    examples: [
      "loopx quota should-run --goal-id importer-goal --agent-id codex-main",
      'loopx --format json --registry "$HOME/.codex/loopx/registry.global.json" quota should-run --goal-id importer-goal --agent-id codex-main',
    ],
    budgetBytes: LIMITS.packetMaxBytes.should_run,
  },
  "quota spend": {
    summary: "Settle a turn against the budget, once",
    authority: "agent",
    flags: {
      goalId: REQUIRED_GOAL_ID,
      agentId: REQUIRED_AGENT_ID,
      turn: { ...TURN, required: true },
      todoId: TODO_ID,
    },
    examples: [
      "loopx quota spend --goal-id importer-goal --agent-id codex-main --turn turn_9k2p4x --todo-id todo_4f1k2m",
    ],
    budgetBytes: LIMITS.packetMaxBytes.todo_change,
  },
  "quota status": {
    summary: "Show budget, spent and open turns",
    authority: "read",
    flags: { goalId: GOAL_ID, agentId: AGENT_ID },
    examples: ["loopx quota status --goal-id importer-goal"],
  },
  drive: {
    summary: "Drive a lane with a command, one guarded turn at a time",
    details:
      "For hosts without a loop of their own. Asks the guard, runs the command with the packet on stdin, settles what it left, waits as told, ends on done, paused, ask_user and repair. Its output stays in sight; Ctrl-C ends the turn and the loop, a second one at once. Exit code 0: done, or the turns asked for are taken; 3: an owner is needed; 1: the command keeps failing, or the lane is driven elsewhere; 130: interrupted.",
    authority: "agent",
    flags: {
      goalId: REQUIRED_GOAL_ID,
      agentId: REQUIRED_AGENT_ID,
      turn: { ...TURN, describe: "open turn of a driver that is gone, to go on with at once" },
      maxTurns: { type: "integer", placeholder: "COUNT", describe: "turns to take at most", min: 1 },
      maxFailures: {
        type: "integer",
        placeholder: "COUNT",
        describe: "turns in a row that may fail or show nothing",
        min: 1,
        default: 5,
      },
      turnTimeout: {
        type: "duration",
        placeholder: "DURATION",
        describe: "how long one turn may take (default: the setting lease.ttl)",
        maxMs: LIMITS.leaseMaxMs,
      },
      input: {
        type: "choice",
        placeholder: "INPUT",
        describe: "what the command reads: the guard's packet, or a prompt around it",
        choices: ["packet", "prompt"],
        default: "packet",
      },
      contextProfile: CONTEXT_PROFILE,
      noWait: { type: "boolean", describe: "end where there is nothing to do yet, for a scheduler" },
      dryRun: { type: "boolean", describe: "show what it would do, and start nothing" },
    },
    positional: {
      placeholder: "COMMAND",
      describe: "the agent's program and its words, behind --",
      required: true,
      repeatable: true,
    },
    examples: [
      "loopx drive --goal-id importer-goal --agent-id bot-1 -- ./run-my-agent.sh",
      "loopx drive --goal-id importer-goal --agent-id bot-1 --input prompt --max-turns 3 -- my-agent --print",
      "loopx drive --goal-id importer-goal --agent-id bot-1 --dry-run -- ./run-my-agent.sh",
    ],
  },
  "refresh-state": {
    summary: "Record what a turn did, with its evidence",
    authority: "agent",
    flags: {
      goalId: REQUIRED_GOAL_ID,
      agentId: REQUIRED_AGENT_ID,
      turn: TURN,
      todoId: TODO_ID,
      outcome: {
        type: "choice",
        placeholder: "OUTCOME",
        describe: "what the turn came to",
        choices: ["progress", "primary_outcome", "no_change", "blocked"],
      },
      evidence: EVIDENCE,
      evidenceFile: EVIDENCE_FILE,
      validationStatus: {
        type: "choice",
        placeholder: "STATUS",
        describe: "result of the check; one that didn't run is no pass",
        choices: ["passed", "failed", "not_run"],
      },
      validationLabel: VALIDATION_LABEL,
    },
    examples: [
      "loopx refresh-state --goal-id importer-goal --agent-id codex-main --turn turn_9k2p4x --todo-id todo_4f1k2m --outcome progress --evidence 'Parser done, 12 tests pass' --validation-status passed",
    ],
    budgetBytes: LIMITS.packetMaxBytes.todo_change,
  },
} as const satisfies CommandRecord;
