import type { CommandRecord } from "./command-spec.ts";
import { EXECUTE, HOST_SURFACE, REQUIRED_AGENT_ID, REQUIRED_GOAL_ID, THREAD_ID } from "./shared-flags.ts";

const REQUIRED_THREAD_ID = { ...THREAD_ID, required: true } as const;
const REQUIRED_HOST_SURFACE = { ...HOST_SURFACE, required: true } as const;

/** Who works on a goal, and from which thread. */
export const AGENT_COMMANDS = {
  "register-agent": {
    summary: "Register an agent lane in a goal",
    authority: "agent",
    flags: {
      goalId: REQUIRED_GOAL_ID,
      agentId: { ...REQUIRED_AGENT_ID, describe: "id of the lane to register" },
      requireNew: { type: "boolean", describe: "refuse when the lane exists already" },
      execute: EXECUTE,
    },
    examples: ["loopx register-agent --goal-id importer-goal --agent-id codex-main --require-new --execute"],
  },
  "bind-agent-thread": {
    summary: "Bind a host thread to a lane, and read the binding back",
    authority: "agent",
    flags: {
      goalId: REQUIRED_GOAL_ID,
      threadId: REQUIRED_THREAD_ID,
      hostSurface: REQUIRED_HOST_SURFACE,
      agentId: REQUIRED_AGENT_ID,
      execute: EXECUTE,
    },
    examples: [
      "loopx bind-agent-thread --goal-id importer-goal --thread-id thr-123 --host-surface codex-app --agent-id codex-main --execute",
    ],
  },
  "unbind-agent-thread": {
    summary: "Remove the binding of a host thread",
    authority: "agent",
    flags: {
      goalId: REQUIRED_GOAL_ID,
      threadId: REQUIRED_THREAD_ID,
      hostSurface: REQUIRED_HOST_SURFACE,
      agentId: REQUIRED_AGENT_ID,
      execute: EXECUTE,
    },
    examples: [
      "loopx unbind-agent-thread --goal-id importer-goal --thread-id thr-123 --host-surface codex-app --agent-id codex-main --execute",
    ],
  },
  "resolve-agent-thread": {
    summary: "Find the goal and lane a thread is bound to",
    details: "A link locates a thread; it grants nothing. Ambiguous and invalid references fail.",
    authority: "read",
    flags: {
      threadLink: { type: "text", placeholder: "LINK", describe: "deep link, codex://threads/ID" },
      threadId: { type: "text", placeholder: "THREAD", describe: "thread id; needs --host-surface" },
      hostSurface: HOST_SURFACE,
    },
    chooseOne: [{ from: ["threadLink", "threadId"], required: true }],
    examples: [
      "loopx resolve-agent-thread --thread-link 'codex://threads/thr-123'",
      "loopx resolve-agent-thread --thread-id thr-123 --host-surface codex-app",
    ],
  },
} as const satisfies CommandRecord;
