import { dirname, resolve } from "node:path";
import { existsSync } from "node:fs";
import { LoopxError, type Ambient } from "@loopx/contracts";
import { createOwnerToken } from "@loopx/control-plane";
import { writeFileAtomically } from "@loopx/store";
import { unwrap } from "../../packets/unwrap.ts";
import { findUserHome } from "../../project/home-location.ts";
import { identifyCaller } from "../../project/identify-caller.ts";
import { withHomeToWrite } from "../../project/open-home.ts";
import { findGitTopLevel, findRealDirectory } from "../../project/project-roots.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Creates an owner token and writes it to a file of mode 0600; it is shown nowhere else. */
export const run: CommandHandler<"owner token create"> = async ({ flags, ambient, facts }) => {
  const { actor } = await identifyCaller({ ambient, facts }, flags);
  const path = resolve(ambient.cwd, flags.output);
  refuseWorkTree(path, ambient);
  if (existsSync(path)) {
    throw new LoopxError("file_not_writable", {
      message: "--output names a file that exists; it was left as it is",
      hint: "name a new file",
      details: { field: "output" },
    });
  }
  const { token, secret } = unwrap(
    await withHomeToWrite(ambient, async (home) => {
      const created = await createOwnerToken(home, { label: flags.label ?? "", actor }, ambient);
      if (created.ok) await writeFileAtomically(path, `${created.secret}\n`, { mode: 0o600, label: flags.output });
      return created;
    }),
  );
  return {
    packet: {
      ok: true,
      schema_version: "loopx_owner_token_create_v1",
      token_id: token.token_id,
      secret_written: secret !== "",
    },
    text: (style) =>
      `created ${style.bold(token.token_id)}; whoever can read the file decides as you do\n  revoke it with: loopx owner token revoke --token-id=${token.token_id}`,
  };
};

/** What lies in a work tree is read by the agents that work there, and is committed by mistake. */
function refuseWorkTree(path: string, ambient: Ambient): void {
  const folder = findRealDirectory(dirname(path)) ?? dirname(path);
  if (findGitTopLevel(folder, findUserHome(ambient.env)) === undefined) return;
  throw new LoopxError("invalid_value", {
    message: "--output lies in a git work tree, where agents read and commit files; no token was created",
    hint: 'name a file outside, such as --output "$HOME/.loopx-owner-token"',
    details: { field: "output" },
  });
}
