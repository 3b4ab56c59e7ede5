import { renderBashCompletion } from "../completion/render-bash-completion.ts";
import { renderFishCompletion } from "../completion/render-fish-completion.ts";
import { renderZshCompletion } from "../completion/render-zsh-completion.ts";
import type { CommandHandler } from "./command-handler.ts";

/** The completion script for one shell, made from the command table. */
export const run: CommandHandler<"completion"> = ({ positionals }) => {
  // The table lets nothing but these three through.
  const [shell] = positionals;
  const script =
    shell === "zsh" ? renderZshCompletion() : shell === "fish" ? renderFishCompletion() : renderBashCompletion();
  return {
    packet: { ok: true, schema_version: "loopx_completion_v0", shell, script },
    text: () => script,
    isData: true,
  };
};
