import type { Problem } from "../documents/field-rule.ts";
import { toChangeRef, toRevisionRef } from "../fingerprints/references.ts";
import type { CollectedRecall } from "../recall/collect-recall.ts";
import type { SourceScan } from "../sources/source-scan.ts";
import { matchesAuthority } from "./matches-authority.ts";
import type { Rebase } from "./rebase.ts";

/** What an assembly has read: the only ground that a record may stand on. */
export interface Grounds {
  readonly scans: readonly SourceScan[];
  readonly recall: CollectedRecall | null;
}

/**
 * What in a rebase has no ground in this assembly. A fact names a revision that was read exactly; a recalled claim names an
 * item of this recall, and an authority that says the same text: recall alone is no evidence.
 */
export function findUngrounded(rebase: Rebase, { scans, recall }: Grounds): readonly Problem[] {
  const texts = listExactTexts(scans);
  const recalled = listRecalled(recall);
  const problems: Problem[] = [];
  for (const [index, fact] of rebase.changed_facts.entries()) {
    if (texts.has(toKey(fact.source_ref, fact.source_revision))) continue;
    const message = "names no source_ref with this source_revision that was read exactly in this assembly";
    problems.push({ pointer: `/changed_facts/${index}/source_ref`, message });
  }
  for (const [index, claim] of rebase.recalled_claims.entries()) {
    const pointer = `/recalled_claims/${index}`;
    const authority = texts.get(toKey(claim.source_ref, claim.source_revision));
    const content = recalled.get(claim.provider_ref);
    if (content === undefined) {
      problems.push({ pointer: `${pointer}/provider_ref`, message: "names no item of this recall" });
    } else if (authority === undefined) {
      const message = "names no source_ref with this source_revision that was read exactly in this assembly";
      problems.push({ pointer: `${pointer}/source_ref`, message });
    } else if (!matchesAuthority(content, authority)) {
      const message = "is not what the authority says; put it among stale_or_rejected_claims";
      problems.push({ pointer: `${pointer}/exact_read_verified`, message });
    }
  }
  return problems;
}

function toKey(sourceRef: string, revision: string | null): string {
  return `${sourceRef}\n${revision ?? ""}`;
}

function listExactTexts(scans: readonly SourceScan[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { source, changes } of scans) {
    for (const { item, content } of changes) {
      if (content === null) continue;
      const revision = toRevisionRef(source, item.resource_ref, item.revision);
      texts.set(toKey(toChangeRef(source, item.resource_ref), revision), content);
    }
  }
  return texts;
}

function listRecalled(recall: CollectedRecall | null): ReadonlyMap<string, string> {
  const results = recall?.receipt.results ?? [];
  return new Map(
    results.map(({ provider_ref }, index) => [provider_ref, recall?.retrieval.items[index]?.content ?? ""]),
  );
}
