import { decideDisable } from "@loopx/extensions";
import { printCommand } from "../../command-line/print-command.ts";
import { parseExtensionId } from "../../extension/extension-id.ts";
import { answerOperation } from "../../extension/operation-answer.ts";
import { operate } from "../../extension/operate.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Takes an extension out of use: anybody may. */
export const run: CommandHandler<"extension disable"> = async (input) => {
  const { flags } = input;
  const extensionId = parseExtensionId(input.positionals);
  const operation = {
    extensionId,
    decide: (state: Parameters<typeof decideDisable>[0]) => decideDisable(state, extensionId),
  };
  const result = await operate(input, operation, {});
  const isPreview = !flags.execute && result.wouldChange;
  const next = isPreview
    ? printCommand("extension disable", { execute: true }, { positionals: [extensionId] })
    : printCommand("extension enable", { execute: true }, { positionals: [extensionId] });
  return answerOperation(result, {
    name: "disable",
    extensionId,
    isExecuted: flags.execute,
    next: [next.shell],
    isOwnersNext: !isPreview,
  });
};
