import { resolve } from "node:path";
import { LoopxError, type Ambient } from "@loopx/contracts";
import { readNamedFile } from "../project/regular-file.ts";

const MAX_BYTES = 2 ** 20;

/** The text of a JSON file that a flag names. Refuses with `file_not_readable`, and `text_not_storable` for what is no UTF-8. */
export function readJsonFile(file: string, field: string, ambient: Pick<Ambient, "cwd">): string {
  const path = resolve(ambient.cwd, file);
  const bytes = readNamedFile({ path, field, maxBytes: MAX_BYTES, hint: "name a JSON file" });
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new LoopxError("text_not_storable", {
      message: `the file named with --${field.replaceAll("_", "-")} is not UTF-8`,
      details: { field },
    });
  }
}
