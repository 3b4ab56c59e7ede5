import { isLoopxError, LoopxError } from "@loopx/contracts";
import { decideInstall } from "@loopx/extensions";
import { printCommand } from "../../command-line/print-command.ts";
import { draftFromSource, findBundledNeed } from "../../extension/extension-source.ts";
import { answerOperation } from "../../extension/operation-answer.ts";
import { operate } from "../../extension/operate.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Takes up an extension that its doctor verifies; without `--execute` says what that would be. */
export const run: CommandHandler<"extension install"> = async (input) => {
  const { flags, ambient } = input;
  const draft = await draftFromSource(flags, ambient);
  const { id: extensionId, version } = draft.manifest.provider;
  const operation = {
    extensionId,
    decide: (state: Parameters<typeof decideInstall>[0]) => decideInstall(state, draft),
  };
  const result = await operate(input, operation, { onlyOwnerMay: "install an extension" }).catch((error: unknown) => {
    throw withNeed(error, flags.bundled);
  });
  const { manifest, bundled } = flags;
  const isPreview = !flags.execute && result.wouldChange;
  const next = isPreview
    ? printCommand("extension install", { manifest, bundled, execute: true })
    : printCommand("extension list", {});
  return answerOperation(result, {
    name: "install",
    extensionId,
    isExecuted: flags.execute,
    target: { revision: draft.revision, version },
    next: [next.shell],
    isOwnersNext: isPreview,
  });
};

/** What ships with LoopX is as it should be: what its doctor misses is something else that it needs. */
function withNeed(error: unknown, bundled: string | undefined): unknown {
  const hint = findBundledNeed(bundled);
  if (hint === undefined || !isLoopxError(error) || error.code !== "extension_not_ready") return error;
  const { code, message, details } = error;
  return new LoopxError(code, { message, hint, ...(details === undefined ? {} : { details }), cause: error });
}
