import { spawn } from "node:child_process";
import { LoopxError, type Ambient } from "@loopx/contracts";
import { toGhError } from "./gh-error.ts";

/** Far above any list that is asked for. */
const OUTPUT_MAX_BYTES = 16 * 1024 * 1024;
/** Of what gh says about a failure; it is looked at and never shown. */
const TALK_MAX_BYTES = 64 * 1024;
/** Between asking and killing. */
const GRACE_MS = 500;

export interface GhRun {
  readonly ambient: Pick<Ambient, "env" | "cwd">;
  readonly timeoutMs: number;
  /** How the process is ended when the command is interrupted. */
  readonly onStart: (kill: () => void) => void;
}

/**
 * What `gh` writes to stdout: direct argv, no shell, no prompt, its own process group.
 *
 * At the deadline the group is asked to end, then killed. Nothing that gh says reaches a message: it may hold a token or a
 * path. Refuses with `gh_missing`, `gh_not_logged_in`, `gh_timeout`, `gh_rate_limited`, `gh_output_invalid`,
 * `unknown_repository`, `unknown_pull_request`, `gh_failed`.
 */
export async function runGh(words: readonly string[], run: GhRun): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn("gh", words, {
      cwd: run.ambient.cwd,
      env: toGhEnvironment(run.ambient.env),
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    const output: Buffer[] = [];
    let bytes = 0;
    let talk = "";
    let refused: LoopxError | undefined;
    const kill = (signal: NodeJS.Signals): void => killGroup(child.pid, signal);
    const stop = (error: LoopxError): void => {
      refused ??= error;
      kill("SIGTERM");
      setTimeout(() => {
        kill("SIGKILL");
        child.stdout.destroy();
        child.stderr.destroy();
      }, GRACE_MS).unref();
      reject(refused);
    };
    run.onStart(() => kill("SIGKILL"));
    child.stdout.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > OUTPUT_MAX_BYTES) stop(toOversizeError());
      else output.push(chunk);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      if (talk.length < TALK_MAX_BYTES) talk += text;
    });
    const deadline = setTimeout(() => stop(toTimeoutError(run.timeoutMs)), run.timeoutMs);
    child.once("error", (error) => {
      clearTimeout(deadline);
      reject(toMissingError(error));
    });
    child.once("close", (exitCode) => {
      clearTimeout(deadline);
      if (exitCode === 0) resolve(Buffer.concat(output).toString("utf8"));
      else reject(toGhError(exitCode, talk));
    });
  });
}

/** Plain words for a program: no colours, no pager, no question, no notice of a new version. */
function toGhEnvironment(env: Ambient["env"]): NodeJS.ProcessEnv {
  const { GH_FORCE_TTY: _tty, CLICOLOR_FORCE: _colours, GH_DEBUG: _debug, DEBUG: _legacyDebug, ...rest } = env;
  return { ...rest, GH_PROMPT_DISABLED: "1", GH_NO_UPDATE_NOTIFIER: "1", GH_PAGER: "", NO_COLOR: "1" };
}

function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended already.
  }
}

function toTimeoutError(timeoutMs: number): LoopxError {
  return new LoopxError("gh_timeout", {
    message: `gh did not answer within ${timeoutMs / 1000} s and was ended`,
    hint: "run the command again, with a longer --timeout or a smaller --limit",
  });
}

function toOversizeError(): LoopxError {
  return new LoopxError("gh_output_invalid", {
    message: "gh wrote more than any list that is asked for",
    hint: "ask for fewer pull requests with --limit",
  });
}

function toMissingError(cause: Error): LoopxError {
  return new LoopxError("gh_missing", {
    message: "GitHub's command line, gh, is not installed or cannot be started",
    hint: "install it from https://cli.github.com, then run: gh auth login",
    cause,
  });
}
