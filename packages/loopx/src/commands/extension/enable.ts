import { decideEnable } from "@loopx/extensions";
import { printCommand } from "../../command-line/print-command.ts";
import { parseExtensionId } from "../../extension/extension-id.ts";
import { answerOperation } from "../../extension/operation-answer.ts";
import { operate } from "../../extension/operate.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Uses a disabled extension again, once its doctor has verified it. */
export const run: CommandHandler<"extension enable"> = async (input) => {
  const { flags } = input;
  const extensionId = parseExtensionId(input.positionals);
  const operation = {
    extensionId,
    decide: (state: Parameters<typeof decideEnable>[0]) => decideEnable(state, extensionId),
  };
  const result = await operate(input, operation, { onlyOwnerMay: "enable an extension" });
  const isPreview = !flags.execute && result.wouldChange;
  const next = isPreview
    ? printCommand("extension enable", { execute: true }, { positionals: [extensionId] })
    : printCommand("extension list", {});
  return answerOperation(result, {
    name: "enable",
    extensionId,
    isExecuted: flags.execute,
    next: [next.shell],
    isOwnersNext: isPreview,
  });
};
