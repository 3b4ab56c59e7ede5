import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { World } from "../../support/cli-world.ts";
import { readField } from "../../support/read-field.ts";
import { ask, askAsOwner, codeOf, createMachine, hashTree, nextOf, readAsOwner } from "./machine.ts";

const STATE = `---
status: active
objective: "Ship the importer 项目"
---
## User Todo / Owner Review Reading Queue

- [x] Was it allowed?
  <!-- loopx:todo todo_id=todo_aaaaaaaaaaa2 task_class=user_gate decision_outcome=approve decision_scope=production:goal:all -->

## Agent Todo

- [ ] [P0] Parse quoted fields
  <!-- loopx:todo todo_id=todo_983720971397 status=open action_kind=implement claimed_by=codex-a -->
- [ ] [P0] Put it live
  <!-- loopx:todo todo_id=todo_983720971398 status=open action_kind=production -->
`;

/** A machine on which the Python implementation worked on one project. */
function createPythonMachine(stateFile = ".codex/goals/repo-goal/ACTIVE_GOAL_STATE.md"): World {
  const world = createMachine();
  const goal = { id: "repo-goal", status: "active", state_file: stateFile };
  const registry = {
    schema_version: "0.1",
    goals: [{ ...goal, coordination: { registered_agents: ["codex-a"] } }],
  };
  write(join(world.project, ".loopx/registry.json"), JSON.stringify(registry));
  write(join(world.project, ".codex/goals/repo-goal/ACTIVE_GOAL_STATE.md"), STATE);
  write(join(homeOf(world), "registry.global.json"), JSON.stringify({ ...registry, registry_role: "global-local" }));
  return world;
}

function homeOf(world: World): string {
  return join(world.env["HOME"] ?? "/nonexistent", ".codex/loopx");
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

test("a project of the Python implementation is shown first, then carried over whole, and worked on", async () => {
  const world = createPythonMachine();
  const before = hashTree(world.directory);
  const preview = await ask(world, ["import", "--from-python-loopx=."]);
  expect(preview.json).toMatchObject({
    dry_run: true,
    goal_ids: ["repo-goal"],
    carried: { goals: 1, agents: 1, thread_bindings: 0, todos: 3 },
    home_registry: "would_be_set_aside",
  });
  expect(hashTree(world.directory)).toEqual(before);
  const written = await askAsOwner(world, nextOf(preview).split(" ").slice(1));
  expect(written.json).toMatchObject({ written: true, home_registry: "set_aside" });
  expect(readField(written.json, "not_carried")).toEqual(readField(preview.json, "not_carried"));
  const kept = readdirSync(homeOf(world)).find((name) => name.startsWith("registry.global.json.python-"));
  expect(readFileSync(join(homeOf(world), kept ?? ""), "utf8")).toContain("global-local");
  const run = await ask(world, ["quota", "should-run", "--goal-id=repo-goal", "--agent-id=codex-a"]);
  expect(run.json).toMatchObject({ decision: "run", todo: { todo_id: "todo_983720971397" } });
  // What was approved there opens nothing here: the production todo still needs its gate.
  expect(await ask(world, ["gate", "list", "--goal-id=repo-goal"])).toMatchObject({ exitCode: 0 });
  const turn = [
    `--turn=${String(readField(run.json, "turn", "turn_id"))}`,
    "--goal-id=repo-goal",
    "--agent-id=codex-a",
  ];
  await ask(world, ["refresh-state", ...turn, "--outcome=progress", "--evidence=Parsed"]);
  await ask(world, ["todo", "complete", ...turn, "--evidence=Parsed", "--no-follow-up"]);
  await ask(world, ["quota", "spend", ...turn]);
  const next = await ask(world, ["quota", "should-run", "--goal-id=repo-goal", "--agent-id=codex-a"]);
  expect(next.json).not.toMatchObject({ decision: "run", todo: { todo_id: "todo_983720971398" } });
  expect(await readAsOwner(world, ["doctor"])).toContain("ready");
});

test("who is no owner carries nothing over, and twice is refused", async () => {
  const world = createPythonMachine();
  const words = ["import", "--from-python-loopx=.", "--execute"];
  const before = hashTree(world.directory);
  expect(codeOf(await ask(world, words))).toBe("gate_needs_owner");
  expect(hashTree(world.directory)).toEqual(before);
  expect(await askAsOwner(world, words)).toMatchObject({ exitCode: 0 });
  expect(codeOf(await askAsOwner(world, words))).toBe("goal_id_taken");
});

test.each(["../outside.md", "/etc/hostname", "link.md", "none.md"])(
  "a registry that names %s as a goal's state reads nothing outside of the project",
  async (stateFile) => {
    const world = createPythonMachine(stateFile);
    writeFileSync(join(world.directory, "outside.md"), STATE);
    symlinkSync(join(world.directory, "outside.md"), join(world.project, "link.md"));
    const answer = await ask(world, ["import", "--from-python-loopx=."]);
    expect(answer.json).toMatchObject({ ok: true, goal_ids: [], carried: { goals: 0, todos: 0 }, next: [] });
    expect(readField(answer.json, "not_carried")).toMatchObject([
      { what: "goal", why: "its state file can't be read" },
    ]);
  },
);

test.each([
  ["no registry", (world: World) => world.addProject("empty"), "file_not_readable"],
  ["a registry that is none", (world: World) => spoil(world, "{"), "import_invalid"],
])("a folder with %s is refused", async (_, prepare, code) => {
  const world = createPythonMachine();
  expect(codeOf(await ask(world, ["import", `--from-python-loopx=${prepare(world)}`]))).toBe(code);
});

function spoil(world: World, text: string): string {
  write(join(world.project, ".loopx/registry.json"), text);
  return ".";
}

test("a registry of the Python implementation in the home names the command that carries projects over", async () => {
  const world = createPythonMachine();
  const refused = await ask(world, ["bootstrap", "--objective=Else"]);
  expect(codeOf(refused)).toBe("foreign_registry");
  expect(readField(refused.json, "error", "hint")).toContain("loopx import --from-python-loopx=DIR");
});
