import type { Instant } from "@loopx/contracts";
import type { DeploymentBinding } from "../binding/deployment-binding.ts";
import type { ContextBuild } from "../build/context-build.ts";
import type { DigestVerdict, KeyRing } from "../keys/key-ring.ts";
import { decideTurn } from "../kernel/decide-turn.ts";
import { createFence } from "../rendering/fence.ts";
import type { ContextTrace } from "../trace/context-trace.ts";
import type { RecordedTurn } from "../trace/recorded-turn.ts";
import { verifyEntry } from "../trace/trace-chain.ts";
import { toTraceSafe } from "../trace/trace-safe.ts";
import { fromTraceJson, parseTraceJson } from "../trace/trace-search.ts";
import { listDifferences } from "./list-differences.ts";
import { planRecordedTurn } from "./plan-recorded-turn.ts";
import { recallOutcomes } from "./recall-outcomes.ts";
import type { LiveDependencyReason, Reproduction } from "./reproduction.ts";

/** What a turn was carried out with, as it is there today. */
export interface ReproductionParts {
  readonly binding: DeploymentBinding;
  readonly ring: KeyRing;
  /** Content whose time is over by now counts as purged, whether or not it is already. */
  readonly now: Instant;
  /** Loads the build with this digest, or undefined where it isn't to be had. */
  findBuild(digest: string): Promise<ContextBuild | undefined>;
}

/**
 * Carries out a recorded turn again: with its build, its keys, its clock and what its providers answered, and compares.
 *
 * EXACT means the same bytes: the rendered text, by its keyed digest, and every part of the trace that a turn decides.
 * DIVERGED means that the same inputs gave something else. Where the inputs can't be had exactly it says why; there are no
 * providers here to ask instead.
 */
export async function reproduceTurn(recorded: RecordedTurn, parts: ReproductionParts): Promise<Reproduction> {
  const { ring, binding } = parts;
  const written = readTrace(recorded, ring);
  if (typeof written === "string") return unavailable(written);
  const build = await parts.findBuild(written.buildDigest);
  if (build?.digest !== written.buildDigest) return unavailable("build_missing");
  const isBound = written.providers.every(({ bindingDigest }) => (bindingDigest ?? binding.digest) === binding.digest);
  if (!isBound) return unavailable("binding_missing");
  const plan = planRecordedTurn(build, written);
  // The build knows the profile and the scope: it is the one that the turn was planned with.
  if ("ok" in plan) return unavailable("trace_altered");
  const results = recallOutcomes({ trace: written, plan, contents: recorded.contents, ring, now: parts.now });
  if ("reason" in results) return unavailable(results.reason, results.provider);
  const ringThen = ring.under(written.keyId);
  const fence = createFence(ringThen, written.id);
  const result = decideTurn(plan, results.outcomes, { build, now: written.at, fence });
  const { id, at, durationMs } = written;
  const again = { id, at, durationMs, build, binding, plan, results: results.outcomes, result };
  const { trace, json } = toTraceSafe(again, ringThen, written.providers);
  // The same text is the same in every part; a later version may have traces that say more.
  const differences = json === recorded.entry.json ? [] : listDifferences(written, trace);
  return differences.length === 0
    ? { verdict: "EXACT", trace: written, result }
    : { verdict: "DIVERGED", trace: written, result, differences };
}

/** The trace, if it is as it was written by this deployment. */
function readTrace({ chain, entry }: RecordedTurn, ring: KeyRing): ContextTrace | LiveDependencyReason {
  const verdict = verifyEntry(ring, chain, entry);
  if (verdict === "match") return fromTraceJson(entry.json);
  return verdict === "mismatch" && isOfOther(entry.json, ring) ? "binding_missing" : toReason(verdict);
}

/** Only a word for it: nobody here can check it. */
function isOfOther(json: string, { deployment }: KeyRing): boolean {
  const said: unknown = parseTraceJson(json)?.deployment;
  return typeof said === "string" && said !== deployment;
}

function toReason(verdict: Exclude<DigestVerdict, "match">): LiveDependencyReason {
  return verdict === "mismatch" ? "trace_altered" : verdict;
}

function unavailable(reason: LiveDependencyReason, provider: string | null = null): Reproduction {
  return { verdict: "LIVE_DEPENDENCY_UNAVAILABLE", reason, provider };
}
