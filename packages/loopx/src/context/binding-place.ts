import { join, resolve } from "node:path";
import { LoopxError, type Ambient } from "@loopx/contracts";
import { parseBinding, type DeploymentBinding } from "@loopx/runtime-context";
import { resolveHomeDirectory } from "../project/home-location.ts";
import { readNamedFile } from "../project/regular-file.ts";

/** What a binding's file is called, in the LoopX home and elsewhere. */
export const BINDING_FILE = "context-binding.json";

/** A binding names some providers and keys. */
const BINDING_MAX_BYTES = 2 ** 22;

const NAME = /^[a-z][a-z0-9-]{0,62}$/;

/** Where the LoopX home keeps the binding of this name with its keys: it must not lie in a project. */
export function findBindingHome(name: string, ambient: Ambient): string {
  return join(resolveHomeDirectory(ambient), "context", name);
}

/** The file that `--binding` means: a bare name is one in the LoopX home, everything else is a path. */
export function findBindingFile(written: string, ambient: Ambient): string {
  if (NAME.test(written)) return join(findBindingHome(written, ambient), BINDING_FILE);
  return resolve(ambient.cwd, written);
}

/** The binding that `--binding` names, validated. Refuses with `file_not_readable`, `binding_invalid`. */
export async function loadBinding(written: string, ambient: Ambient): Promise<DeploymentBinding> {
  const path = findBindingFile(written, ambient);
  return parseBinding(readBindingFile(path, written), { path });
}

/** The binding's bytes. Refuses with `file_not_readable`, saying which of the two the word was taken for. */
export function readBindingFile(path: string, written: string): Uint8Array {
  try {
    return readNamedFile({ path, field: "binding", maxBytes: BINDING_MAX_BYTES, hint: "name a file" });
  } catch (error) {
    if (!NAME.test(written)) throw error;
    throw new LoopxError("file_not_readable", {
      message: `the LoopX home has no Deployment Binding named ${written}`,
      hint: `name a file: --binding=./${written}, or make one: loopx context init`,
      details: { field: "binding" },
      cause: error,
    });
  }
}
