import { fromRefusal } from "@loopx/contracts";
import {
  parseHostMessage,
  renderHandoff,
  renderUnknownHelp,
  type CommandPrefix,
  type HandoffPacket,
  type HostHelpPacket,
  type HostSetupPacket,
} from "@loopx/host-commands";
import { printForHosts } from "../command-line/print-for-hosts.ts";
import { loadHandoffFacts, type HandoffQuery } from "./load-handoff-facts.ts";

/** What a visible message is answered with. */
export type HostAnswer =
  | { readonly kind: "ordinary" }
  | { readonly kind: "handoff"; readonly packet: HandoffPacket | HostSetupPacket }
  | { readonly kind: "help"; readonly packet: HostHelpPacket };

/**
 * Parses a message and renders its handoff, setup or help packet: what `host-parse` prints and hooks pass on.
 *
 * Refuses a text that can't be handed over with `text_not_storable`, `text_too_long`, `invalid_value`,
 * `credential_refused`. Reads the project only for a command.
 */
export async function answerHostMessage(
  message: string,
  prefixes: readonly CommandPrefix[],
  query: HandoffQuery,
): Promise<HostAnswer> {
  const parsed = parseHostMessage(message, prefixes);
  switch (parsed.kind) {
    case "ordinary":
      return { kind: "ordinary" };
    case "unknown":
      return { kind: "help", packet: renderUnknownHelp() };
    case "refused":
      throw fromRefusal(parsed.refusal);
    case "command":
      return { kind: "handoff", packet: renderHandoff(parsed, await loadHandoffFacts(query), printForHosts) };
    default:
      throw new TypeError(`no answer to ${JSON.stringify(parsed satisfies never)}`);
  }
}
