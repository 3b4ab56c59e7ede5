import { LIMITS } from "@loopx/contracts";
import type { CommandRecord } from "./command-spec.ts";
import { AGENT_ID, GOAL_ID, HOST_SURFACE, OWNER_TOKEN_FILE, THREAD_ID } from "./shared-flags.ts";

const GOAL_TEXT = { type: "text", placeholder: "TEXT", describe: "the task, in the user's exact words" } as const;

/** Getting a project connected and a task started. */
export const HOST_COMMANDS = {
  init: {
    summary: "Set up this project: a goal, your agent's host, and what comes next",
    details:
      "Asks at a terminal what isn't given: what you want done, which hosts you use, and whether to write what they need. A project that has a goal keeps it. --dry-run asks nothing and writes nothing.",
    authority: "agent",
    flags: {
      goalText: GOAL_TEXT,
      surface: {
        type: "choice",
        placeholder: "HOST",
        describe: "install into this host; those on this machine unless given, none for no host",
        choices: ["none", "codex", "claude-code", "opencode", "cursor", "gemini"],
        repeatable: true,
      },
      dryRun: { type: "boolean", describe: "show what would be written" },
      ownerTokenFile: OWNER_TOKEN_FILE,
    },
    examples: [
      "loopx init",
      "loopx init --goal-text 'Ship the importer' --surface claude-code",
      "loopx init --goal-text 'Ship the importer' --surface none --dry-run",
    ],
  },
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
      newId: {
        type: "boolean",
        describe: "give a copied project an id of its own, or begin again where a store is gone",
      },
      newGoal: { type: "boolean", describe: "start another goal beside the existing one" },
      store: {
        type: "text",
        placeholder: "URL",
        describe: "keep the state on a PostgreSQL server; owners only, and no password in it",
      },
      storePassword: { type: "text", placeholder: "REF", describe: "where its password is: env:NAME or file:PATH" },
      projectId: {
        type: "text",
        placeholder: "ID",
        describe: "the project that the server has already, for another machine to join",
      },
      dryRun: { type: "boolean", describe: "show what would be written" },
      ownerTokenFile: OWNER_TOKEN_FILE,
    },
    aliases: ["connect"],
    examples: [
      "loopx bootstrap --project . --objective 'Ship the importer'",
      "loopx connect --project . --goal-id importer-goal --dry-run",
      "loopx connect --store postgresql://loopx@db.example/loopx --store-password env:LOOPX_DB_PASSWORD",
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
      guided: { type: "boolean", describe: "plan step by step", required: true },
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
  "slash-commands": {
    summary: "Show the slash commands that start LoopX from a chat, or install them",
    details:
      "--install writes commands, workflow skill, prompt hook and MCP entry of each host on this machine, and the skills of Codex and Claude Code in any case. Your own files stay; an edited one of ours is saved first. --uninstall removes only what LoopX wrote.",
    authority: "agent",
    flags: {
      hostRegistry: { type: "boolean", describe: "the registry that a host recognises them by" },
      install: { type: "boolean", describe: "install or update" },
      uninstall: { type: "boolean", describe: "remove what --install wrote" },
      check: { type: "boolean", describe: "say what --install would change; writes nothing" },
      dryRun: { type: "boolean", describe: "show what would be written" },
      surface: {
        type: "choice",
        placeholder: "HOST",
        describe: "only this host, present or not; an exact Codex surface is named to its hook",
        choices: [
          "all",
          "codex",
          "codex-app",
          "codex-app-ssh",
          "codex-ide-plugin",
          "codex-cli",
          "codex-cli-tui",
          "claude-code",
          "opencode",
          "cursor",
          "cursor-agent",
          "gemini",
          "gemini-cli",
        ],
        repeatable: true,
      },
      scope: {
        type: "choice",
        placeholder: "SCOPE",
        describe: "for you, unless given, or in the project's own folders",
        choices: ["user", "project"],
      },
    },
    chooseOne: [{ from: ["hostRegistry", "install", "uninstall", "check"] }],
    examples: [
      "loopx slash-commands",
      "loopx slash-commands --install",
      "loopx slash-commands --install --surface codex-cli-tui --dry-run",
      "loopx slash-commands --check --format json",
      "loopx --format json slash-commands --host-registry",
    ],
    budgetBytes: 8192,
  },
  "host-parse": {
    summary: "Read a chat message as a host does, and say what it asks for",
    details:
      "Answers a handoff for a command, a setup packet where no project is found, and ordinary_chat for anything else. A message that begins like a command and is none fails with help. Writes nothing.",
    authority: "read",
    flags: {
      hostSurface: { ...HOST_SURFACE, required: true },
      uiSurface: { type: "text", placeholder: "LABEL", describe: "where it was typed (default chat_box)" },
      selectedFile: {
        type: "path",
        placeholder: "FILE",
        describe: "file selected in the host, to find the project by",
      },
      threadId: THREAD_ID,
      message: {
        type: "text",
        placeholder: "TEXT",
        describe: "the visible message, or - to read it from stdin",
        required: true,
        mayBeEmpty: true,
      },
      fromHeredoc: { type: "boolean", describe: "stdin is a here-document: its last newline is none of the message's" },
    },
    examples: [
      "loopx host-parse --host-surface codex-app --message '/loopx Fix the flaky login test'",
      "loopx --format json host-parse --host-surface claude-code --thread-id t-1 --message -",
    ],
    budgetBytes: LIMITS.packetMaxBytes.handoff,
  },
  hook: {
    summary: "Answer a host's prompt hook, on stdin and stdout",
    details:
      "Ordinary prompts end at once without output. A slash command gets its handoff as context; one that is none is blocked with help. Writes nothing.",
    authority: "read",
    flags: {
      hostSurface: { ...HOST_SURFACE, describe: "exact surface, where the host has several" },
    },
    positional: {
      placeholder: "HOST",
      describe: "the host that calls",
      choices: ["claude-code", "codex", "cursor", "gemini"],
      required: true,
    },
    examples: ["loopx hook claude-code", "loopx hook codex --host-surface codex-cli-tui"],
  },
} as const satisfies CommandRecord;
