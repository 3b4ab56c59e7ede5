import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createWorld, type RunOptions, type World } from "./cli-world.ts";
import { runProgram, type ProgramResult } from "./run-program.ts";

/** A world in which `loopx` is on the PATH and answers in JSON, and whose project has a linked git worktree. */
export interface ShellWorld extends World {
  /** A fresh linked worktree of the project; spaces and CJK are in its path. */
  readonly worktree: string;
  /** The environment with `loopx` on the PATH. */
  readonly shellEnv: Readonly<Record<string, string>>;
  /** Runs one command line as it is printed, through `sh -c`, in the worktree unless told otherwise. */
  readonly shell: (line: string, options?: RunOptions) => Promise<ProgramResult>;
}

export const WORKTREE_NAME = "リンク work 樹";

/** Makes the world; its folders lie in the system's temporary folder until `remove`. */
export function createShellWorld(): ShellWorld {
  const world = createWorld({ projectName: "main repository" });
  const worktree = addWorktree(world, WORKTREE_NAME);
  const shellEnv = { ...world.env, PATH: `${writeLauncher(world)}:${world.env["PATH"] ?? ""}` };
  return {
    ...world,
    worktree,
    shellEnv,
    shell: (line, options = {}) =>
      runProgram("sh", ["-c", line], {
        ...options,
        cwd: options.cwd ?? worktree,
        env: { ...shellEnv, ...options.env },
      }),
  };
}

function addWorktree(world: World, name: string): string {
  const path = join(world.directory, name);
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"];
  git(world, [...identity, "commit", "--quiet", "--allow-empty", "--message=first"]);
  git(world, ["worktree", "add", "--quiet", "-b", "side", path]);
  return path;
}

function git(world: World, args: readonly string[]): void {
  const made = spawnSync("git", [...args], { cwd: world.project, env: { ...world.env }, encoding: "utf8" });
  if (made.status !== 0) throw new Error(`git ${args.join(" ")}: ${made.stderr}`);
}

function writeLauncher(world: World): string {
  const directory = join(world.directory, "bin");
  const path = join(directory, "loopx");
  mkdirSync(directory);
  writeFileSync(path, `#!/bin/sh\nexec '${process.execPath}' '${world.program}' --json "$@"\n`);
  chmodSync(path, 0o755);
  return directory;
}

/** A digest of everything below some folders: names, kinds, modes and contents. Times are left out. */
export function digestTrees(...folders: readonly string[]): string {
  const hash = createHash("sha256");
  for (const folder of folders) {
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted()) {
      const entry = lstatSync(join(folder, name));
      hash.update(`${name}\0${entry.mode}\0`);
      if (entry.isFile()) hash.update(readFileSync(join(folder, name)));
    }
  }
  return hash.digest("hex");
}

/** The digest of all that a command could write in this world: both work trees with their stores, and the home. */
export function digestWorld(world: ShellWorld): string {
  return digestTrees(world.project, world.worktree, world.home);
}
