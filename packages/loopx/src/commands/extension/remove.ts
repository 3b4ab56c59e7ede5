import { decideRemove } from "@loopx/extensions";
import { printCommand } from "../../command-line/print-command.ts";
import { parseExtensionId } from "../../extension/extension-id.ts";
import { answerOperation } from "../../extension/operation-answer.ts";
import { operate } from "../../extension/operate.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Forgets a disabled extension; its files stay where they are. */
export const run: CommandHandler<"extension remove"> = async (input) => {
  const { flags } = input;
  const extensionId = parseExtensionId(input.positionals);
  const operation = {
    extensionId,
    decide: (state: Parameters<typeof decideRemove>[0]) => decideRemove(state, extensionId),
  };
  const result = await operate(input, operation, { onlyOwnerMay: "remove an extension" });
  const isPreview = !flags.execute && result.wouldChange;
  const next = isPreview
    ? printCommand("extension remove", { execute: true }, { positionals: [extensionId] })
    : printCommand("extension list", {});
  return answerOperation(result, {
    name: "remove",
    extensionId,
    isExecuted: flags.execute,
    next: [next.shell],
    isOwnersNext: isPreview,
  });
};
