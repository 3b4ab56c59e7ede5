import { LoopxError, toErrorPacket } from "@loopx/contracts";
import { toAmbientAt } from "../ambient.ts";
import type { CommandInput } from "../commands/command-handler.ts";
import { answerCommandLine, type CommandAnswer } from "../run-command-line.ts";
import { createAgentWorld, NO_TERMINAL } from "./agent-world.ts";

/** One command line to run for a client. */
export interface CommandCall {
  readonly argv: readonly string[];
  /** The client's thread, where the command has no flag for it. */
  readonly threadId?: string | undefined;
  /** Aborted when the client takes its request back. */
  readonly signal?: AbortSignal;
}

/** Runs commands for the clients of a server; a resource: `stop` it before the process ends. */
export interface CommandCalls {
  /** Never throws: a failure is its error packet. */
  readonly run: (call: CommandCall) => Promise<CommandAnswer>;
  /** Takes no more calls, ends what those under way have started, and settles when they have answered. */
  readonly stop: () => Promise<void>;
}

/** Opens the way from a server to the handlers of the command line. Refuses with `project_not_resolved`. */
export function openCommandCalls(input: CommandInput<"mcp">): CommandCalls {
  const world = createAgentWorld(input);
  const running = new Set<Promise<CommandAnswer>>();
  const cleanups = new Set<() => void>();
  let isStopped = false;

  const start = async ({ argv, threadId, signal }: CommandCall): Promise<CommandAnswer> => {
    const own: (() => void)[] = [];
    const endChildren = (): void => own.forEach((cleanup) => cleanup());
    const onInterrupt = (cleanup: () => void): void => {
      own.push(cleanup);
      // Nobody waits any more for what is only starting now.
      if (isStopped || signal?.aborted === true) cleanup();
    };
    cleanups.add(endChildren);
    signal?.addEventListener("abort", endChildren);
    const { ambient } = world;
    const env = threadId === undefined ? ambient.env : { ...ambient.env, CODEX_THREAD_ID: threadId };
    const answer = await answerCommandLine([...argv, ...listGlobals(argv)], {
      ambient: toAmbientAt(ambient, { env }),
      facts: NO_TERMINAL,
      loaders: input.loaders,
      mayRunChecks: input.flags.runChecks,
      note: (text) => input.note(text.trimEnd()),
      onInterrupt,
      untilInterrupted: input.untilInterrupted,
    });
    signal?.removeEventListener("abort", endChildren);
    cleanups.delete(endChildren);
    return answer;
  };

  const listGlobals = (argv: readonly string[]): readonly string[] => {
    const namesProject = argv.some((word) => word.startsWith("--project="));
    return world.hasProject && !namesProject ? [...world.globalFlags, "--project=."] : world.globalFlags;
  };

  return {
    run: async (call) => {
      if (isStopped) return toInterrupted();
      const answer = start(call);
      running.add(answer);
      try {
        return await answer;
      } finally {
        running.delete(answer);
      }
    },
    stop: async () => {
      isStopped = true;
      for (const endChildren of cleanups) endChildren();
      await Promise.all(running);
    },
  };
}

function toInterrupted(): CommandAnswer {
  const error = new LoopxError("interrupted", {
    message: "the server is ending; nothing was done",
    hint: "call again once the host has started it anew",
  });
  return { packet: toErrorPacket(error), exitCode: error.exitCode };
}
