import type { ExtensionOperation } from "@loopx/extensions";
import { printCommand } from "../command-line/print-command.ts";
import type { CommandInput } from "../commands/command-handler.ts";
import type { CommandResult } from "../output/command-result.ts";
import { parseExtensionId } from "./extension-id.ts";
import { answerOperation } from "./operation-answer.ts";
import { operate } from "./operate.ts";

/** One operation on an extension that is named by its id. */
export interface InstalledOperation<Name extends "enable" | "disable" | "rollback" | "remove"> {
  readonly name: Name;
  readonly decide: (
    state: Parameters<ExtensionOperation["decide"]>[0],
    extensionId: string,
  ) => ReturnType<ExtensionOperation["decide"]>;
  /** The end of "only an owner may …"; anybody may where it is left out. */
  readonly onlyOwnerMay?: string;
}

/** Previews or carries out an operation, and answers with what comes next: to execute it, or to look at the list. */
export async function operateInstalled<Name extends "enable" | "disable" | "rollback" | "remove">(
  input: CommandInput<`extension ${Name}`> & {
    readonly flags: { readonly execute: boolean; readonly ownerTokenFile?: string };
  },
  { name, decide, onlyOwnerMay }: InstalledOperation<Name>,
): Promise<CommandResult> {
  const extensionId = parseExtensionId(input.positionals);
  const isExecuted = input.flags.execute;
  const operation: ExtensionOperation = { extensionId, decide: (state) => decide(state, extensionId) };
  const result = await operate(input, operation, onlyOwnerMay === undefined ? {} : { onlyOwnerMay });
  const isPreview = !isExecuted && result.wouldChange;
  const next = isPreview
    ? printCommand(`extension ${name as "enable"}`, { execute: true }, { positionals: [extensionId] })
    : printCommand("extension list", {});
  return answerOperation(result, {
    name,
    extensionId,
    isExecuted,
    next: [next.shell],
    isOwnersNext: isPreview && onlyOwnerMay !== undefined,
  });
}
