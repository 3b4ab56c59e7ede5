import { renderDidYouMean } from "@loopx/contracts";
import type { ContextBuild } from "../build/context-build.ts";
import { quoteName } from "../project/document/finding.ts";
import { indexBuild } from "./build-index.ts";
import type { TurnRequest } from "./turn-plan.ts";

/** A given input that has no part in the turn. */
export interface IgnoredInput {
  readonly input: string;
  /** A sentence for people. */
  readonly says: string;
}

/**
 * The given inputs that no layer or provider of the build asks for, in the order given.
 *
 * They are no fault: one caller may serve several builds, old and new. But a mistyped name would only show in what is unknown.
 */
export function listIgnoredInputs(build: ContextBuild, { inputs }: TurnRequest): readonly IgnoredInput[] {
  const declared = indexBuild(build).inputs;
  const ignored = Object.keys(inputs).filter((input) => !declared.has(input));
  return ignored.map((input, index) => ({ input, says: explain(input, declared, index < MOST_COMPARED) }));
}

/** Comparing two names takes up to thousands of steps, and a request may have 32 of them: no request may hold up others. */
const MOST_COMPARED = 4;
const MOST_CANDIDATES = 32;
const MOST_SHOWN = 8;

function explain(input: string, declared: ReadonlySet<string>, isCompared: boolean): string {
  const says = `no layer or provider asks for the input ${quoteName(input)}`;
  const meant = isCompared && declared.size <= MOST_CANDIDATES ? renderDidYouMean(input, declared) : "";
  return meant === "" ? `${says}; the build takes ${listShown(declared)}` : `${says}${meant}`;
}

function listShown(declared: ReadonlySet<string>): string {
  if (declared.size === 0) return "none";
  const shown = [...declared].slice(0, MOST_SHOWN).toSorted().join(", ");
  return declared.size > MOST_SHOWN ? `${shown} and ${declared.size - MOST_SHOWN} more` : shown;
}
