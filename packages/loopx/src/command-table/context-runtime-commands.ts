import type { CommandRecord } from "./command-spec.ts";
import {
  BINDING,
  BUILD,
  BUILD_FOLDER,
  CONSUMER,
  COUNTED_STORE,
  INPUT,
  OBJECTIVE,
  PROFILE,
  REQUIRED_BINDING,
  REQUIRED_TRACE_STORE,
  STORE,
  TRACE_STORE,
} from "./context-flags.ts";
import { AGENT_ID, CURSOR, EXECUTE, OWNER_TOKEN_FILE, REQUIRED_GOAL_ID } from "./shared-flags.ts";

/** A build in a deployment: turns, keys, traces, and providers held against their contract. */
export const CONTEXT_RUNTIME_COMMANDS = {
  "context turn": {
    summary: "Carry out one turn: READY, DEGRADED or BLOCKED, with the context",
    authority: "agent",
    flags: {
      build: BUILD,
      binding: REQUIRED_BINDING,
      objective: { ...OBJECTIVE, required: true },
      consumer: { ...CONSUMER, required: true },
      profile: PROFILE,
      input: INPUT,
      ...TRACE_STORE,
    },
    examples: [
      "loopx context turn --build builds/current --binding support-desk --objective answer-ticket --consumer support-agent --input customerId=CUST-1042",
    ],
  },
  "context attach": {
    summary: "Record what turns of a goal ask runtime context for",
    details:
      "The project is the folder that --project names, or the current one. quota should-run and drive fetch it where " +
      "--context-profile names the profile, and only then; a BLOCKED turn is no run. An input todo.target_key is that of the todo.",
    authority: "agent",
    ownerWhen: "it takes the place of another",
    flags: {
      goalId: REQUIRED_GOAL_ID,
      agentId: AGENT_ID,
      binding: REQUIRED_BINDING,
      objective: { ...OBJECTIVE, required: true },
      consumer: { ...CONSUMER, required: true },
      profile: { type: "text", placeholder: "ID", describe: "profile; may be left out where the project has one" },
      input: {
        type: "text",
        placeholder: "KEY=VALUE",
        describe: "input of the request; the value todo.target_key is the todo's own",
        repeatable: true,
      },
      store: { ...STORE, describe: "folder of the trace store; without it no trace is kept" },
      ownerTokenFile: OWNER_TOKEN_FILE,
    },
    examples: [
      "loopx context attach --goal-id importer-goal --agent-id codex-main --project desk --binding desk --objective answer-ticket --consumer support-agent --input customerId=todo.target_key",
    ],
  },
  "context attached": {
    summary: "Show what turns of a goal ask runtime context for",
    authority: "read",
    flags: { goalId: REQUIRED_GOAL_ID },
    examples: ["loopx context attached --goal-id importer-goal"],
  },
  "context detach": {
    summary: "Take back a context that is attached to a goal",
    authority: "owner",
    flags: {
      goalId: REQUIRED_GOAL_ID,
      profile: { type: "text", placeholder: "ID", describe: "profile it was attached under", required: true },
      ownerTokenFile: OWNER_TOKEN_FILE,
    },
    examples: ["loopx context detach --goal-id importer-goal --profile support-chat"],
  },
  "context serve": {
    summary: "Serve turns over HTTP until SIGTERM; SIGHUP reloads",
    details:
      "Logs JSON lines on stderr, the first with the URL. SIGHUP loads build and binding anew and swaps both at once; " +
      "a pair that is refused leaves the old one serving. Without a token only loopback is served. Several may serve one " +
      "store on a PostgreSQL server.",
    authority: "agent",
    flags: {
      build: BUILD,
      binding: REQUIRED_BINDING,
      ...REQUIRED_TRACE_STORE,
      host: { type: "text", placeholder: "ADDRESS", describe: "127.0.0.1 unless given; others need a token" },
      port: {
        type: "integer",
        placeholder: "PORT",
        describe: "0 takes a free one",
        min: 0,
        max: 65_535,
        default: 8080,
      },
      tokenFile: { type: "path", placeholder: "FILE", describe: "file of mode 0600 with the bearer token" },
    },
    examples: [
      "loopx context serve --build builds/current --binding support-desk --store traces --port 8080",
      "loopx context serve --build builds/current --binding support-desk --store postgresql://loopx@db.example/loopx --store-password env:LOOPX_DB_PASSWORD",
    ],
  },
  "context keys create": {
    summary: "Write new keys for a binding that you write yourself",
    details:
      "context init does so for its own. The digests in traces and the signatures of their chains are made with them.",
    authority: "agent",
    flags: {
      output: { type: "path", placeholder: "FILE", describe: "the new file, outside of the project", required: true },
    },
    examples: ["loopx context keys create --output deployment/keys.json"],
  },
  "context keys list": {
    summary: "List the keys of a binding: ids, states and uses, no secret",
    authority: "read",
    flags: {
      binding: REQUIRED_BINDING,
      ...COUNTED_STORE,
    },
    examples: ["loopx context keys list --binding support-desk --store traces"],
  },
  "context keys rotate": {
    summary: "Give a binding's keyset a new active key",
    details:
      "The key before checks, finds and reads what it made. Of two processes at once one wins. A server takes the new key " +
      "with SIGHUP.",
    authority: "agent",
    flags: { binding: REQUIRED_BINDING },
    examples: ["loopx context keys rotate --binding support-desk"],
  },
  "context keys destroy": {
    summary: "Destroy a key: what was made with it is unlinked for good",
    details:
      "Its traces stay and can be read; their digests tell nobody anything, the content kept with them can't be read, no " +
      "search for a value finds them, and reproducing one says key_destroyed. The active key is rotated first.",
    authority: "agent",
    flags: {
      binding: REQUIRED_BINDING,
      keyId: { type: "text", placeholder: "ID", describe: "the key, from context keys list", required: true },
      ...COUNTED_STORE,
      execute: EXECUTE,
    },
    examples: ["loopx context keys destroy --binding support-desk --key-id key_0123456789abcdef --store traces"],
  },
  "context traces list": {
    summary: "Search traces, latest first",
    authority: "read",
    flags: {
      ...REQUIRED_TRACE_STORE,
      binding: REQUIRED_BINDING,
      provider: { type: "text", placeholder: "ID", describe: "turns that looked at this provider" },
      providerStatus: { type: "text", placeholder: "STATUS", describe: "with this status of it, or of any" },
      objective: OBJECTIVE,
      consumer: CONSUMER,
      outcome: {
        type: "choice",
        placeholder: "OUTCOME",
        describe: "outcome of the turn",
        choices: ["READY", "DEGRADED", "BLOCKED"],
      },
      layer: { type: "text", placeholder: "ID", describe: "turns in which this layer took part" },
      input: {
        type: "text",
        placeholder: "KEY=VALUE",
        describe: "turns that asked --provider for this value, under any key that is not destroyed",
        repeatable: true,
      },
      since: { type: "instant", placeholder: "TIME", describe: "turns that began then or later" },
      until: { type: "instant", placeholder: "TIME", describe: "turns that began before" },
      limit: { type: "integer", placeholder: "COUNT", describe: "traces per page, 50 unless given", min: 1, max: 200 },
      cursor: CURSOR,
    },
    examples: [
      "loopx context traces list --store traces --binding support-desk --provider customer-data --provider-status TIMEOUT",
    ],
  },
  "context traces show": {
    summary: "Show one trace: where each fact came from, and no value",
    authority: "read",
    flags: {
      ...REQUIRED_TRACE_STORE,
      binding: REQUIRED_BINDING,
      traceId: { type: "text", placeholder: "TRACE", describe: "id that the turn answered with", required: true },
    },
    examples: ["loopx context traces show --store traces --binding support-desk --trace-id trace_0123456789abcdef"],
  },
  "context traces prune": {
    summary: "Remove traces that are old, with what was kept with them",
    details:
      "They go from the beginning of their chains, and each chain says in a signed record how many went and when; traces verify " +
      "still checks the rest. A chain that was altered is left. Without --execute it is only shown.",
    authority: "agent",
    flags: {
      ...REQUIRED_TRACE_STORE,
      binding: REQUIRED_BINDING,
      before: { type: "instant", placeholder: "TIME", describe: "turns that began before" },
      olderThan: { type: "duration", placeholder: "DURATION", describe: "turns that began longer ago, such as 90d" },
      execute: EXECUTE,
    },
    examples: ["loopx context traces prune --store traces --binding support-desk --older-than 90d --execute"],
  },
  "context traces purge": {
    summary: "Remove kept content that has expired, or all of a trace or provider",
    details:
      "The traces stay and say so. A server, and every context turn with a store, removes what has expired by itself.",
    authority: "agent",
    flags: {
      ...REQUIRED_TRACE_STORE,
      binding: REQUIRED_BINDING,
      traceId: { type: "text", placeholder: "TRACE", describe: "all content of this trace, whether or not it expired" },
      provider: {
        type: "text",
        placeholder: "ID",
        describe: "all content of this provider, whether or not it expired",
      },
      execute: EXECUTE,
    },
    examples: ["loopx context traces purge --store traces --binding support-desk --execute"],
  },
  "context traces verify": {
    summary: "Check that every trace is as it was written and none is missing",
    authority: "read",
    flags: { ...REQUIRED_TRACE_STORE, binding: REQUIRED_BINDING },
    examples: ["loopx context traces verify --store traces --binding support-desk"],
  },
  "context reproduce": {
    summary: "Carry out a recorded turn again from what was kept of it",
    details:
      "Asks no provider. EXACT is the same bytes, and needs the build and the binding that the trace names and, for facts, " +
      'content that the binding kept ("retention": "content"). Otherwise LIVE_DEPENDENCY_UNAVAILABLE says what is missing. ' +
      "Exit code 1 unless EXACT.",
    authority: "read",
    flags: {
      ...REQUIRED_TRACE_STORE,
      binding: REQUIRED_BINDING,
      builds: {
        type: "path",
        placeholder: "DIR",
        describe: "folder of builds; the one that the trace names is found by its digest",
        required: true,
      },
      withText: { type: "boolean", describe: "print the text that was reproduced, with the facts in it" },
    },
    positional: { placeholder: "TRACE", describe: "id that the turn answered with", required: true },
    examples: ["loopx context reproduce trace_0123456789abcdef --store traces --binding support-desk --builds builds"],
  },
  "context provider check": {
    summary: "Ask providers to describe themselves, or hold one against its contract",
    details:
      "With --build: whether each provider of the binding is ready. With --provider and --value: some twenty requests to that " +
      "one, at a URL or as the binding has it, and what its author changes. Exit code 1: not ready, or not conformant.",
    authority: "read",
    flags: {
      build: BUILD_FOLDER,
      binding: BINDING,
      provider: { type: "text", placeholder: "ID", describe: "the provider to hold against the contract" },
      value: { type: "text", placeholder: "VALUE", describe: "a lookup value that it has a record of" },
      missingValue: {
        type: "text",
        placeholder: "VALUE",
        describe: "one that it has none of; other digits and small letters of --value unless given",
      },
      key: { type: "text", placeholder: "INPUT", describe: "name of the input it is asked by (default: id)" },
      secret: {
        type: "text",
        placeholder: "env:NAME|file:PATH",
        describe: "of a provider at a URL: where its bearer token is",
      },
    },
    positional: { placeholder: "URL|BINDING", describe: "where the provider answers, or the binding that has it" },
    examples: [
      "loopx context provider check --build builds/current --binding support-desk",
      "loopx context provider check http://127.0.0.1:8787/context --provider customer-data --key customerId --value CUST-1042 --secret env:CRM_TOKEN",
      "loopx context provider check support-desk --provider customer-data --key customerId --value CUST-1042",
    ],
  },
} as const satisfies CommandRecord;
