import { LIMITS } from "@loopx/contracts";
import type { CommandRecord } from "./command-spec.ts";
import { AGENT_ID, CURSOR, EXECUTE, GOAL_ID, LIMIT, OWNER_TOKEN_FILE } from "./shared-flags.ts";

const REQUIRED_KEY = { type: "text", placeholder: "KEY", describe: "name of the setting", required: true } as const;

/** Looking at state, moving it and keeping it safe. */
export const STORE_COMMANDS = {
  status: {
    summary: "Show goals, open work and what waits for whom",
    authority: "read",
    flags: {
      goalId: GOAL_ID,
      agentId: AGENT_ID,
      limit: LIMIT,
      cursor: CURSOR,
      hostSurfaceMap: { type: "boolean", describe: "show instead what a host may read and write here, and how" },
    },
    examples: [
      "loopx status",
      "loopx status --goal-id importer-goal --limit 20",
      "loopx status --host-surface-map --json",
    ],
    budgetBytes: LIMITS.packetMaxBytes.status_page,
  },
  history: {
    summary: "Show what happened, or the state as of then",
    authority: "read",
    flags: {
      goalId: GOAL_ID,
      at: { type: "text", placeholder: "SEQ|TIME", describe: "state as of an event number or a time" },
      limit: LIMIT,
      cursor: CURSOR,
    },
    examples: ["loopx history --goal-id importer-goal", "loopx history --goal-id importer-goal --at 120"],
  },
  doctor: {
    summary: "Check this machine and project, with a remedy for each finding",
    authority: "read",
    flags: {
      deep: { type: "boolean", describe: "read every page and row of the stores, and hold them against each other" },
      store: {
        type: "path",
        placeholder: "DIR",
        describe: "with --deep: folder of a trace store to look at too; may be given more than once",
        repeatable: true,
      },
    },
    examples: ["loopx doctor", "loopx doctor --deep --store traces"],
  },
  export: {
    summary: "Write a project's state as JSON lines",
    authority: "read",
    flags: {
      goalId: GOAL_ID,
      output: { type: "path", placeholder: "FILE", describe: "new file of mode 0600, instead of stdout" },
      public: { type: "boolean", describe: "mask local paths and credentials, for sharing; texts stay" },
    },
    examples: ["loopx export --output state.jsonl", "loopx export --goal-id importer-goal --public"],
  },
  import: {
    summary: "Read a project's state from an export or the Python implementation",
    authority: "owner",
    flags: {
      input: { type: "path", placeholder: "FILE", describe: "file that export wrote" },
      fromPythonLoopx: {
        type: "path",
        placeholder: "DIR",
        describe:
          "project folder of the Python implementation: goals, lanes, bindings and todos, with a report of the rest",
      },
      execute: EXECUTE,
      ownerTokenFile: OWNER_TOKEN_FILE,
    },
    chooseOne: [{ from: ["input", "fromPythonLoopx"], required: true }],
    examples: ["loopx import --input state.jsonl --execute", "loopx import --from-python-loopx ."],
  },
  backup: {
    summary: "Copy a project's store while it is in use",
    authority: "read",
    ownerWhen: "older backups are removed",
    flags: {
      output: { type: "path", placeholder: "FILE", describe: "new file, instead of one in the LoopX home" },
      keep: {
        type: "integer",
        placeholder: "COUNT",
        describe: "then remove the oldest backups of this project from the LoopX home, down to so many",
        min: 1,
      },
      ownerTokenFile: OWNER_TOKEN_FILE,
    },
    chooseOne: [{ from: ["output", "keep"] }],
    examples: [
      "loopx backup",
      "loopx backup --output state-backup.db",
      "loopx backup --keep 14 --owner-token-file ~/.loopx-owner-token",
    ],
  },
  restore: {
    summary: "Put a backup in the place of a project's store",
    authority: "owner",
    flags: {
      from: {
        type: "path",
        placeholder: "FILE",
        describe: "file that backup wrote, or the name of one in the LoopX home, instead of the newest there",
      },
      execute: EXECUTE,
      ownerTokenFile: OWNER_TOKEN_FILE,
    },
    examples: ["loopx restore --from state-backup.db --execute"],
  },
  "store status": {
    summary: "Show where a project's state is kept, and whether it is sound",
    authority: "read",
    flags: {},
    examples: ["loopx store status", "loopx --format json store status"],
  },
  "store migrate": {
    summary: "Bring a project's store to this version's schema",
    details: "The first command that writes does it too, after a backup; this one says so beforehand.",
    authority: "owner",
    flags: { execute: EXECUTE, ownerTokenFile: OWNER_TOKEN_FILE },
    examples: ["loopx store migrate", "loopx store migrate --execute"],
  },
  "store copy": {
    summary: "Move a project's state between a file and a PostgreSQL server",
    details:
      "Writers wait meanwhile. The copy is compared row by row before the project is led to it; the old store is emptied then and says where the state is, and a backup of it is kept. Cut off in between, the same command goes on.",
    authority: "owner",
    flags: {
      to: {
        type: "text",
        placeholder: "file|URL",
        describe: "file, or the URL of a server, without a password",
        required: true,
      },
      from: {
        type: "choice",
        placeholder: "PLACE",
        describe: "refuse unless the state is kept there now",
        choices: ["file", "server"],
      },
      storePassword: { type: "text", placeholder: "REF", describe: "where its password is: env:NAME or file:PATH" },
      execute: EXECUTE,
      ownerTokenFile: OWNER_TOKEN_FILE,
    },
    examples: [
      "loopx store copy --to postgresql://loopx@db.example/loopx --store-password env:LOOPX_DB_PASSWORD",
      "loopx store copy --from server --to file --execute",
    ],
  },
  gc: {
    summary: "Archive and remove old events; what is left answers for the state since",
    authority: "owner",
    flags: {
      goalId: { ...GOAL_ID, describe: "only this goal, instead of every goal of the project" },
      olderThan: {
        type: "duration",
        placeholder: "DURATION",
        describe: "keep the events of this time; 90d when nothing else is said",
      },
      keepEvents: {
        type: "integer",
        placeholder: "COUNT",
        describe: "keep the last events of each goal; with --older-than an event goes when both let it",
        min: 0,
      },
      noArchive: { type: "boolean", describe: "keep no copy of what is removed" },
      execute: EXECUTE,
      ownerTokenFile: OWNER_TOKEN_FILE,
    },
    examples: [
      "loopx gc",
      "loopx gc --older-than 30d --keep-events 1000 --execute",
      "loopx gc --goal-id importer-goal --keep-events 200 --execute",
    ],
  },
  recover: {
    summary: "Carry what can be read of a damaged store into a new one",
    details:
      "For a store that has no backup, or one that is too old. Reads the pages of the file itself, makes rows again from the events " +
      "where they are lost, and shows what is carried and what is lost. With --execute the new file takes the place of the damaged " +
      "one, which is kept beside it.",
    authority: "owner",
    flags: {
      home: { type: "boolean", describe: "the LoopX home's store instead of the project's" },
      store: { type: "path", placeholder: "DIR", describe: "the trace store in this folder instead of the project's" },
      execute: EXECUTE,
      ownerTokenFile: OWNER_TOKEN_FILE,
    },
    chooseOne: [{ from: ["home", "store"] }],
    examples: ["loopx recover", "loopx recover --execute", "loopx recover --store traces --execute"],
  },
  "config get": {
    summary: "Show one setting",
    authority: "read",
    flags: { key: REQUIRED_KEY },
    examples: ["loopx config get --key lease.ttl"],
  },
  "config set": {
    summary: "Change one setting; an unknown one is refused",
    authority: "owner",
    flags: {
      key: REQUIRED_KEY,
      value: { type: "text", placeholder: "VALUE", describe: "the new value", required: true, mayBeEmpty: true },
      ownerTokenFile: OWNER_TOKEN_FILE,
    },
    examples: ["loopx config set --key lease.ttl --value 30m"],
  },
  "config list": {
    summary: "List all settings with their values and where they come from",
    authority: "read",
    flags: {},
    examples: ["loopx config list"],
  },
} as const satisfies CommandRecord;
