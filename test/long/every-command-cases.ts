import { join } from "node:path";
import type { CommandName } from "../../packages/loopx/src/command-table/command-table.ts";
import { attachWords, type BusyWorld } from "./busy-world.ts";

/** A command that is killed at its system calls: its line, and what of it is otherwise than one transaction of events. */
export interface KilledCommand {
  readonly words: (world: BusyWorld) => readonly string[];
  /** It commits more than once, or beside the project's store: any of its steps may be the last one kept. */
  readonly hasSteps?: true;
  /** It puts other state in the place of what is there. */
  readonly replacesState?: true;
}

const GOAL = "--goal-id=g1";
const LANE = [GOAL, "--agent-id=a1"];
const THREAD = ["--host-surface=codex-app", "--execute"];

const asOwner = ({ token }: BusyWorld): string => `--owner-token-file=${token}`;
const decide = ({ profile }: BusyWorld, decision = "d1"): readonly string[] => [
  ...[...LANE, `--profile=${profile}`, `--decision-id=${decision}`],
];

/**
 * Each command that is more than a read: how it is killed, or why it isn't here. A new one fails the build until it is in this
 * list.
 */
export const EVERY_WRITE: Readonly<Partial<Record<CommandName, KilledCommand | string>>> = {
  "quota should-run": { words: () => ["quota", "should-run", GOAL, "--agent-id=a2"] },
  "quota spend": { words: ({ turn }) => ["quota", "spend", ...LANE, `--turn=${turn}`] },
  "refresh-state": { words: () => ["refresh-state", ...LANE, "--evidence=noted"] },
  "todo add": { words: () => ["todo", "add", GOAL, "--text=Another"] },
  "todo claim": { words: ({ todos }) => ["todo", "claim", GOAL, `--todo-id=${todos.free}`, "--agent-id=a2"] },
  "todo release": { words: ({ todos }) => ["todo", "release", GOAL, `--todo-id=${todos.held}`, "--agent-id=a3"] },
  "todo update": {
    words: ({ todos }) => ["todo", "update", GOAL, "--agent-id=a2", `--todo-id=${todos.free}`, "--note=seen"],
  },
  "todo complete": {
    words: ({ todos, turn }) => [
      ...["todo", "complete", ...LANE, `--todo-id=${todos.running}`, `--turn=${turn}`],
      ...["--evidence=done", "--next-todo=Document it"],
    ],
  },
  "todo defer": {
    words: ({ todos }) => ["todo", "defer", GOAL, "--agent-id=a2", `--todo-id=${todos.free}`, "--resume=manual"],
  },
  "todo supersede": {
    words: ({ todos }) => [
      ...["todo", "supersede", GOAL, "--agent-id=a2", `--todo-id=${todos.free}`],
      ...["--reason=r", "--next-todo=Other"],
    ],
  },
  "todo archive": { words: ({ todos }) => ["todo", "archive", GOAL, `--todo-id=${todos.done}`] },
  "goal edit": { words: (world) => ["goal", "edit", GOAL, "--objective=Else", asOwner(world)] },
  "goal pause": { words: () => ["goal", "pause", ...LANE] },
  "goal resume": { words: (world) => ["goal", "resume", "--goal-id=g2", asOwner(world)] },
  "goal stop": { words: (world) => ["goal", "stop", "--goal-id=g2", asOwner(world)] },
  "goal complete": { words: (world) => ["goal", "complete", "--goal-id=g2", asOwner(world)] },
  "goal budget": { words: () => ["goal", "budget", ...LANE, "--total-turns=9"] },
  "gate decide": {
    words: (world) => ["gate", "decide", GOAL, `--gate-id=${world.gate}`, "--decision=approve", asOwner(world)],
  },
  "register-agent": { words: () => ["register-agent", GOAL, "--agent-id=a9", "--execute"], hasSteps: true },
  "bind-agent-thread": {
    words: () => ["bind-agent-thread", GOAL, "--agent-id=a2", "--thread-id=fresh", ...THREAD],
    hasSteps: true,
  },
  "unbind-agent-thread": {
    words: () => ["unbind-agent-thread", GOAL, "--agent-id=a4", "--thread-id=bound", ...THREAD],
    hasSteps: true,
  },
  "agent-onboard": {
    words: () => ["agent-onboard", "--agent-type=claude-code", ...LANE, "--record-activation", "--execute"],
  },
  bootstrap: { words: () => ["bootstrap", "--new-goal", "--objective=More", "--goal-id=g3"], hasSteps: true },
  import: {
    words: (world) => ["import", `--input=${world.exported}`, "--execute", asOwner(world)],
    hasSteps: true,
    replacesState: true,
  },
  restore: {
    words: (world) => ["restore", "--execute", asOwner(world)],
    hasSteps: true,
    replacesState: true,
  },
  recover: {
    words: (world) => ["recover", "--execute", asOwner(world)],
    hasSteps: true,
    replacesState: true,
  },
  "config set": { words: (world) => ["config", "set", "--key=lease.ttl", "--value=30m", asOwner(world)] },
  "decision-context prepare-review": {
    words: (world) => [
      ...["decision-context", "prepare-review", ...decide(world, "d2"), "--execute"],
      `--rebase-json=${join(world.directory, "rebase.json")}`,
    ],
  },
  "decision-context settle-review": {
    words: (world) => [
      ...["decision-context", "settle-review", ...decide(world)],
      ...["--reason-code=reviewed", "--summary=Looked at", "--execute"],
    ],
  },
  "decision-context init-profile": {
    words: (world) => [
      ...["decision-context", "init-profile", ...LANE, `--output=${join(world.directory, "own-profile.json")}`],
      "--execute",
    ],
    hasSteps: true,
  },
  "context attach": { words: (world) => [...attachWords(), "--input=customerId=todo.target_key", asOwner(world)] },
  "context detach": { words: (world) => ["context", "detach", GOAL, "--profile=support", asOwner(world)] },
  "context init": { words: () => ["context", "init", "--output=fresh-desk", "--id=fresh-desk"], hasSteps: true },
  "context build": { words: () => ["context", "build", "--project=desk", "--output=builds"], hasSteps: true },
  "context keys create": { words: () => ["context", "keys", "create", "--output=keys.json"], hasSteps: true },
  "owner token create": "a terminal's alone; one transaction of the home, as owner token revoke",
  "owner token revoke": {
    words: (world) => ["owner", "token", "revoke", `--token-id=${world.tokenId}`, asOwner(world)],
    hasSteps: true,
  },
  "extension disable": { words: () => ["extension", "disable", "canary-history", "--execute"], hasSteps: true },
  "extension rollback": "test/long/extensions.test.ts kills it at any moment",
  "extension install": "test/long/extensions.test.ts kills it at any moment",
  "extension upgrade": "test/long/extensions.test.ts kills it at any moment",
  "extension enable": "test/long/extensions.test.ts kills it at any moment",
  "extension doctor": "test/long/extensions.test.ts kills it at any moment",
  "extension remove": "test/long/extensions.test.ts kills it at any moment",
  "extension init": { words: () => ["extension", "init", "team-notes", "--execute"], hasSteps: true },
  "extension check": "writes nothing: it runs a provider in a folder of its own",
  "slash-commands": { words: () => ["slash-commands", "--install"], hasSteps: true },
  "context keys rotate": "test/e2e/context/keys-interrupted.test.ts kills it",
  "context keys destroy": "replaces the keyset's file as keys rotate does",
  "context traces purge":
    "not killed by itself: its steps are transactions of the trace store, as those of context turn",
  "context traces prune": "removes in steps of one transaction each, as context traces purge",
  gc: "test/long/crash.test.ts kills it at its system calls, and test/long/soak.test.ts while agents work",
  init: "is bootstrap and slash-commands --install, one after the other",
  "store copy": "test/long/move.test.ts kills it at any moment, both ways",
  "store migrate": "opens the store as every write does; what that migrates is one transaction",
  "context turn": "test/long/power-loss.test.ts loses power in it",
  "context serve": "not killed by itself: it records as context turn does",
  "context test": "writes reports alone, each a file in its place by one rename",
  "context regress": "writes reports alone, each a file in its place by one rename",
  "decision-context recall-context": "writes nothing: what it asks is recorded nowhere",
  "decision-context record-outcome": "one transaction, by the same port as settle-review",
  "owner token list": "an owner's, and writes nothing",
  drive: "test/long/drive.test.ts ends it in the middle, and each of its steps is a command of this list",
  mcp: "runs the commands above in its process",
  workstation: "runs the commands above in its process",
};
