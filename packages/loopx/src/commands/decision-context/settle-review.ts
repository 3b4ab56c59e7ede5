import { parseDecisionId, parseReviewWords, settleReview, type Settlement } from "@loopx/decision-context";
import { printCommand } from "../../command-line/print-command.ts";
import { loadProfile } from "../../decision-context/load-profile.ts";
import { createReviewPorts } from "../../decision-context/review-ports.ts";
import type { TextStyle } from "../../output/text-style.ts";
import { joinLines, renderFacts, renderNext, renderQuantity } from "../../packets/render-facts.ts";
import { unwrap } from "../../packets/unwrap.ts";
import { identifyCaller } from "../../project/identify-caller.ts";
import { withProject } from "../../project/resolve-project.ts";
import type { CommandHandler, CommandInput } from "../command-handler.ts";

type Flags = CommandInput<"decision-context settle-review">["flags"];

/** Settles what an owner decided, or that nothing changed: event and cursors in one transaction. */
export const run: CommandHandler<"decision-context settle-review"> = async (input) => {
  const { flags, ambient, facts } = input;
  const { goalId, agentId, execute: isExecuted } = flags;
  const decisionId = parseDecisionId(flags.decisionId);
  const words = parseReviewWords({ ...flags, actorRef: flags.actorRef ?? agentId });
  const profile = loadProfile(flags.profile, ambient);
  const caller = await identifyCaller({ ambient, facts }, flags);
  const request = { goalId, decisionId, words, profile, isExecuted };
  return withProject({ ...input, goalId }, isExecuted ? "write" : "read", async ({ database }) => {
    const ports = createReviewPorts(caller, ambient);
    const settlement = unwrap(
      isExecuted
        ? await database.write((tx) => settleReview(tx, request, ports))
        : await database.read((tx) => settleReview(tx, request, ports)),
    );
    const next = listNext(settlement, flags);
    return { packet: { ...settlement, next }, text: (style) => renderSettlement(settlement, next, style) };
  });
};

function renderSettlement(settlement: Settlement, next: readonly string[], style: TextStyle): string {
  const { cursor_commit: commit, disposition } = settlement;
  const moved = commit?.sources.filter(({ status }) => status === "advanced").length ?? 0;
  return joinLines(
    `${style.green(disposition)}  ${settlement.executed ? (settlement.changed ? "settled" : "already so") : "preview: nothing was written"}`,
    renderFacts(
      [
        ["decision", settlement.decision_id],
        ["receipt", settlement.review_receipt.packet_ref],
        ["event", settlement.lifecycle_event?.seq?.toString() ?? null],
        ["counts as read", commit === null ? null : renderQuantity(moved, "source")],
      ],
      style,
    ),
    renderNext(next, style),
  );
}

function listNext({ executed, disposition }: Settlement, flags: Flags): readonly string[] {
  if (!executed) return [printCommand("decision-context settle-review", { ...flags, execute: true }).shell];
  if (disposition !== "approve") return [];
  const { goalId, agentId, decisionId } = flags;
  const outcome = { goalId, agentId, decisionId, outcomeJson: "<outcome.json>", execute: true } as const;
  return [printCommand("decision-context record-outcome", outcome).shell];
}
