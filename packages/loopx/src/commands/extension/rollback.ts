import { decideRollback } from "@loopx/extensions";
import { operateInstalled } from "../../extension/operate-installed.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Goes back to the revision before, once its doctor has verified that. */
export const run: CommandHandler<"extension rollback"> = async (input) =>
  operateInstalled(input, { name: "rollback", decide: decideRollback, onlyOwnerMay: "roll an extension back" });
