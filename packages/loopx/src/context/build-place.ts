import { dirname, isAbsolute, join, resolve } from "node:path";
import { isLoopxError, LoopxError, type Ambient } from "@loopx/contracts";
import { CURRENT_BUILD, hasProjectFile, loadBuild, type ContextBuild } from "@loopx/runtime-context/offline";
import { printCommand } from "../command-line/print-command.ts";
import { findNamedFolder, listNames } from "./named-folder.ts";

/** A flag that names a build, without its dashes. */
export type BuildFlag = "build" | "from" | "to" | "baseline" | "candidate";

/**
 * The build in the folder that a flag names, every byte of it checked. A link, such as `builds/current`, is followed
 * once: the build is read whole from where it led, whatever it leads to meanwhile.
 *
 * Refuses with `file_not_readable`, saying what is not there, and with `build_corrupt`; both say how to make a build.
 */
export async function loadNamedBuild(flag: BuildFlag, written: string, ambient: Ambient): Promise<ContextBuild> {
  const folder = findBuildFolder(flag, written, ambient);
  try {
    return await loadBuild(folder);
  } catch (error) {
    if (!isLoopxError(error) || error.code !== "build_corrupt") throw error;
    throw new LoopxError("build_corrupt", {
      message: `the build ${written} cannot be used: ${error.message}`,
      hint: printBuildCommand(dirname(written), ambient),
      details: { field: flag },
      cause: error,
    });
  }
}

function findBuildFolder(flag: BuildFlag, written: string, ambient: Ambient): string {
  const folder = findNamedFolder(resolve(ambient.cwd, written), written);
  const refuse = (message: string, hint: string, cause?: unknown): LoopxError =>
    new LoopxError("file_not_readable", { message, hint, details: { field: flag }, cause });
  if ("fault" in folder) {
    const hint = printBuildCommand(dirname(written), ambient);
    throw refuse(`the build folder ${written} ${folder.fault}`, hint, folder.cause);
  }
  const names = listNames(folder.path);
  if (names.includes("manifest.json")) return folder.path;
  const [build] = names.includes(CURRENT_BUILD) ? [CURRENT_BUILD] : names.filter((name) => name.startsWith("build-"));
  if (build === undefined) {
    throw refuse(`${written} is no build: it has no manifest.json`, printBuildCommand(written, ambient));
  }
  throw refuse(`${written} is a folder of builds, not a build`, `--${flag}=${join(written, build)}`);
}

/** The command that makes a build, for the project of this folder where there is one. No path of this machine is printed. */
function printBuildCommand(folder: string, ambient: Ambient): string {
  const output = folder === "." || isAbsolute(folder) ? "builds" : folder;
  const globals = hasProjectFile(ambient.cwd) ? {} : { project: "<project-folder>" };
  return printCommand("context build", { output }, { globals }).shell;
}
