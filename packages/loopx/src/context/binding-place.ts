import { existsSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { findSuggestions, LoopxError, type Ambient } from "@loopx/contracts";
import { parseBinding, type DeploymentBinding } from "@loopx/runtime-context";
import { printCommand } from "../command-line/print-command.ts";
import { resolveHomeDirectory } from "../project/home-location.ts";
import { readNamedFile } from "../project/regular-file.ts";
import { isBindingName } from "./binding-name.ts";

/** What a binding's file is called, in the LoopX home and elsewhere. */
export const BINDING_FILE = "context-binding.json";

/** A binding names some providers and keys. */
const BINDING_MAX_BYTES = 2 ** 22;

/** Where the LoopX home keeps the binding of this name with its keys: it must not lie in a project. */
export function findBindingHome(name: string, ambient: Ambient): string {
  return join(resolveHomeDirectory(ambient), "context", name);
}

/** The file that `--binding` means: a bare name is one in the LoopX home, everything else is a path. */
export function findBindingFile(written: string, ambient: Ambient): string {
  if (isBindingName(written)) return join(findBindingHome(written, ambient), BINDING_FILE);
  return resolve(ambient.cwd, written);
}

/** The binding that `--binding` names, validated. Refuses with `file_not_readable`, `binding_invalid`. */
export async function loadBinding(written: string, ambient: Ambient): Promise<DeploymentBinding> {
  const path = findBindingFile(written, ambient);
  return parseBinding(readBindingFile(path, written, ambient), { path });
}

/** Whether the LoopX home has a binding of this name. */
export function hasNamedBinding(name: string, ambient: Ambient): boolean {
  return listBindings(ambient).includes(name);
}

/** The binding's bytes. Refuses with `file_not_readable`, saying what is not there and how to get one. */
export function readBindingFile(path: string, written: string, ambient: Ambient): Uint8Array {
  try {
    return readNamedFile({ path, field: "binding", maxBytes: BINDING_MAX_BYTES, hint: "name a file" });
  } catch (error) {
    const [message, hint] = isBindingName(written)
      ? explainNoName(written, ambient)
      : explainNoFile(path, written, ambient);
    throw new LoopxError("file_not_readable", { message, hint, details: { field: "binding" }, cause: error });
  }
}

function explainNoName(written: string, ambient: Ambient): readonly [string, string] {
  const near = findSuggestions(written, listBindings(ambient));
  const also = near.length === 0 ? "" : ` (did you mean ${near.join(" or ")}?)`;
  return [
    `the LoopX home has no Deployment Binding named ${written}${also}; a file of this name is ./${written}`,
    printCommand("context init", { output: written, id: written }).shell,
  ];
}

function explainNoFile(path: string, written: string, ambient: Ambient): readonly [string, string] {
  const names = listBindings(ambient).map((name) => `--binding=${name}`);
  const init = printCommand("context init", { output: "<new-folder>", id: "<new-id>" }).shell;
  return [
    `the binding file ${written} ${findFault(path) ?? "cannot be read"}`,
    names.length === 0 ? init : `name a file, or a binding of the LoopX home: ${names.join(", ")}`,
  ];
}

function findFault(path: string): string | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return "does not exist";
    if (stats.isDirectory()) return "is a folder; name the file in it";
    if (!stats.isFile()) return "is no regular file";
    return stats.size > BINDING_MAX_BYTES ? `is larger than ${BINDING_MAX_BYTES} bytes` : undefined;
  } catch {
    // A folder on the way that may not be entered.
    return undefined;
  }
}

/** Names of the bindings in the LoopX home, for a hint: none where it cannot be read. */
function listBindings(ambient: Ambient): readonly string[] {
  try {
    const home = join(resolveHomeDirectory(ambient), "context");
    return readdirSync(home).filter((name) => isBindingName(name) && existsSync(join(home, name, BINDING_FILE)));
  } catch {
    return [];
  }
}
