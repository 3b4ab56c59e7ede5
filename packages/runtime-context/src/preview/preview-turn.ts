import { refuse, renderDidYouMean, type Refusal } from "@loopx/contracts";
import type { ContextBuild } from "../build/context-build.ts";
import { toLookupKey } from "../kernel/lookup-key.ts";
import { planTurn } from "../kernel/plan-turn.ts";
import type { PlannedLookup, TurnRequest } from "../kernel/turn-plan.ts";
import type { ContextProject } from "../project/context-project.ts";
import { quoteName } from "../project/document/finding.ts";
import type { ProviderClock } from "../providers/provider-clock.ts";
import { carryOutTurn, type Evaluation } from "../suite/carry-out-turn.ts";
import { createFixtureClients } from "../suite/fixture-clients.ts";
import { indexFixtures, type IndexedFixture } from "./fixture-index.ts";

/** Where a preview's answer of one provider comes from. */
export interface PreviewSource {
  readonly provider: string;
  /** Null where there is none to take: then the layer is UNAVAILABLE, as when nobody answers. */
  readonly source: "TEST_FIXTURE" | null;
  /** Ids of the tests whose fixture it is, or whose fixtures differ. */
  readonly tests: readonly string[];
  readonly warning: {
    readonly code: "PROVIDER_FIXTURE_MISSING" | "PROVIDER_FIXTURE_AMBIGUOUS";
    readonly says: string;
  } | null;
}

export interface Preview {
  readonly ok: true;
  readonly evaluation: Evaluation;
  readonly sources: readonly PreviewSource[];
}

/** What is previewed. */
export interface Previewed {
  readonly project: ContextProject;
  /** Of this project. */
  readonly build: ContextBuild;
  /** The test whose fixtures are taken where tests differ. */
  readonly preferredTest: string | null;
}

/**
 * What a turn would select and render, with the answers that the project's tests give for the same lookup values. No provider
 * is called. Refuses as a turn does what the build doesn't know, and
 * with `invalid_value` a preferred test that the project doesn't have.
 */
export async function previewTurn(
  { project, build, preferredTest }: Previewed,
  request: TurnRequest,
  clock: ProviderClock,
): Promise<Preview | Refusal> {
  if (preferredTest !== null && !project.tests.some(({ id }) => id === preferredTest)) {
    const near = renderDidYouMean(
      preferredTest,
      project.tests.map(({ id }) => id),
    );
    const message = `the project has no test ${quoteName(preferredTest)}${near}`;
    return refuse("invalid_value", { message, details: { field: "test" } });
  }
  const plan = planTurn(build, request);
  if ("ok" in plan) return plan;
  const index = indexFixtures(project, preferredTest);
  const find = ({ provider, value }: Pick<PlannedLookup, "provider" | "value">): IndexedFixture | undefined =>
    index.get(toLookupKey(provider, value));
  const clients = createFixtureClients(build, plan, { find: (lookup) => find(lookup)?.fixture ?? undefined, clock });
  const evaluation = await carryOutTurn(build, plan, { clients, clock, turnDeadlineMs: Infinity });
  return { ok: true, evaluation, sources: plan.lookups.map((lookup) => toSource(lookup, find(lookup))) };
}

function toSource({ provider, input }: PlannedLookup, found: IndexedFixture | undefined): PreviewSource {
  if (found === undefined) {
    const says = `no test has a fixture of ${provider} for this ${input}: add one to see its facts here`;
    return { provider, source: null, tests: [], warning: { code: "PROVIDER_FIXTURE_MISSING", says } };
  }
  const { fixture, tests } = found;
  if (fixture !== null) return { provider, source: "TEST_FIXTURE", tests, warning: null };
  const says = `the tests ${tests.join(", ")} have different fixtures of ${provider} for this ${input}: none is taken; name one of them with --test`;
  return { provider, source: null, tests, warning: { code: "PROVIDER_FIXTURE_AMBIGUOUS", says } };
}
