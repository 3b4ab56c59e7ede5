import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { World } from "../../support/cli-world.ts";
import { readField } from "../../support/read-field.ts";
import { connectProject, createMachine } from "./machine.ts";

const CHECK = [process.execPath, "-e", "require('fs').writeFileSync('cwd.txt', process.cwd())"];

/** Each makes a folder say that it belongs to the project's repository. */
const IMPOSTORS: Readonly<Record<string, (folder: string, git: string) => void>> = {
  "whose .git file names another folder's worktree": (folder, git) =>
    writeFileSync(join(folder, ".git"), `gitdir: ${join(git, "worktrees", "linked")}\n`),
  "whose .git is a link to the repository": (folder, git) => symlinkSync(git, join(folder, ".git")),
  "whose .git is a link to a worktree's": (folder, git) =>
    symlinkSync(join(git, "..", "..", "..", "linked", ".git"), join(folder, ".git")),
  "that keeps a git directory of its own making": (folder, git) => {
    mkdirSync(join(folder, "own"));
    writeFileSync(join(folder, ".git"), "gitdir: own\n");
    writeFileSync(join(folder, "own", "gitdir"), join(folder, ".git"));
    writeFileSync(join(folder, "own", "commondir"), git);
  },
};

test.each(Object.entries(IMPOSTORS))("a check runs in the root for a folder %s", async (_, prepare) => {
  const world = createMachine();
  const todoId = await addChecked(world);
  const folder = join(world.directory, "impostor");
  mkdirSync(folder);
  prepare(folder, join(world.project, ".git"));
  await complete(world, todoId, folder);
  expect(existsSync(join(folder, "cwd.txt"))).toBe(false);
  expect(readFileSync(join(world.project, "cwd.txt"), "utf8")).toBe(world.project);
});

test("a check runs in the worktree that the repository names, wherever it was moved to by git", async () => {
  const world = createMachine();
  const todoId = await addChecked(world);
  const moved = join(world.directory, "moved");
  spawnSync("git", ["worktree", "move", join(world.directory, "linked"), moved], {
    cwd: world.project,
    env: world.env,
  });
  await complete(world, todoId, moved);
  expect(readFileSync(join(moved, "cwd.txt"), "utf8")).toBe(moved);
});

/** A todo with a check, in a repository that has one linked worktree. */
async function addChecked(world: World): Promise<string> {
  const options = { cwd: world.project, env: world.env };
  const identity = ["-c", "user.name=T", "-c", "user.email=t@example.org"];
  spawnSync("git", [...identity, "commit", "--allow-empty", "--message=first", "--quiet"], options);
  spawnSync("git", ["worktree", "add", "--quiet", "-b", "linked", join(world.directory, "linked")], options);
  await connectProject(world);
  const add = ["todo", "add", "--role=agent", "--text=Checked", `--validation-command=${JSON.stringify(CHECK)}`];
  return String(readField(await world.call(add), "todo", "todo_id"));
}

async function complete(world: World, todoId: string, cwd: string): Promise<void> {
  const goal = ["--goal-id=project-goal", `--todo-id=${todoId}`, "--agent-id=codex-main"];
  await world.call(["todo", "complete", ...goal, "--evidence=done", "--no-follow-up"], { cwd });
}
