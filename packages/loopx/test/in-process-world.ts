import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Instant } from "@loopx/contracts";
import { COMMAND_LOADERS } from "../src/commands/command-loaders.ts";
import { runCommandLine } from "../src/run-command-line.ts";

export const START = "2026-03-01T12:00:00.000Z" as Instant;

/** An owner at a terminal, or what an agent starts. */
export type Who = "owner" | "agent";

/** The JSON document of a command. `code`: of an answer of should-run. */
export interface Answer {
  readonly ok: boolean;
  readonly code?: string;
  readonly error?: { readonly code: string };
}

export interface InProcessWorld {
  readonly directory: string;
  /** One command in this process, on real files. Another `home` is another machine. */
  run(words: readonly string[], who: Who, home?: string): Promise<Answer>;
  /** The same for a command that must be carried out. */
  must(words: readonly string[], who?: Who): Promise<Answer>;
  remove(): void;
}

/** A git folder `project` and a home `home` in a temporary folder, and a clock that stands still. */
export function createInProcessWorld(): InProcessWorld {
  const directory = mkdtempSync(join(tmpdir(), "loopx-in-process-"));
  spawnSync("git", ["init", "-q", join(directory, "project")]);
  let count = 0;
  const run = async (words: readonly string[], who: Who, home = "home"): Promise<Answer> => {
    const isTerminal = who === "owner";
    const outcome = await runCommandLine([...words, "--json"], {
      ambient: {
        now: () => START,
        newId: (prefix) => `${prefix}_${String((count += 1)).padStart(8, "0")}`,
        env: { HOME: directory, LOOPX_HOME: join(directory, home) },
        cwd: join(directory, "project"),
      },
      facts: { isStdinTerminal: isTerminal, isStdoutTerminal: isTerminal, isStderrTerminal: isTerminal, columns: 80 },
      loaders: COMMAND_LOADERS,
      note: () => undefined,
      onInterrupt: () => undefined,
      untilInterrupted: async () => undefined,
      mayRunChecks: true,
    });
    return JSON.parse(outcome.stdout) as Answer;
  };
  return {
    directory,
    run,
    must: async (words, who = "owner") => {
      const answer = await run(words, who);
      if (!answer.ok) throw new Error(JSON.stringify(answer));
      return answer;
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

export function codeOf({ error, code }: Answer): string {
  return error?.code ?? code ?? "ok";
}

export function idOf(answer: Answer, what: "todo" | "turn"): string {
  const named = answer as unknown as Readonly<Record<string, Readonly<Record<string, string>>>>;
  return named[what]?.[`${what}_id`] ?? "";
}
