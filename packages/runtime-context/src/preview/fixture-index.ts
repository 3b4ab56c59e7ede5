import { toCanonicalJson } from "@loopx/contracts";
import { toLookupKey } from "../kernel/lookup-key.ts";
import type { ContextProject, ProviderFixture } from "../project/context-project.ts";

/** What the tests of a project answer for one lookup. */
export interface IndexedFixture {
  /** Null where tests differ: nobody can say which of them a preview means. */
  readonly fixture: ProviderFixture | null;
  /** Ids of the tests that have one. */
  readonly tests: readonly string[];
}

/**
 * The fixtures of a project's tests by `toLookupKey`: a fixture answers for the value that its test's provider is asked by.
 * Where tests differ, those of the preferred one are taken.
 */
export function indexFixtures(
  { providers, tests }: ContextProject,
  preferred: string | null,
): ReadonlyMap<string, IndexedFixture> {
  const inputs = new Map(providers.map(({ id, lookup }) => [id, lookup.input]));
  const index = new Map<string, IndexedFixture>();
  const taken = new Set<string>();
  for (const test of tests.toSorted((left, right) => Number(right.id === preferred) - Number(left.id === preferred))) {
    for (const [provider, fixture] of Object.entries(test.providers)) {
      const input = inputs.get(provider) ?? "";
      const value = Object.hasOwn(test.inputs, input) ? test.inputs[input] : undefined;
      if (value === undefined || value === "") continue;
      const key = toLookupKey(provider, value);
      if (taken.has(key)) continue;
      if (test.id === preferred) taken.add(key);
      const known = index.get(key);
      index.set(key, known === undefined ? { fixture, tests: [test.id] } : join(known, fixture, test.id));
    }
  }
  return index;
}

function join(known: IndexedFixture, fixture: ProviderFixture, test: string): IndexedFixture {
  const isSame = known.fixture !== null && toCanonicalJson(known.fixture) === toCanonicalJson(fixture);
  return { fixture: isSame ? known.fixture : null, tests: [...known.tests, test] };
}
