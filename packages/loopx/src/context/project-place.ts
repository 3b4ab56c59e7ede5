import { resolve } from "node:path";
import { LoopxError, type Ambient } from "@loopx/contracts";
import { hasProjectFile } from "@loopx/runtime-context/offline";
import { printCommand } from "../command-line/print-command.ts";
import { findNamedFolder } from "./named-folder.ts";

/**
 * The folder of the Context Project that `--project` names, or the current one.
 *
 * Refuses with `file_not_readable` a folder that is not there or has no project, and says how to make one.
 */
export function findProjectFolder(written: string | undefined, ambient: Ambient): string {
  const path = resolve(ambient.cwd, written ?? ".");
  const folder = findNamedFolder(path, written ?? ".");
  if ("path" in folder && hasProjectFile(path)) return path;
  const label = written === undefined ? "the current folder" : `the project folder ${written}`;
  throw new LoopxError("file_not_readable", {
    message: `${label} ${"fault" in folder ? folder.fault : "has no context.project.json, .jsonc or .yaml"}`,
    hint: printCommand("context init", { output: "<new-folder>", id: "<new-id>" }).shell,
    details: { field: "project" },
    ...("fault" in folder ? { cause: folder.cause } : {}),
  });
}
