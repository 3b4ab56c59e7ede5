import { fromRefusal } from "@loopx/contracts";
import { checkOwner, type Actor } from "@loopx/control-plane";
import { carryOutOperation, previewOperation, type ExtensionOperation, type OperationResult } from "@loopx/extensions";
import type { CommandInput } from "../commands/command-handler.ts";
import { identifyCaller } from "../project/identify-caller.ts";
import { withHomeToRead, withHomeToWrite } from "../project/open-home.ts";

export type OperationName = "install" | "upgrade" | "enable" | "disable" | "rollback" | "doctor" | "remove";

type Input = Omit<CommandInput<`extension ${OperationName}`>, "flags"> & {
  readonly flags: { readonly execute: boolean; readonly ownerTokenFile?: string };
};

/** What a caller must be to carry an operation out: the end of "only an owner may …", or nothing. */
export interface OperationAuthority {
  readonly onlyOwnerMay?: string;
  /** An operation that depends on who calls. */
  readonly forActor?: (operation: ExtensionOperation, actor: Actor) => ExtensionOperation;
}

/** Previews an operation, or carries it out with `--execute`. A preview opens the home for reading, where there is one. */
export async function operate(
  input: Input,
  operation: ExtensionOperation,
  { onlyOwnerMay, forActor }: OperationAuthority,
): Promise<OperationResult> {
  const { ambient, facts, flags } = input;
  const preview = await withHomeToRead(ambient, (home) => previewOperation(home, operation));
  if (!flags.execute) return preview;
  const { actor } = await identifyCaller({ ambient, facts }, flags);
  const refused = onlyOwnerMay === undefined ? undefined : checkOwner(actor, onlyOwnerMay);
  if (refused !== undefined) throw fromRefusal(refused);
  if (!preview.wouldChange) return preview;
  const abort = new AbortController();
  input.onInterrupt(() => abort.abort());
  const world = { environment: ambient.env, signal: abort.signal, now: () => ambient.now() };
  return withHomeToWrite(ambient, (home) => carryOutOperation(home, forActor?.(operation, actor) ?? operation, world));
}
