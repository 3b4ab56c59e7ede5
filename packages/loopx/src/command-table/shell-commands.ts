import type { CommandRecord } from "./command-spec.ts";
import { GOAL_ID } from "./shared-flags.ts";

/** The command line itself. */
export const SHELL_COMMANDS = {
  help: {
    summary: "Show help for a command or a group of commands",
    authority: "read",
    flags: {},
    positional: { placeholder: "WORD", describe: "words of a command or group", names: "command", repeatable: true },
    examples: ["loopx help", "loopx help todo add"],
  },
  version: {
    summary: "Show the version",
    authority: "read",
    flags: {},
    examples: ["loopx version"],
  },
  completion: {
    summary: "Print a completion script for your shell",
    details: 'bash: eval "$(loopx completion bash)"; zsh: the same in .zshrc; fish: loopx completion fish | source',
    authority: "read",
    flags: {},
    positional: {
      placeholder: "SHELL",
      describe: "the shell to print it for",
      choices: ["bash", "zsh", "fish"],
      required: true,
    },
    examples: ["loopx completion bash"],
  },
  __complete: {
    summary: "List the ids a flag can take, one a line",
    authority: "read",
    flags: {
      kind: {
        type: "choice",
        placeholder: "KIND",
        describe: "what the ids name",
        choices: ["goal", "agent", "todo", "gate", "turn", "thread", "token"],
        required: true,
      },
      state: {
        type: "choice",
        placeholder: "STATE",
        describe: "which todos",
        choices: ["claimable", "work", "live", "finished"],
      },
      goalId: GOAL_ID,
    },
    examples: ["loopx __complete --kind goal"],
    isHidden: true,
  },
} as const satisfies CommandRecord;
