import { LoopxError } from "@loopx/contracts";

/** The id that stands behind an extension command. Refuses what no manifest can state with `invalid_id`. */
export function parseExtensionId(positionals: readonly string[]): string {
  const [id = ""] = positionals;
  if (/^(?=.{1,48}$)[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(id)) return id;
  throw new LoopxError("invalid_id", {
    message: "an extension's id is lower-case words of letters and digits with - between them, at most 48 characters",
    hint: "loopx extension list",
    details: { field: "id" },
  });
}
