import { LIMITS } from "@loopx/contracts";
import type { CommandRecord } from "./command-spec.ts";
import {
  AGENT_ID,
  EXECUTE,
  GOAL_ID,
  HOST_SURFACE,
  REQUIRED_AGENT_ID,
  REQUIRED_GOAL_ID,
  THREAD_ID,
} from "./shared-flags.ts";

const REQUIRED_THREAD_ID = { ...THREAD_ID, required: true } as const;
const REQUIRED_HOST_SURFACE = { ...HOST_SURFACE, required: true } as const;

/** Completion offers the types; handlers check them, so that an ambiguous one gets its own explanation. */
const AGENT_TYPE = {
  type: "text",
  placeholder: "TYPE",
  describe: "exact kind of host you run in",
  completes: [
    "codex-app",
    "codex-app-ssh",
    "codex-ide-plugin",
    "codex-cli",
    "claude-code",
    "opencode",
    "cursor-agent",
    "gemini-cli",
    "manual",
    "other-agent",
  ],
} as const;

/** Who works on a goal, and from which thread. */
export const AGENT_COMMANDS = {
  "agent-onboard": {
    summary: "Show how an agent of your type takes part, and what wakes it",
    details:
      "Writes nothing but, with --record-activation --execute, that your loop was set up. Each type is activated differently, so an ambiguous one is refused.",
    authority: "agent",
    flags: {
      listAgentTypes: { type: "boolean", describe: "show the agent types" },
      agentType: AGENT_TYPE,
      goalId: GOAL_ID,
      agentId: AGENT_ID,
      threadId: THREAD_ID,
      loopDriver: { type: "text", placeholder: "TEXT", describe: "what wakes you, where your host has no loop" },
      recordActivation: { type: "boolean", describe: "record that your loop was set up" },
      taskBodyDigest: {
        type: "text",
        placeholder: "DIGEST",
        describe: "digest of the task body it carries, as heartbeat-prompt printed it (default: of the current one)",
      },
      execute: EXECUTE,
    },
    chooseOne: [{ from: ["agentType", "listAgentTypes"], required: true }],
    examples: [
      "loopx agent-onboard --list-agent-types",
      "loopx agent-onboard --agent-type codex-cli --project .",
      "loopx agent-onboard --agent-type codex-app-ssh --project .",
      "loopx agent-onboard --agent-type other-agent --goal-id importer-goal --agent-id bot-1 --loop-driver 'systemd timer, every 10 minutes'",
      "loopx agent-onboard --agent-type claude-code --goal-id importer-goal --agent-id claude-main --record-activation --execute",
    ],
    budgetBytes: LIMITS.packetMaxBytes.agent_onboard,
  },
  "heartbeat-prompt": {
    summary: "Print the task body that your host's loop carries",
    details:
      "As text it is the body alone, to be pasted or piped; as JSON with its digest and the command to record it.",
    authority: "read",
    flags: {
      agentType: { ...AGENT_TYPE, required: true },
      goalId: REQUIRED_GOAL_ID,
      agentId: REQUIRED_AGENT_ID,
      threadId: THREAD_ID,
    },
    examples: [
      "loopx heartbeat-prompt --agent-type codex-app --goal-id importer-goal --agent-id codex-main",
      "loopx --format json heartbeat-prompt --agent-type claude-code --goal-id importer-goal --agent-id claude-main",
    ],
  },
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
