import { decideEnable } from "@loopx/extensions";
import { operateInstalled } from "../../extension/operate-installed.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Uses a disabled extension again, once its doctor has verified it. */
export const run: CommandHandler<"extension enable"> = async (input) =>
  operateInstalled(input, { name: "enable", decide: decideEnable, onlyOwnerMay: "enable an extension" });
