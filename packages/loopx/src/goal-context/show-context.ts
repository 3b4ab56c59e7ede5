import { cutText, LIMITS } from "@loopx/contracts";
import { renderContextFrame } from "@loopx/host-commands";
import { printCommand } from "../command-line/print-command.ts";
import type { ShownContext } from "../packets/should-run/decision-body.ts";
import type { FetchedContext } from "./fetch-context.ts";

/** Unknown facts that a packet tells; the rendered text has them all. */
const FACTS_SHOWN = 3;

/** The context beside a decision: what it came to and where its trace is, then the text under the profile's own budget. */
export function showContext({ answer }: FetchedContext, goalId: string): ShownContext {
  const { result, trace, isTraced } = answer;
  const { outcome, budget, rendered } = result;
  const amiss = outcome === "BLOCKED" ? result.blockedBy : result.unknowns;
  const told = amiss.slice(0, FACTS_SHOWN).map(({ layer, reason, says }) => ({
    layer,
    reason,
    says: cutText(says, LIMITS.todoTextShown).text,
  }));
  const named = outcome === "BLOCKED" ? "blocked_by" : "unknowns";
  return {
    packet: {
      profile: trace.profile,
      outcome,
      trace_id: trace.id,
      traced: isTraced,
      ...(told.length === 0 ? {} : { [named]: told }),
      ...(amiss.length > told.length ? { [`more_${named}`]: amiss.length - told.length } : {}),
      ...(rendered === "" ? {} : { bytes: budget.used, budget_bytes: budget.bytes, rendered }),
    },
    facts: [
      ["context", `${outcome} ${trace.profile}, ${trace.id}${isTraced ? "" : " (not kept)"}`],
      ...told.map(({ layer, reason, says }) => [layer, `${says} (${reason})`] as const),
    ],
    next: outcome === "BLOCKED" ? [printCommand("context attached", { goalId }).shell] : [],
    text: rendered === "" ? "" : renderContextFrame(trace.id, rendered),
  };
}
