import { decideDisable } from "@loopx/extensions";
import { operateInstalled } from "../../extension/operate-installed.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Takes an extension out of use: anybody may. */
export const run: CommandHandler<"extension disable"> = async (input) =>
  operateInstalled(input, { name: "disable", decide: decideDisable });
