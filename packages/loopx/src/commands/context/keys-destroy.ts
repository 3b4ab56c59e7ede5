import { destroyKey, type Keyset } from "@loopx/runtime-context";
import { printCommand } from "../../command-line/print-command.ts";
import { loadBinding } from "../../context/binding-place.ts";
import { editKeyset, readKeyset } from "../../context/keyset-file.ts";
import { withTraces } from "../../context/trace-place.ts";
import { joinLines, renderFacts, renderNext, renderQuantity } from "../../packets/render-facts.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Destroys one key of a binding. What was made with it is unlinked for good, so it is only shown first. */
export const run: CommandHandler<"context keys destroy"> = async ({ flags, ambient }) => {
  const { keyId, store } = flags;
  const binding = await loadBinding(flags.binding, ambient);
  const edit = (keyset: Keyset) => destroyKey(keyset, keyId, ambient.now());
  const uses =
    store === undefined ? undefined : await withTraces({ ...flags, store }, ambient, (traces) => traces.countKeyUses());
  if (flags.execute) await editKeyset(binding, ambient, edit);
  else edit(readKeyset(binding, ambient));
  const { traceCount, contentCount } = uses?.get(keyId) ?? { traceCount: 0, contentCount: 0 };
  const next = flags.execute ? [] : [printCommand("context keys destroy", { ...flags, execute: true }).shell];
  return {
    packet: {
      ok: true,
      schema_version: "loopx_context_keys_destroy_v1",
      key: keyId,
      destroyed: flags.execute,
      ...(uses === undefined ? {} : { unlinked: { traces: traceCount, contents: contentCount } }),
      copies: COPIES,
      next,
    },
    text: (style) =>
      joinLines(
        renderFacts(
          [
            [flags.execute ? "destroyed" : "would destroy", keyId],
            [
              "unlinked",
              uses === undefined
                ? "all traces and contents made with it; --store counts them"
                : `${renderQuantity(traceCount, "trace")}, ${renderQuantity(contentCount, "kept answer")}`,
            ],
            ["copies", COPIES],
          ],
          style,
        ),
        renderNext(next, style),
      ),
  };
};

const COPIES = "copies of the keyset's file, such as backups, hold the key still; a running server does until SIGHUP";
