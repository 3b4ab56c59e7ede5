import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { runProgram, type ProgramResult } from "./run-program.ts";

/** The CLI under test. `TESTED_LOOPX` names another one: an installed package, a copy that nobody rebuilds. */
export const LOOPX_PROGRAM =
  process.env["TESTED_LOOPX"] || fileURLToPath(new URL("../../packages/loopx/bin/loopx.cjs", import.meta.url));

const START_TOGETHER = fileURLToPath(new URL("fixtures/wait-for-start.cjs", import.meta.url));

export interface WorldOptions {
  /** Folder name of the project; may hold spaces and any script. */
  readonly projectName?: string;
  /** The CLI to run, when it is not the built one. */
  readonly program?: string;
}

export interface RunOptions {
  readonly cwd?: string;
  /** Variables on top of the clean environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly uid?: number;
  readonly killAfterMs?: number;
}

/** A machine of its own for the CLI: an empty home, one git repository, and an environment without any host's marker. */
export interface World {
  readonly directory: string;
  readonly home: string;
  /** The LoopX home inside `home`. */
  readonly loopxHome: string;
  readonly project: string;
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  /** Runs the CLI in the project with `--json`. */
  readonly run: (args: readonly string[], options?: RunOptions) => Promise<ProgramResult>;
  /** Runs it and gives its document; throws when it does not exit with 0. */
  readonly call: (args: readonly string[], options?: RunOptions) => Promise<unknown>;
  /** Runs `count` processes that boot first and then begin at the same instant. */
  readonly spawnMany: (
    count: number,
    argsOf: (index: number) => readonly string[],
    optionsOf?: (index: number) => RunOptions,
  ) => Promise<readonly ProgramResult[]>;
  /** Makes another git repository in this world and gives its path; the name may hold slashes. */
  readonly addProject: (name: string) => string;
  readonly remove: () => void;
}

/** Makes a world in the system's temporary folder. `TESTED_STORE_URL` names a server that keeps the state of its projects. */
export function createWorld({ projectName = "project", program = LOOPX_PROGRAM }: WorldOptions = {}): World {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "loopx-world-")));
  const home = join(directory, "home");
  mkdirSync(home);
  const server = process.env["TESTED_STORE_URL"];
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    GIT_CONFIG_NOSYSTEM: "1",
    ...(server === undefined ? {} : { LOOPX_STORE_URL: server }),
  };
  const addProject = (name: string): string => addRepository(join(directory, "projects", name), env);
  const project = addProject(projectName);

  const start = (words: readonly string[], options: RunOptions = {}): Promise<ProgramResult> =>
    runProgram(process.execPath, words, { ...options, cwd: options.cwd ?? project, env: { ...env, ...options.env } });
  const run: World["run"] = (args, options) => start([program, "--json", ...args], options);

  return {
    directory,
    home,
    loopxHome: join(home, ".codex", "loopx"),
    project,
    program,
    env,
    run,
    call: async (args, options) => {
      const result = await run(args, options);
      if (result.exitCode === 0) return result.json;
      throw new Error(`loopx ${args.join(" ")}: exit ${result.exitCode}\n${result.stdout}${result.stderr}`);
    },
    spawnMany: async (count, argsOf, optionsOf = () => ({})) => {
      const gate = mkdtempSync(join(directory, "start-"));
      const running = Array.from({ length: count }, (_, index) => {
        const options = optionsOf(index);
        return start(["--require", START_TOGETHER, program, "--json", ...argsOf(index)], {
          ...options,
          env: { ...options.env, START_TOGETHER: gate },
        });
      });
      while (readdirSync(gate).length < count) await pause(5);
      writeFileSync(join(gate, "start"), "");
      return Promise.all(running);
    },
    addProject,
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

function addRepository(path: string, env: Readonly<Record<string, string>>): string {
  mkdirSync(path, { recursive: true });
  const made = spawnSync("git", ["init", "--quiet", "--template="], { cwd: path, env, encoding: "utf8" });
  if (made.status !== 0) throw new Error(`git init failed: ${made.stderr}`);
  return path;
}
