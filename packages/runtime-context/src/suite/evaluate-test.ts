import type { Refusal } from "@loopx/contracts";
import type { ContextBuild } from "../build/context-build.ts";
import { planTurn } from "../kernel/plan-turn.ts";
import type { TurnPlan } from "../kernel/turn-plan.ts";
import type { ContextTest } from "../project/context-project.ts";
import { carryOutTurn, type Evaluation, type FactSource } from "./carry-out-turn.ts";
import { createFixtureClients } from "./fixture-clients.ts";
import { createStillClock, findTestTime } from "./test-clock.ts";

/** Why there is no turn to look at: the build doesn't know what the test asks for, or a provider has no fixture. */
export type NoEvaluation =
  | { readonly kind: "refused"; readonly refusal: Refusal }
  | { readonly kind: "fixture_missing"; readonly providers: readonly string[] };

/**
 * Carries out the turn of a test on a build. The providers are the test's fixtures, time stands still, and equal inputs give
 * equal bytes; a provider that would be asked and has no fixture is named instead: nothing is made up for it. With `live`
 * the fixtures have no part in it.
 */
export async function evaluateTest(
  build: ContextBuild,
  test: ContextTest,
  live?: FactSource,
): Promise<Evaluation | NoEvaluation> {
  const { objective, consumer, profile, inputs } = test;
  const plan = planTurn(build, { objective, consumer, profile, inputs });
  if ("ok" in plan) return { kind: "refused", refusal: plan };
  if (live !== undefined) return carryOutTurn(build, plan, live);
  const missing = listUnfixed(plan, test);
  if (missing.length > 0) return { kind: "fixture_missing", providers: missing };
  const clock = createStillClock(findTestTime(test));
  const clients = createFixtureClients(build, plan, { find: ({ provider }) => test.providers[provider], clock });
  return carryOutTurn(build, plan, { clients, clock, turnDeadlineMs: Infinity });
}

function listUnfixed({ lookups }: TurnPlan, { providers }: ContextTest): readonly string[] {
  return lookups.filter(({ provider }) => !Object.hasOwn(providers, provider)).map(({ provider }) => provider);
}
