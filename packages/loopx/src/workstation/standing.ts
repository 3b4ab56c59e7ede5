import type { CommandInput } from "../commands/command-handler.ts";
import { identifyCaller } from "../project/identify-caller.ts";

/** Whether who started the server is an owner, and so whoever looks at its page. */
export type Standing = { readonly mayDecide: true } | { readonly mayDecide: false; readonly whyNot: string };

/**
 * Decided once, when the server starts, exactly as the command line decides it: a terminal without a host's marker, or an
 * owner token. Refuses with `gate_needs_owner` a token that shows nothing.
 */
export async function decideStanding(
  world: Pick<CommandInput<"workstation">, "ambient" | "facts">,
  ownerTokenFile: string | undefined,
): Promise<Standing> {
  const { actor } = await identifyCaller(world, { ownerTokenFile });
  if (actor.kind === "owner") return { mayDecide: true };
  const who = actor.kind === "process" && actor.host !== undefined ? `an agent of ${actor.host}` : "no owner";
  return {
    mayDecide: false,
    whyNot:
      `This Workstation was started by ${who}, so it shows everything and decides nothing. ` +
      "To decide, start one at your own terminal: loopx workstation",
  };
}
