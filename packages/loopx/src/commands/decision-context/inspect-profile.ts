import { decideActivation } from "@loopx/decision-context";
import { loadProfile } from "../../decision-context/load-profile.ts";
import { renderActivation } from "../../decision-context/render-activation.ts";
import { SOURCE_ADAPTER_NAMES } from "../../decision-context/source-adapter-names.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Says whether an agent may use decision context. Every status is an answer. */
export const run: CommandHandler<"decision-context inspect-profile"> = ({ flags, ambient }) => {
  const loaded = loadProfile(flags.profile, ambient);
  const { activation } = decideActivation(loaded, { ...flags, adapters: SOURCE_ADAPTER_NAMES });
  return {
    packet: { ...activation, ...(loaded.kind === "invalid" ? { problems: loaded.problems } : {}) },
    text: (style) => renderActivation(activation, loaded, style),
  };
};
