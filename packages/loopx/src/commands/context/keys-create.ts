import { resolve } from "node:path";
import { createKeyset, renderKeyset } from "@loopx/runtime-context";
import { refuseExisting, writeNewFiles } from "../../context/write-new-files.ts";
import { renderFacts } from "../../packets/render-facts.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Writes a new keyset for a binding's `keyset`. Never over another: what was signed with that one could not be checked again. */
export const run: CommandHandler<"context keys create"> = async ({ flags, ambient }) => {
  const path = resolve(ambient.cwd, flags.output);
  refuseExisting([path], { says: (name) => `${name} is there`, hint: "name a new file with --output" });
  const keyset = createKeyset((prefix) => ambient.newId(prefix), ambient.now());
  writeNewFiles([{ path, text: renderKeyset(keyset) }], { mode: 0o600, label: "the keyset" });
  return {
    packet: { ok: true, schema_version: "loopx_context_keys_v1", keyset: keyset.id, output: flags.output },
    text: (style) =>
      renderFacts(
        [
          ["keyset", keyset.id],
          ["file", `${flags.output} (mode 0600); name it as "keyset": "file:…" in the binding`],
        ],
        style,
      ),
  };
};
