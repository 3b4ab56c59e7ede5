import { anyText, instant, integer, listOf, oneOf, orNull, shape } from "../events/column-rule.ts";
import type { EntityTable } from "../events/entity-table.ts";
import { GATE_KINDS, type Gate } from "./gate.ts";

const IS_DECISION = oneOf([null, "approved", "rejected", "deferred"]);

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

/** One target of a gate, as `gate_targets` holds it. */
interface GateTarget {
  readonly goal_id: string;
  readonly gate_id: string;
  readonly target: string;
  readonly kind: Gate["kind"];
  readonly decision: Gate["decision"];
  readonly ask_again_at: Gate["ask_again_at"];
  readonly priority: number;
  readonly position: number;
}

export const GATE_TARGETS: EntityTable<GateTarget> = {
  name: "gate_targets",
  key: ["goal_id", "gate_id", "target"],
  columns: {
    goal_id: anyText,
    gate_id: anyText,
    target: anyText,
    kind: oneOf(GATE_KINDS),
    decision: IS_DECISION,
    ask_again_at: orNull(instant),
    priority: integer(0, 4),
    position: integer(0),
  },
  json: [],
  flags: [],
};
