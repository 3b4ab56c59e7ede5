import { decideRollback } from "@loopx/extensions";
import { printCommand } from "../../command-line/print-command.ts";
import { parseExtensionId } from "../../extension/extension-id.ts";
import { answerOperation } from "../../extension/operation-answer.ts";
import { operate } from "../../extension/operate.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Goes back to the revision before, once its doctor has verified that. */
export const run: CommandHandler<"extension rollback"> = async (input) => {
  const { flags } = input;
  const extensionId = parseExtensionId(input.positionals);
  const operation = {
    extensionId,
    decide: (state: Parameters<typeof decideRollback>[0]) => decideRollback(state, extensionId),
  };
  const result = await operate(input, operation, { onlyOwnerMay: "roll an extension back" });
  const isPreview = !flags.execute && result.wouldChange;
  const next = isPreview
    ? printCommand("extension rollback", { execute: true }, { positionals: [extensionId] })
    : printCommand("extension list", {});
  return answerOperation(result, {
    name: "rollback",
    extensionId,
    isExecuted: flags.execute,
    next: [next.shell],
    isOwnersNext: isPreview,
  });
};
