import type { Refusal } from "@loopx/contracts";
import type { ContextBuild } from "../build/context-build.ts";
import { planTurn } from "../kernel/plan-turn.ts";
import type { LookupValueFault, TurnPlan } from "../kernel/turn-plan.ts";
import type { ContextTrace } from "../trace/context-trace.ts";

/** Stands for each value that the request gave. No trace holds one, and a turn decides by nothing but what came of it. */
const VALUE = "recorded";

/** The plan of a recorded turn: which inputs were given, and which values were refused, is in its trace. */
export function planRecordedTurn(build: ContextBuild, trace: ContextTrace): TurnPlan | Refusal {
  const { objective, consumer, profile, inputs } = trace;
  const faults = new Map(trace.providers.map(({ provider, reason }) => [provider, reason]));
  const values = Object.fromEntries(inputs.map((name) => [name, VALUE]));
  return planTurn(build, { objective, consumer, profile, inputs: values }, ({ id }) => toFault(faults.get(id)));
}

/** A client's own reasons are others. */
function toFault(reason: string | null | undefined): LookupValueFault | undefined {
  return reason === "PATTERN" || reason === "CREDENTIAL" ? reason : undefined;
}
