import { fromRefusal } from "@loopx/contracts";
import { checkOwner, listOwnerTokens } from "@loopx/control-plane";
import { renderTable } from "../../output/render-table.ts";
import { identifyCaller } from "../../project/identify-caller.ts";
import { withHomeToRead } from "../../project/open-home.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Lists owner tokens without their secrets. */
export const run: CommandHandler<"owner token list"> = async ({ flags, ambient, facts }) => {
  const { actor } = await identifyCaller({ ambient, facts }, flags);
  const refused = checkOwner(actor, "list owner tokens");
  if (refused !== undefined) throw fromRefusal(refused);
  const tokens = await withHomeToRead(ambient, async (home) => (home === undefined ? [] : home.read(listOwnerTokens)));
  return {
    packet: { ok: true, schema_version: "loopx_owner_token_list_v1", tokens },
    text: (style) =>
      tokens.length === 0
        ? "no owner tokens"
        : renderTable(
            [{ title: "TOKEN" }, { title: "LABEL" }, { title: "CREATED" }, { title: "REVOKED" }],
            tokens.map((token) => [token.token_id, token.label, token.created_at, token.revoked_at ?? ""]),
            style,
          ),
  };
};
