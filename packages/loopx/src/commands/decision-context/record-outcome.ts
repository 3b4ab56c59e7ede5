import { anOutcomeDraft, parseDecisionId, parseDocument, recordOutcome } from "@loopx/decision-context";
import { printCommand } from "../../command-line/print-command.ts";
import { readJsonFile } from "../../decision-context/read-json-file.ts";
import { createReviewPorts } from "../../decision-context/review-ports.ts";
import { joinLines, renderFacts, renderNext } from "../../packets/render-facts.ts";
import { unwrap } from "../../packets/unwrap.ts";
import { identifyCaller } from "../../project/identify-caller.ts";
import { withProject } from "../../project/resolve-project.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Records what came of an approved decision, and says in counts what recall had to do with it. */
export const run: CommandHandler<"decision-context record-outcome"> = async (input) => {
  const { flags, ambient, facts } = input;
  const { goalId, execute: isExecuted } = flags;
  const text = readJsonFile(flags.outcomeJson, "outcome_json", ambient);
  const draft = parseDocument(anOutcomeDraft, { text, field: "outcome_json", what: "the outcome" });
  const caller = await identifyCaller({ ambient, facts }, flags);
  const decisionId = parseDecisionId(flags.decisionId);
  const request = { goalId, decisionId, draft, recordedAt: ambient.now(), isExecuted };
  return withProject({ ...input, goalId }, isExecuted ? "write" : "read", async ({ database }) => {
    const { events } = createReviewPorts(caller, ambient);
    const recorded = unwrap(
      isExecuted
        ? await database.write((tx) => recordOutcome(tx, request, events))
        : await database.read((tx) => recordOutcome(tx, request, events)),
    );
    const { outcome, feedback, changed } = recorded;
    const next = isExecuted ? [] : [printCommand("decision-context record-outcome", { ...flags, execute: true }).shell];
    return {
      packet: {
        ok: true,
        schema_version: "loopx_decision_outcome_v1",
        dry_run: !isExecuted,
        changed,
        outcome_receipt: outcome,
        outcome_feedback: feedback,
        next,
      },
      text: (style) =>
        joinLines(
          `${style.bold(outcome.verification_status)}  ${isExecuted ? (changed ? "recorded" : "already so") : "preview: nothing was written"}`,
          renderFacts(
            [
              ["decision", outcome.decision_id],
              ["receipt", outcome.packet_ref],
              ["worth remembering", sayCandidate(feedback.reward_memory_candidate.reasons)],
            ],
            style,
          ),
          renderNext(next, style),
        ),
    };
  });
};

function sayCandidate(reasons: readonly string[]): string {
  return reasons.length === 0 ? "yes, for a person to look at" : `no: ${reasons.join(", ")}`;
}
