import { decideUpgrade } from "@loopx/extensions";
import { printCommand } from "../../command-line/print-command.ts";
import { draftFromSource } from "../../extension/extension-source.ts";
import { answerOperation } from "../../extension/operation-answer.ts";
import { operate } from "../../extension/operate.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Goes to what the manifest says now, once its doctor has verified that; the revision before is kept. */
export const run: CommandHandler<"extension upgrade"> = async (input) => {
  const { flags, ambient } = input;
  const draft = await draftFromSource(flags, ambient);
  const { id: extensionId, version } = draft.manifest.provider;
  const operation = {
    extensionId,
    decide: (state: Parameters<typeof decideUpgrade>[0]) => decideUpgrade(state, draft),
  };
  const result = await operate(input, operation, { onlyOwnerMay: "upgrade an extension" });
  const { manifest, bundled } = flags;
  const isPreview = !flags.execute && result.wouldChange;
  const next = isPreview
    ? printCommand("extension upgrade", { manifest, bundled, execute: true })
    : printCommand("extension list", {});
  return answerOperation(result, {
    name: "upgrade",
    extensionId,
    isExecuted: flags.execute,
    target: { revision: draft.revision, version },
    next: [next.shell],
    isOwnersNext: isPreview,
  });
};
