import { rotateKeyset } from "@loopx/runtime-context";
import { printCommand } from "../../command-line/print-command.ts";
import { loadBinding } from "../../context/binding-place.ts";
import { editKeyset } from "../../context/keyset-file.ts";
import { joinLines, renderFacts, renderNext } from "../../packets/render-facts.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Gives a binding's keyset a new active key. The one before stays, for what was made with it. */
export const run: CommandHandler<"context keys rotate"> = async ({ flags, ambient }) => {
  const binding = await loadBinding(flags.binding, ambient);
  const newId = (prefix: string): string => ambient.newId(prefix);
  const keyset = await editKeyset(binding, ambient, (before) => rotateKeyset(before, newId, ambient.now()));
  const active = keyset.keys.find(({ state }) => state === "active")?.id ?? "";
  const earlier = keyset.keys.flatMap(({ id, state }) => (state === "verify_only" ? [id] : []));
  const next = [printCommand("context keys list", { binding: flags.binding }).shell];
  return {
    packet: {
      ok: true,
      schema_version: "loopx_context_keys_rotate_v1",
      keyset: keyset.id,
      active,
      verify_only: earlier,
      reload: RELOAD,
      next,
    },
    text: (style) =>
      joinLines(
        renderFacts(
          [
            ["active", active],
            ["checks only", earlier.join(", ")],
            ["servers", RELOAD],
          ],
          style,
        ),
        renderNext(next, style),
      ),
  };
};

const RELOAD = "send SIGHUP to each loopx context serve of this binding; until then it goes on with the key before";
