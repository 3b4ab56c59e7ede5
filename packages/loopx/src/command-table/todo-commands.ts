import { LIMITS } from "@loopx/contracts";
import type { RESTRICTED_ACTION_KINDS } from "@loopx/control-plane";
import type { CommandRecord } from "./command-spec.ts";
import {
  AGENT_ID,
  CLAIMABLE_TODO_ID,
  CURSOR,
  EVIDENCE,
  EVIDENCE_FILE,
  GOAL_ID,
  LEASE_TTL,
  LIMIT,
  LIVE_TODO_ID,
  NEXT_TODO,
  OWNER_TOKEN_FILE,
  PRIORITY,
  REASON,
  REQUIRED_AGENT_ID,
  REQUIRED_TODO_ID,
  SUCCESSOR_TODO_ID,
  THREAD_ID,
  TURN,
  VALIDATION_LABEL,
  WORK_TODO_ID,
} from "./shared-flags.ts";

const ROLE = {
  type: "choice",
  placeholder: "ROLE",
  describe: "who does it",
  choices: ["agent", "user"],
} as const;

const TASK_CLASS = {
  type: "choice",
  placeholder: "CLASS",
  describe: "what kind of work it is",
  choices: ["advancement_task", "monitor", "user_gate", "user_action"],
} as const;

const RESUME = {
  type: "text",
  placeholder: "CONDITION",
  describe: "when it comes back: todo_done:ID, after:TIME or manual",
} as const;

/** The list of control-plane, spelled out: its code must not be loaded to read a command line. */
const RESTRICTED_WORDS = [
  "destructive_git",
  "credentials",
  "private_material",
  "production",
  "external_publication",
] as const satisfies typeof RESTRICTED_ACTION_KINDS;

const DEPENDENCY = { type: "id", names: "todo", placeholder: "TODO", repeatable: true } as const;

