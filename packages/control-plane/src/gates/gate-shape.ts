import { anyText, instant, integer, listOf, oneOf, orNull, shape } from "../events/column-rule.ts";
import { GATE_KINDS, type Gate } from "./gate.ts";

export const IS_DECISION = oneOf([null, "approved", "rejected", "deferred"]);

/** What the code that reads a stored gate relies on. */
export const IS_GATE = shape<Gate>(
  {
    kind: oneOf(GATE_KINDS),
    blocks: listOf(anyText),
    decision: IS_DECISION,
    decided_by: orNull(anyText),
    decided_at: orNull(instant),
    ask_again_at: orNull(instant),
    proposed_objective: orNull(anyText),
    base_revision: orNull(integer(1)),
  },
  ["base_revision"],
);
