import { COMMAND_LOADERS } from "./commands/command-loaders.ts";
import { runProcess } from "./run-process.ts";

await runProcess(process.argv.slice(2), COMMAND_LOADERS);