/** The work itself. */
export const TODO_COMMANDS = {
  "todo add": {
    summary: "Write a todo",
    details: "The same text, still open, answers the same id.",
    authority: "agent",
    flags: {
      goalId: GOAL_ID,
      role: ROLE,
      text: { type: "text", placeholder: "TEXT", describe: "what is to be done", required: true },
      agentId: AGENT_ID,
      taskClass: TASK_CLASS,
      actionKind: {
        type: "text",
        placeholder: "KIND",
        describe: `what the work does, in one word; these need an owner's approval first: ${RESTRICTED_WORDS.join(", ")}`,
        completes: RESTRICTED_WORDS,
      },
      targetKey: { type: "text", placeholder: "KEY", describe: "what it does it to" },
      priority: { ...PRIORITY, describe: "P0 comes first; P2 unless given here or as [P0] before the text" },
      dependsOn: { ...DEPENDENCY, offers: "live", describe: "todo that must be done before" },
      resume: RESUME,
      claimedBy: { type: "id", names: "agent", placeholder: "AGENT", describe: "lane that takes it at once" },
      validationCommand: {
        type: "argv",
        placeholder: "JSON",
        describe: "check that must pass to complete it, as a JSON array of words",
      },
      validationTimeout: {
        type: "duration",
        placeholder: "DURATION",
        describe: "how long the check may take",
        maxMs: 3_600_000,
      },
      validationLabel: VALIDATION_LABEL,
      cadence: { type: "duration", placeholder: "DURATION", describe: "how often it looks; with --task-class=monitor" },
      gateKind: {
        type: "text",
        placeholder: "KIND",
        describe: "what kind of decision a gate asks for, decision unless given",
      },
      blocks: {
        type: "text",
        placeholder: "WHAT",
        describe: "what a gate holds back: goal, agent:ID or a todo id; the whole goal unless given",
        repeatable: true,
      },
    },
    examples: [
      "loopx todo add --goal-id importer-goal --role agent --text 'Parse quoted fields' --priority P1",
      `loopx todo add --text 'Fix login' --validation-command '["npm","test"]' --validation-timeout 2m`,
    ],
    budgetBytes: LIMITS.packetMaxBytes.todo_change,
  },
  "todo list": {
    summary: "List todos",
    authority: "read",
    flags: {
      goalId: GOAL_ID,
      role: ROLE,
      status: {
        type: "choice",
        placeholder: "STATUS",
        describe: "only those in this status",
        choices: ["open", "done", "blocked", "deferred", "superseded"],
      },
      agentId: AGENT_ID,
      taskClass: TASK_CLASS,
      limit: LIMIT,
      cursor: CURSOR,
    },
    examples: ["loopx todo list", "loopx todo list --goal-id importer-goal --status open --limit 20"],
    budgetBytes: LIMITS.packetMaxBytes.status_page,
  },
  "todo show": {
    summary: "Show a todo with its whole text",
    authority: "read",
    flags: { goalId: GOAL_ID, todoId: REQUIRED_TODO_ID },
    examples: ["loopx todo show --todo-id todo_4f1k2m"],
  },
  "todo claim": {
    summary: "Take a todo, or say who holds it",
    authority: "agent",
    flags: {
      goalId: GOAL_ID,
      todoId: CLAIMABLE_TODO_ID,
      agentId: REQUIRED_AGENT_ID,
      leaseTtl: LEASE_TTL,
      threadId: THREAD_ID,
    },
    examples: ["loopx todo claim --todo-id todo_4f1k2m --agent-id codex-main --lease-ttl 30m"],
    budgetBytes: LIMITS.packetMaxBytes.todo_change,
  },
  "todo release": {
    summary: "Give a claimed todo back",
    authority: "agent",
    flags: {
      goalId: GOAL_ID,
      todoId: WORK_TODO_ID,
      agentId: AGENT_ID,
      ownerTokenFile: OWNER_TOKEN_FILE,
      threadId: THREAD_ID,
    },
    examples: ["loopx todo release --todo-id todo_4f1k2m --agent-id codex-main"],
  },
  "todo update": {
    summary: "Change a todo's text, priority, status or dependencies",
    authority: "agent",
    flags: {
      goalId: GOAL_ID,
      todoId: LIVE_TODO_ID,
      agentId: AGENT_ID,
      ownerTokenFile: OWNER_TOKEN_FILE,
      text: { type: "text", placeholder: "TEXT", describe: "the new text" },
      priority: PRIORITY,
      status: {
        type: "choice",
        placeholder: "STATUS",
        describe: "the new status",
        choices: ["blocked", "open"],
      },
      note: { type: "text", placeholder: "TEXT", describe: "remark for whoever reads it next" },
      reason: REASON,
      addDependsOn: { ...DEPENDENCY, offers: "live", describe: "todo that must be done before, from now on" },
      removeDependsOn: { ...DEPENDENCY, describe: "todo that need no longer be done before" },
      clearClaim: { type: "boolean", describe: "give your own claim back" },
    },
    examples: ["loopx todo update --todo-id todo_4f1k2m --agent-id codex-main --status blocked --reason 'CI is down'"],
  },
  "todo complete": {
    summary: "Complete a todo with its evidence, and say what follows",
    authority: "agent",
    flags: {
      goalId: GOAL_ID,
      todoId: WORK_TODO_ID,
      agentId: AGENT_ID,
      ownerTokenFile: OWNER_TOKEN_FILE,
      turn: TURN,
      evidence: EVIDENCE,
      evidenceFile: EVIDENCE_FILE,
      noFollowUp: { type: "boolean", describe: "nothing follows from it" },
      nextTodo: NEXT_TODO,
      successorTodoId: SUCCESSOR_TODO_ID,
    },
    chooseOne: [{ from: ["noFollowUp", "nextTodo", "successorTodoId"] }],
    examples: [
      "loopx todo complete --todo-id todo_4f1k2m --agent-id codex-main --turn turn_9k2p4x --evidence 'Tests pass' --no-follow-up",
      "loopx todo complete --todo-id todo_4f1k2m --agent-id codex-main --turn turn_9k2p4x --evidence 'Done' --next-todo 'Document it'",
    ],
    budgetBytes: LIMITS.packetMaxBytes.todo_change,
  },
  "todo defer": {
    summary: "Put a todo off until a condition holds",
    authority: "agent",
    flags: {
      goalId: GOAL_ID,
      todoId: WORK_TODO_ID,
      agentId: AGENT_ID,
      ownerTokenFile: OWNER_TOKEN_FILE,
      resume: { ...RESUME, required: true },
      reason: REASON,
    },
    examples: ["loopx todo defer --todo-id todo_4f1k2m --agent-id codex-main --resume after:2030-01-31T09:00:00Z"],
  },
  "todo supersede": {
    summary: "Replace a todo by another one",
    authority: "agent",
    flags: {
      goalId: GOAL_ID,
      todoId: LIVE_TODO_ID,
      agentId: AGENT_ID,
      ownerTokenFile: OWNER_TOKEN_FILE,
      reason: { ...REASON, required: true },
      nextTodo: NEXT_TODO,
      successorTodoId: SUCCESSOR_TODO_ID,
    },
    chooseOne: [{ from: ["nextTodo", "successorTodoId"], required: true }],
    examples: ["loopx todo supersede --todo-id todo_4f1k2m --reason 'Wrong layer' --next-todo 'Parse in the reader'"],
  },
  "todo archive": {
    summary: "Take finished todos off the list",
    authority: "agent",
    flags: {
      goalId: GOAL_ID,
      agentId: AGENT_ID,
      todoId: { ...DEPENDENCY, offers: "finished", describe: "finished todo to take off" },
      completed: { type: "boolean", describe: "take off everything that is finished" },
    },
    chooseOne: [{ from: ["todoId", "completed"], required: true }],
    examples: [
      "loopx todo archive --goal-id importer-goal --completed",
      "loopx todo archive --todo-id todo_4f1k2m --todo-id todo_5g2n3p",
    ],
  },
} as const satisfies CommandRecord;
