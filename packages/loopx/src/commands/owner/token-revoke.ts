import { revokeOwnerToken } from "@loopx/control-plane";
import { unwrap } from "../../packets/unwrap.ts";
import { identifyCaller } from "../../project/identify-caller.ts";
import { withHomeToWrite } from "../../project/open-home.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Ends an owner token at once. */
export const run: CommandHandler<"owner token revoke"> = async ({ flags, ambient, facts }) => {
  const { actor } = await identifyCaller({ ambient, facts }, flags);
  const { tokenId } = flags;
  const { changed } = unwrap(
    await withHomeToWrite(ambient, (home) => revokeOwnerToken(home, { tokenId, actor }, ambient)),
  );
  return {
    packet: { ok: true, schema_version: "loopx_owner_token_revoke_v1", token_id: tokenId, changed },
    text: () => `${changed ? "revoked" : "already revoked"} ${tokenId}`,
  };
};
