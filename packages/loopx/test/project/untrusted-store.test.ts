import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listCommands, type CommandName } from "../../src/command-table/command-table.ts";
import { codeOf, createInProcessWorld, idOf, type InProcessWorld, type Who } from "../in-process-world.ts";

const GOAL = "--goal-id=project-goal";
const LANE = "--agent-id=a1";
const THREAD = ["--thread-id=t1", "--host-surface=codex-cli-tui", LANE, "--execute"];
const DECISION = ["--decision-id=d1"];
const OUTCOME = {
  verification_status: "pending",
  accepted_decision: { option_id: "o", summary: "s", accepted_by: "owner", accepted_at: "2026-03-01T12:00:00Z" },
};

let world: InProcessWorld;
let todoId = "";
let gateId = "";
let turnId = "";

beforeAll(async () => {
  world = createInProcessWorld();
  const { must } = world;
  await must(["bootstrap", "--objective=Make it work", GOAL]);
  await must(["register-agent", GOAL, LANE, "--execute"]);
  todoId = idOf(await must(["todo", "add", GOAL, "--text=work"]), "todo");
  turnId = idOf(await must(["quota", "should-run", GOAL, LANE], "agent"), "turn");
  const gate = ["--role=user", "--task-class=user_gate", "--text=May I?", "--blocks=agent:a1"];
  gateId = idOf(await must(["todo", "add", GOAL, ...gate]), "todo");
  writeFileSync(join(world.directory, "outcome.json"), JSON.stringify(OUTCOME));
  await must(["export", `--output=${join(world.directory, "state.jsonl")}`]);
});

afterAll(() => world.remove());

/** A line of each command that writes a project's store, and who runs it where it is an owner's. */
const lines = (): Readonly<Partial<Record<CommandName, readonly [words: readonly string[], who?: Who]>>> => {
  const todo = [GOAL, `--todo-id=${todoId}`];
  return {
    "quota should-run": [[GOAL, LANE]],
    "quota spend": [[GOAL, LANE, `--turn=${turnId}`]],
    "refresh-state": [[GOAL, LANE]],
    "todo add": [[GOAL, "--text=new"]],
    "todo claim": [[...todo, LANE]],
    "todo release": [[...todo, LANE]],
    "todo update": [[...todo, LANE, "--note=n"]],
    "todo complete": [[...todo, LANE, "--evidence=done", "--no-follow-up"]],
    "todo defer": [[...todo, LANE, "--resume=manual"]],
    "todo supersede": [[...todo, LANE, "--reason=r", "--next-todo=other"]],
    "todo archive": [[...todo]],
    "goal edit": [[GOAL, "--objective=else", LANE]],
    "goal pause": [[GOAL, LANE]],
    "goal resume": [[GOAL], "owner"],
    "goal stop": [[GOAL], "owner"],
    "goal complete": [[GOAL], "owner"],
    "goal budget": [[GOAL, "--total-turns=9", LANE]],
    "gate decide": [[GOAL, `--gate-id=${gateId}`, "--decision=approve"], "owner"],
    "register-agent": [[GOAL, "--agent-id=a2", "--execute"]],
    "bind-agent-thread": [[GOAL, ...THREAD]],
    "unbind-agent-thread": [[GOAL, ...THREAD]],
    "decision-context prepare-review": [[GOAL, LANE, ...DECISION, "--profile=none.json", "--execute"]],
    "decision-context settle-review": [
      [GOAL, LANE, ...DECISION, "--profile=none.json", "--reason-code=r", "--summary=s", "--execute"],
    ],
    "decision-context record-outcome": [
      [GOAL, LANE, ...DECISION, `--outcome-json=${join(world.directory, "outcome.json")}`, "--execute"],
    ],
    "context attach": [[GOAL, LANE, "--binding=none", "--objective=o", "--consumer=c"]],
    "context detach": [[GOAL, "--profile=p"], "owner"],
    "config set": [["--key=lease.ttl", "--value=30m"], "owner"],
    import: [[`--input=${join(world.directory, "state.jsonl")}`, "--execute"], "owner"],
    gc: [["--keep-events=0", "--no-archive", "--execute"], "owner"],
  };
};

/** Those that write no project's store, or decide about trust themselves. */
const OTHERS: readonly CommandName[] = [
  "init",
  "bootstrap",
  "restore",
  "store migrate",
  "store copy",
  "recover",
  "owner token create",
  "owner token list",
  "owner token revoke",
  "context init",
  "context build",
  "context keys create",
  "context keys destroy",
  "context keys rotate",
  "context regress",
  "context test",
  "context traces prune",
  "context traces purge",
  "context turn",
  "context serve",
  "decision-context init-profile",
  "decision-context recall-context",
  "extension init",
  "extension check",
  "extension install",
  "extension upgrade",
  "extension enable",
  "extension disable",
  "extension rollback",
  "extension doctor",
  "extension remove",
  "mcp",
  "workstation",
  "slash-commands",
  // They begin with the start's facts and with the guard, which ask about trust in words of their own.
  "agent-onboard",
  "drive",
];

test("a store that this machine does not know takes no write, whoever asks; nothing of it or of the home changes", async () => {
  const store = join(world.directory, "project", ".loopx", "state.db");
  const before = readFileSync(store);
  for (const [name, [words, who = "agent"]] of Object.entries(lines())) {
    for (const caller of new Set<Who>([who, "owner"])) {
      const answer = await world.run([...name.split(" "), ...words], caller, "another-home");
      expect({ name, caller, code: codeOf(answer) }).toEqual({ name, caller, code: "project_not_trusted" });
    }
  }
  expect(readFileSync(store).equals(before)).toBe(true);
  expect(existsSync(join(world.directory, "another-home"))).toBe(false);
});

test("so it is for a home that knows other projects", async () => {
  const other = createInProcessWorld();
  await other.must(["bootstrap", "--objective=Another", "--goal-id=other-goal"]);
  const home = join("..", other.directory.slice(other.directory.lastIndexOf("/") + 1), "home");
  const answer = await world.run(["todo", "claim", GOAL, `--todo-id=${todoId}`, LANE], "agent", home);
  expect(codeOf(answer)).toBe("project_not_trusted");
  other.remove();
});

test("it can be read", async () => {
  for (const words of [
    ["status", GOAL],
    ["todo", "list", GOAL],
    ["history", GOAL],
    ["register-agent", GOAL, LANE],
  ]) {
    expect({ words, code: codeOf(await world.run(words, "agent", "another-home")) }).toEqual({ words, code: "ok" });
  }
});

test("no command that is more than a read is left out", () => {
  const writers = listCommands()
    .filter(({ name, spec }) => spec.authority !== "read" && !OTHERS.includes(name))
    .map(({ name }) => name);
  expect(Object.keys(lines()).toSorted()).toEqual(writers.toSorted());
});
