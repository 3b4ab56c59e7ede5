import { CONTEXT_PROJECT_COMMANDS } from "./context-project-commands.ts";
import { CONTEXT_RUNTIME_COMMANDS } from "./context-runtime-commands.ts";

/** Runtime context: declared layers, filled at request time. */
export const CONTEXT_COMMANDS = { ...CONTEXT_PROJECT_COMMANDS, ...CONTEXT_RUNTIME_COMMANDS } as const;
