import { parseInstant } from "@loopx/contracts";
import {
  aBoolean,
  aNumber,
  anObject,
  listOf,
  oneOf,
  optional,
  orNull,
  report,
  setOf,
  type Rule,
} from "../documents/field-rule.ts";
import { aToken, publicText, RECORD_TEXT_MAX } from "../documents/public-text.ts";

const RECORDS_MAX = 200;
const REFERENCES_MAX = 64;

/** Something in the sources that is new, in the words of whoever read it. */
export interface ChangedFact {
  readonly fact_id: string;
  readonly summary: string;
  readonly source_ref: string;
  readonly source_revision: string | null;
  readonly observed_at: string;
  readonly freshness: string | null;
  readonly authority: string | null;
}

/** Something recalled that an authority says too. */
export interface RecalledClaim {
  readonly claim_id: string;
  readonly summary: string;
  readonly provider_ref: string;
  readonly source_ref: string;
  readonly source_revision: string;
  readonly observed_at: string;
  readonly exact_read_verified: true;
  readonly confidence: number | null;
}

interface RejectedClaim {
  readonly claim_id: string;
  readonly summary: string;
  readonly source_ref: string | null;
  readonly source_revision: string | null;
  readonly observed_at: string;
  readonly reason_code: string;
}

interface Conflict {
  readonly conflict_id: string;
  readonly summary: string;
  readonly source_refs: readonly string[];
  readonly conflict_rule: string;
  readonly status: string;
}

/** What an agent makes of what changed: each change is a fact, a claim, a rejection or a conflict; or none matters. */
export interface Rebase {
  readonly changed_facts: readonly ChangedFact[];
  readonly recalled_claims: readonly RecalledClaim[];
  readonly stale_or_rejected_claims: readonly RejectedClaim[];
  readonly conflicts: readonly Conflict[];
  readonly semantic_no_change: boolean;
}

export const NO_REBASE: Rebase = {
  changed_facts: [],
  recalled_claims: [],
  stale_or_rejected_claims: [],
  conflicts: [],
  semantic_no_change: false,
};

/** A moment with its offset, in UTC. */
export const aTime: Rule<string> = (value, place) => {
  if (value === undefined) return report(place, "is missing");
  try {
    return parseInstant(typeof value === "string" ? value : "", "time");
  } catch {
    return report(place, "must be an RFC 3339 date and time with its offset");
  }
};

export const aSummary = publicText(RECORD_TEXT_MAX);
export const tokenOrNull: Rule<string | null> = optional(orNull(aToken), null);

const LISTS = {
  changed_facts: optional(
    listOf<ChangedFact>(
      anObject({
        fact_id: aToken,
        summary: aSummary,
        source_ref: aToken,
        source_revision: tokenOrNull,
        observed_at: aTime,
        freshness: tokenOrNull,
        authority: tokenOrNull,
      }),
      { max: RECORDS_MAX, uniqueBy: "fact_id" },
    ),
    [],
  ),
  recalled_claims: optional(
    listOf<RecalledClaim>(
      anObject({
        claim_id: aToken,
        summary: aSummary,
        provider_ref: aToken,
        source_ref: aToken,
        source_revision: aToken,
        observed_at: aTime,
        exact_read_verified: oneOf(true),
        confidence: optional(orNull(aNumber(0, 1)), null),
      }),
      { max: RECORDS_MAX, uniqueBy: "claim_id" },
    ),
    [],
  ),
  stale_or_rejected_claims: optional(
    listOf<RejectedClaim>(
      anObject({
        claim_id: aToken,
        summary: aSummary,
        source_ref: tokenOrNull,
        source_revision: tokenOrNull,
        observed_at: aTime,
        reason_code: aToken,
      }),
      { max: RECORDS_MAX, uniqueBy: "claim_id" },
    ),
    [],
  ),
  conflicts: optional(
    listOf<Conflict>(
      anObject({
        conflict_id: aToken,
        summary: aSummary,
        source_refs: setOf(aToken, { min: 1, max: REFERENCES_MAX }),
        conflict_rule: aToken,
        status: aToken,
      }),
      { max: RECORDS_MAX, uniqueBy: "conflict_id" },
    ),
    [],
  ),
  semantic_no_change: optional(aBoolean, false),
};

/** The rule of a rebase document. */
export const aRebase: Rule<Rebase> = (value, place) => {
  const rebase = anObject(LISTS)(value, place);
  if (rebase === undefined || place.problems.length > 0) return undefined;
  if (rebase.semantic_no_change && countRecords(rebase) > 0) {
    return report({ ...place, pointer: "/semantic_no_change" }, "cannot be true beside records");
  }
  return rebase;
};

export function countRecords(rebase: Rebase): number {
  const { changed_facts: facts, recalled_claims: claims, stale_or_rejected_claims: rejected, conflicts } = rebase;
  return facts.length + claims.length + rejected.length + conflicts.length;
}
