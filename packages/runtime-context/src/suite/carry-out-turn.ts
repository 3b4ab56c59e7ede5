import type { ContextBuild } from "../build/context-build.ts";
import { decideTurn } from "../kernel/decide-turn.ts";
import { listIgnoredInputs, type IgnoredInput } from "../kernel/ignored-inputs.ts";
import type { TurnPlan } from "../kernel/turn-plan.ts";
import type { TurnResult } from "../kernel/turn-result.ts";
import { callProviders } from "../providers/call-providers.ts";
import type { ProviderClock } from "../providers/provider-clock.ts";
import type { ProviderClient, ProviderOutcome } from "../providers/provider-outcome.ts";
import { TEST_FENCE } from "./test-fence.ts";

/** A turn that nobody's reader gets, carried out. */
export interface Evaluation {
  readonly kind: "evaluated";
  readonly plan: TurnPlan;
  readonly outcomes: ReadonlyMap<string, ProviderOutcome>;
  readonly result: TurnResult;
  readonly ignoredInputs: readonly IgnoredInput[];
}

/** Where a turn's facts come from, and its time. */
export interface FactSource {
  readonly clients: ReadonlyMap<string, ProviderClient>;
  readonly clock: ProviderClock;
  readonly turnDeadlineMs: number;
}

/** Carries out a planned turn by the functions of a live one, without a trace. */
export async function carryOutTurn(
  build: ContextBuild,
  plan: TurnPlan,
  { clients, clock, turnDeadlineMs }: FactSource,
): Promise<Evaluation> {
  const now = clock.now();
  const outcomes = await callProviders(plan.lookups, clients, { turnDeadlineMs, clock });
  const result = decideTurn(plan, outcomes, { build, now, fence: TEST_FENCE });
  return { kind: "evaluated", plan, outcomes, result, ignoredInputs: listIgnoredInputs(build, plan.request) };
}
