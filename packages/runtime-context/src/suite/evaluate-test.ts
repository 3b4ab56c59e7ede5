import type { Refusal } from "@loopx/contracts";
import type { ContextBuild } from "../build/context-build.ts";
import { decideTurn } from "../kernel/decide-turn.ts";
import { indexBuild } from "../kernel/build-index.ts";
import { listIgnoredInputs, type IgnoredInput } from "../kernel/ignored-inputs.ts";
import { planTurn } from "../kernel/plan-turn.ts";
import type { TurnPlan } from "../kernel/turn-plan.ts";
import type { TurnResult } from "../kernel/turn-result.ts";
import type { ContextTest } from "../project/context-project.ts";
import { callProviders } from "../providers/call-providers.ts";
import type { ProviderClock } from "../providers/provider-clock.ts";
import { createFixtureProviderClient } from "../providers/fixture/fixture-provider-client.ts";
import type { ProviderClient, ProviderOutcome } from "../providers/provider-outcome.ts";
import { createStillClock, findTestTime } from "./test-clock.ts";
import { TEST_FENCE } from "./test-fence.ts";

/** A test's turn, carried out. */
export interface Evaluation {
  readonly kind: "evaluated";
  readonly plan: TurnPlan;
  readonly outcomes: ReadonlyMap<string, ProviderOutcome>;
  readonly result: TurnResult;
  readonly ignoredInputs: readonly IgnoredInput[];
}

/** Why there is no turn to look at: the build doesn't know what the test asks for, or a provider has no fixture. */
export type NoEvaluation =
  | { readonly kind: "refused"; readonly refusal: Refusal }
  | { readonly kind: "fixture_missing"; readonly providers: readonly string[] };

/** Where a test's facts come from instead of its fixtures, when somebody asked for that. */
export interface LiveProviders extends ProviderClock {
  readonly clients: ReadonlyMap<string, ProviderClient>;
  readonly turnDeadlineMs: number;
}

/**
 * Carries out the turn of a test on a build by the functions of a live one: plan, providers, decision. The providers are the
 * test's fixtures, time stands still, and equal inputs give equal bytes. A provider that would be asked and has no fixture
 * is named instead: nothing is made up for it.
 */
export async function evaluateTest(
  build: ContextBuild,
  test: ContextTest,
  live: LiveProviders | null = null,
): Promise<Evaluation | NoEvaluation> {
  const { objective, consumer, profile, inputs } = test;
  const request = { objective, consumer, profile, inputs };
  const plan = planTurn(build, request);
  if ("ok" in plan) return { kind: "refused", refusal: plan };
  const missing = live === null ? listUnfixed(plan, test) : [];
  if (missing.length > 0) return { kind: "fixture_missing", providers: missing };
  const clock = live ?? createStillClock(findTestTime(test));
  const now = clock.now();
  const clients = live?.clients ?? createFixtureClients(build, plan, { test, clock });
  const turnDeadlineMs = live?.turnDeadlineMs ?? Infinity;
  const outcomes = await callProviders(plan.lookups, clients, { turnDeadlineMs, clock });
  const result = decideTurn(plan, outcomes, { build, now, fence: TEST_FENCE });
  return { kind: "evaluated", plan, outcomes, result, ignoredInputs: listIgnoredInputs(build, request) };
}

function listUnfixed({ lookups }: TurnPlan, { providers }: ContextTest): readonly string[] {
  return lookups.filter(({ provider }) => !Object.hasOwn(providers, provider)).map(({ provider }) => provider);
}

function createFixtureClients(
  build: ContextBuild,
  { lookups }: TurnPlan,
  { test, clock }: { readonly test: ContextTest; readonly clock: ProviderClock },
): ReadonlyMap<string, ProviderClient> {
  const { providers } = indexBuild(build);
  const clients = new Map<string, ProviderClient>();
  for (const { provider } of lookups) {
    const requirement = providers.get(provider);
    // A plan names no provider that the build lacks.
    if (requirement === undefined) continue;
    clients.set(
      provider,
      createFixtureProviderClient(requirement, () => test.providers[provider], clock),
    );
  }
  return clients;
}
