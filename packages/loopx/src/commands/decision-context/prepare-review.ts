import {
  aProposalDraft,
  aRebase,
  findUnsettleable,
  keepPreparedReview,
  NO_REBASE,
  parseDocument,
  toDecisionScope,
  toProposal,
  type PreparedAnswer,
  type PreparedReview,
} from "@loopx/decision-context";
import { LoopxError } from "@loopx/contracts";
import { printCommand } from "../../command-line/print-command.ts";
import { renderAssembly, toAssemblyPacket } from "../../decision-context/assembly-packet.ts";
import { readJsonFile } from "../../decision-context/read-json-file.ts";
import { renderActivation } from "../../decision-context/render-activation.ts";
import { createReviewPorts } from "../../decision-context/review-ports.ts";
import { runAssembly, type RanAssembly } from "../../decision-context/run-assembly.ts";
import { joinLines, OWNER_RUNS_THESE, renderFacts, renderNext } from "../../packets/render-facts.ts";
import { unwrap } from "../../packets/unwrap.ts";
import { identifyCaller } from "../../project/identify-caller.ts";
import { withProject } from "../../project/resolve-project.ts";
import type { CommandHandler, CommandInput } from "../command-handler.ts";

type Input = CommandInput<"decision-context prepare-review">;

/** Assembles evidence with what an agent makes of it, and with `--execute` keeps it for settlement and opens the gate. */
export const run: CommandHandler<"decision-context prepare-review"> = async (input) => {
  const { flags, ambient, facts } = input;
  const rebase = readDocumentOf(aRebase, "rebase", flags.rebaseJson, ambient) ?? NO_REBASE;
  const draft = readDocumentOf(aProposalDraft, "proposal", flags.proposalJson, ambient);
  const caller = await identifyCaller({ ambient, facts }, flags);
  const access = flags.execute ? "write" : "read";
  return withProject({ ...input, goalId: flags.goalId }, access, async (project) => {
    const ran = await runAssembly(input, project, rebase);
    const prepared = toPrepared(ran, draft);
    const open = prepared === null ? undefined : findUnsettleable(prepared);
    if (open === "evidence_incomplete" && draft !== undefined) throw toIncompleteError();
    const mayKeep = prepared !== null && open === undefined && flags.execute;
    const kept = mayKeep
      ? unwrap(
          await project.database.write((tx) => keepPreparedReview(tx, prepared, createReviewPorts(caller, ambient))),
        )
      : null;
    return answer(flags, ran, { prepared, open, kept });
  });
};

/** The document that a flag names; undefined where it names none. */
function readDocumentOf<Value>(
  rule: Parameters<typeof parseDocument<Value>>[0],
  what: string,
  file: string | undefined,
  ambient: Input["ambient"],
): Value | undefined {
  if (file === undefined) return undefined;
  const field = `${what}_json`;
  return parseDocument(rule, { text: readJsonFile(file, field, ambient), field, what: `the ${what}` });
}

function toPrepared(
  { evidence, loaded }: RanAssembly,
  draft: Parameters<typeof toProposal>[2] | undefined,
): PreparedReview | null {
  if (evidence === null || loaded.kind !== "read") return null;
  const { assembly, proposedCursors, expectedCursors } = evidence;
  const { packet_ref } = assembly.evidence_packet;
  return {
    assembly,
    proposal: draft === undefined ? null : toProposal(assembly, packet_ref, draft),
    proposedCursors,
    expectedCursors,
    profileDigest: loaded.digest,
    outcome: null,
  };
}

function toIncompleteError(): LoopxError {
  return new LoopxError("evidence_outdated", {
    message: "a proposal rests on whole evidence: a required source was not read, or a change was not dealt with",
    hint: "run it without --proposal-json to see which, and name each change in --rebase-json",
    details: { reason_code: "evidence_incomplete" },
  });
}

interface Outcome {
  readonly prepared: PreparedReview | null;
  readonly open: string | undefined;
  readonly kept: PreparedAnswer | null;
}

const WHAT_IS_OPEN: Readonly<Record<string, string>> = {
  evidence_incomplete: "a required source was not read, or a change was not dealt with: there is nothing to settle yet",
  proposal_required: "something that matters changed: add --proposal-json for an owner to decide on",
};

function answer(flags: Input["flags"], { activation, loaded, evidence }: RanAssembly, outcome: Outcome) {
  const { prepared, open, kept } = outcome;
  const proposal = prepared?.proposal ?? null;
  const gateId = kept?.gate?.gateTodoId ?? null;
  const next = listNext(flags, outcome);
  return {
    packet: {
      ...toAssemblyPacket(activation, evidence, {
        isRebased: flags.rebaseJson !== undefined,
        isPendingWritten: kept !== null,
      }),
      dry_run: !flags.execute,
      changed: kept?.changed ?? false,
      proposal,
      decision_scope: proposal === null ? null : toDecisionScope(proposal),
      gate_todo_id: gateId,
      ...(open === undefined ? {} : { not_settleable_because: open }),
      next,
    },
    text: (style: Parameters<typeof renderAssembly>[1]) =>
      evidence === null
        ? renderActivation(activation, loaded, style)
        : joinLines(
            renderAssembly(evidence, style),
            renderFacts(
              [
                ["kept", kept === null ? "no: nothing was written" : kept.changed ? "yes" : "yes, already so"],
                ["proposal", proposal?.packet_ref ?? null],
                ["gate", gateId],
                ["open", open === undefined ? null : (WHAT_IS_OPEN[open] ?? open)],
              ],
              style,
            ),
            renderNext(next, style, gateId === null ? "next" : OWNER_RUNS_THESE),
          ),
  };
}

function listNext(flags: Input["flags"], { prepared, open, kept }: Outcome): readonly string[] {
  const { goalId, agentId, decisionId, profile } = flags;
  if (prepared === null) return [];
  if (open !== undefined) return [printMissing(flags, open)];
  if (kept === null) return [printCommand("decision-context prepare-review", { ...flags, execute: true }).shell];
  const gateId = kept.gate?.gateTodoId;
  if (gateId !== undefined && kept.gate?.verdict === null) {
    return [printCommand("gate decide", { goalId, gateId, decision: "<approve|reject|defer>" }).shell];
  }
  const settle = {
    goalId,
    agentId,
    decisionId,
    profile,
    reasonCode: "reviewed",
    summary: "<what was decided>",
    execute: true,
  };
  return [printCommand("decision-context settle-review", settle).shell];
}

/** The same command with the document that is missing; with a rebase that doesn't suffice, a look at what is left. */
function printMissing(flags: Input["flags"], open: string): string {
  const { goalId, agentId, decisionId, profile, rebaseJson } = flags;
  if (open === "evidence_incomplete" && rebaseJson !== undefined) {
    return printCommand("decision-context prepare-evidence", { goalId, agentId, decisionId, profile }).shell;
  }
  const missing =
    open === "evidence_incomplete" ? { rebaseJson: "<rebase.json>" } : { proposalJson: "<proposal.json>" };
  return printCommand("decision-context prepare-review", { ...flags, ...missing }).shell;
}
