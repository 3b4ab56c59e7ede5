import { decideRemove } from "@loopx/extensions";
import { operateInstalled } from "../../extension/operate-installed.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Forgets a disabled extension; its files stay where they are. */
export const run: CommandHandler<"extension remove"> = async (input) =>
  operateInstalled(input, { name: "remove", decide: decideRemove, onlyOwnerMay: "remove an extension" });
