import { LoopxError, neutraliseForTerminal } from "@loopx/contracts";
import { parseAskedRecall, recallOnce, renderRecalledItems, type EphemeralRecall } from "@loopx/decision-context";
import { parseSessionLocator } from "@loopx/host-commands";
import { createAdvisoryRuntime } from "../../decision-context/advisory-runtime.ts";
import { ACTIVATION_MEANINGS } from "../../decision-context/render-activation.ts";
import { loadProfile } from "../../decision-context/load-profile.ts";
import { SOURCE_ADAPTER_NAMES } from "../../decision-context/source-adapter-names.ts";
import { printCommand } from "../../command-line/print-command.ts";
import type { TextStyle } from "../../output/text-style.ts";
import { joinLines, renderFacts, renderNext, renderQuantity } from "../../packets/render-facts.ts";
import type { CommandHandler, CommandInput } from "../command-handler.ts";

type Input = CommandInput<"decision-context recall-context">;

/** Recalls once for the current agent. Each outcome is an answer; only a malformed call is refused. */
export const run: CommandHandler<"decision-context recall-context"> = async (input) => {
  const { flags, globals, ambient, note } = input;
  const asked = parseAskedRecall({
    scopeRef: findScope(flags),
    query: flags.query,
    querySummary: flags.querySummary ?? "one-off recall",
    maxResults: flags.maxResults,
    timeoutSeconds: parseTimeout(flags.timeoutSeconds),
    observedAt: flags.observedAt ?? ambient.now(),
  });
  const { packet, diagnostic } = await recallOnce(
    { goalId: flags.goalId, agentId: flags.agentId, asked },
    {
      loadProfile: () => loadProfile(flags.profile, ambient),
      adapters: SOURCE_ADAPTER_NAMES,
      runtime: createAdvisoryRuntime(ambient, input.onInterrupt),
    },
  );
  if (globals.verbose && diagnostic !== null) note(neutraliseForTerminal(`recall: ${diagnostic}`));
  const nonceOf = (): string => ambient.newId("recall").replace("_", "-");
  return {
    packet,
    text: (style) =>
      joinLines(
        renderHead(packet, style),
        renderRecalledItems(packet, asked.query, { nonceOf }),
        renderNext(listNext(packet, flags), style),
      ),
  };
};

/** A link is parsed here and never handed on: a provider gets a scope that no host's syntax is in. */
function findScope({ threadLink, contextScopeRef }: Input["flags"]): string {
  return threadLink === undefined ? (contextScopeRef ?? "") : parseSessionLocator(threadLink).context_scope_ref;
}

function parseTimeout(written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  if (/^\d{1,4}(?:\.\d{1,6})?$/.test(written)) return Number(written);
  throw new LoopxError("invalid_value", {
    message: "--timeout-seconds takes a number from 1 to 120",
    details: { field: "timeout_seconds" },
  });
}

function renderHead(packet: EphemeralRecall, style: TextStyle): string {
  const status = packet.ok ? style.green(packet.status) : style.yellow(packet.status);
  return joinLines(
    `${status}  ${packet.ok ? renderQuantity(packet.result_count, "item") : (packet.reason_code ?? ACTIVATION_MEANINGS[packet.activation.status])}`,
    renderFacts(
      [
        [
          packet.ok ? "recalled by" : "asked",
          packet.provider === null ? null : `${packet.provider} ${packet.provider_version ?? ""}`.trim(),
        ],
        ["why", packet.provider_readiness?.next_action === "select_extension_id" ? SEVERAL_READY : null],
        ["asked about", packet.query_summary],
        ["at most", packet.requested_limit === 0 ? null : renderQuantity(packet.requested_limit, "item")],
      ],
      style,
    ),
    packet.result_count === 0
      ? ""
      : style.dim("advice from the past, kept nowhere: check it against what is true now before you use it"),
  );
}

const SEVERAL_READY =
  "several extensions could answer: name one in the profile, as context_provider.config.extension_id";

/** What mends an answer that is none. */
function listNext(packet: EphemeralRecall, { goalId, agentId, profile }: Input["flags"]): readonly string[] {
  if (packet.ok) return [];
  const { next_action: action = null, extension_id: extensionId = null } = packet.provider_readiness ?? {};
  const extras = { positionals: extensionId === null ? [] : [extensionId] };
  switch (action) {
    case "install_or_select_extension":
      return [printCommand("extension install", { bundled: "session-history", execute: true }).shell];
    case "enable_extension":
      return [printCommand("extension enable", { execute: true }, extras).shell];
    case "run_extension_doctor":
      return [printCommand("extension doctor", { execute: true }, extras).shell];
    case "install_extension":
    case "install_compatible_extension":
    case "select_extension_id":
    case "select_or_repair_extension":
      return [printCommand("extension list", {}).shell];
    case "repair_extension_state":
      return [printCommand("doctor", {}).shell];
    case null:
      break;
    default:
      action satisfies never;
  }
  if (packet.provider_readiness === null) {
    return [printCommand("decision-context inspect-profile", { goalId, agentId, profile }).shell];
  }
  // The profile is in order and its program was verified, so only the program can say more; its own reason needs no look.
  const isItsOwn = packet.provider === extensionId && packet.provider_version !== null;
  return isItsOwn ? [] : [printCommand("extension doctor", { execute: true }, extras).shell];
}
