import type { ProviderReadiness } from "@loopx/extensions";
import {
  decideActivation,
  isExtensionProvider,
  type Activation,
  type LoadedProfile,
} from "../activation/activation.ts";
import { createAdvisoryExtension, type AdvisoryRuntime } from "./advisory-extension.ts";
import { collectRecall, type CollectedRecall } from "./collect-recall.ts";
import { fitContents } from "./fit-contents.ts";
import { toRecallQuestion, type CheckedRecall } from "./parse-question.ts";
import type { RetrievalReceipt } from "./retrieval.ts";

/** One recalled item as its asker gets it: advice from elsewhere, never an instruction. */
export interface EphemeralResult {
  readonly provider_ref: string;
  readonly summary: string;
  readonly score: number;
  readonly content: string;
  /** Whether the end was left out so that all items together stay within the budget of bytes. */
  readonly content_truncated: boolean;
  readonly content_trust: "untrusted_advisory";
  readonly content_may_instruct: false;
}

/** The only packet that holds recalled content, `decision_context_ephemeral_recall_v0`: for the current agent, kept nowhere. */
export interface EphemeralRecall {
  readonly schema_version: "decision_context_ephemeral_recall_v0";
  readonly capability_id: "decision_context";
  readonly operation: "ephemeral_recall";
  readonly goal_id: string;
  readonly agent_id: string;
  readonly visibility: "local_private_transient";
  readonly activation: Activation;
  readonly authority: "advisory_only";
  readonly content_trust: "untrusted_advisory";
  readonly content_may_instruct: false;
  readonly source_scan_performed: boolean;
  readonly cursor_state_read: boolean;
  readonly cursor_state_mutated: boolean;
  readonly pending_settlement_written: boolean;
  readonly validated_writeback_required: boolean;
  readonly profile_write_performed: boolean;
  readonly private_locator_persisted: boolean;
  readonly external_writes_performed: boolean;
  readonly raw_provider_payload_captured: boolean;
  readonly raw_content_returned: boolean;
  readonly raw_content_persisted: boolean;
  readonly execution_authorized: boolean;
  readonly durable_promotion_required: true;
  readonly ok: boolean;
  readonly status: string;
  readonly reason_code: string | null;
  readonly provider: string | null;
  readonly provider_version: string | null;
  readonly query_summary: string;
  readonly observed_at: string;
  readonly requested_limit: number;
  readonly result_count: number;
  readonly provider_readiness: ProviderReadiness | null;
  readonly retrieval_receipt: RetrievalReceipt | null;
  readonly results: readonly EphemeralResult[];
}

export interface EphemeralQuery {
  readonly goalId: string;
  readonly agentId: string;
  readonly asked: CheckedRecall;
}

/** What a one-off recall may touch: a profile to read, and extensions to ask. It is given no store and no source. */
export interface EphemeralRecallParts {
  /** Read before and after: a profile that changes meanwhile gates nothing. */
  loadProfile(): LoadedProfile;
  /** Source adapters that this program has: the activation says whether those of the profile are among them. */
  readonly adapters: readonly string[];
  readonly runtime: AdvisoryRuntime;
}

/** The packet, and why it failed, for the person at this machine. */
export interface EphemeralAnswer {
  readonly packet: EphemeralRecall;
  readonly diagnostic: string | null;
}

/**
 * Asks once for advice from past sessions. The profile gates goal, agent, provider, namespace, bounds and timeout; a source
 * adapter that is missing does not stand in the way.
 *
 * Answers in any case and changes nothing: no profile, cursor, settlement or source has a part in it (seed 000).
 */
export async function recallOnce(query: EphemeralQuery, parts: EphemeralRecallParts): Promise<EphemeralAnswer> {
  const before = parts.loadProfile();
  const { activation, profile } = decideActivation(before, { ...query, adapters: parts.adapters });
  const head = { query, activation };
  if (profile === null) return toFailure(head, activation.status, activation.reason_code);
  const settings = profile.context_provider;
  if (settings === null) return toFailure(head, "unavailable", "context_provider_not_configured");
  const question = toRecallQuestion(query.asked, settings);
  const provider = isExtensionProvider(settings)
    ? createAdvisoryExtension(settings.config.extension_id, parts.runtime)
    : null;
  const collected = await collectRecall(provider, question);
  const after = parts.loadProfile();
  const isSame = before.kind === "read" && after.kind === "read" && before.digest === after.digest;
  if (!isSame) return toFailure(head, "unavailable", "profile_changed_during_recall");
  return toAnswer(head, collected, question.maxResults);
}

interface Head {
  readonly query: EphemeralQuery;
  readonly activation: Activation;
}

function toFailure(head: Head, status: string, reason_code: string | null): EphemeralAnswer {
  return { packet: { ...toBase(head), status, reason_code }, diagnostic: null };
}

function toAnswer(head: Head, { retrieval, receipt }: CollectedRecall, limit: number): EphemeralAnswer {
  const contents = fitContents(retrieval.items.map(({ content }) => content));
  const results = receipt.results.map((result, index) => ({
    ...result,
    content: contents[index]?.text ?? "",
    content_truncated: contents[index]?.isTruncated ?? false,
    content_trust: "untrusted_advisory" as const,
    content_may_instruct: false as const,
  }));
  const packet: EphemeralRecall = {
    ...toBase(head),
    raw_provider_payload_captured: receipt.raw_provider_payload_captured,
    raw_content_returned: results.length > 0,
    ok: receipt.ok,
    status: receipt.status,
    reason_code: receipt.reason_code,
    provider: receipt.provider,
    provider_version: receipt.provider_version,
    requested_limit: limit,
    result_count: results.length,
    provider_readiness: retrieval.readiness,
    retrieval_receipt: receipt,
    results,
  };
  return { packet, diagnostic: retrieval.diagnostic };
}

function toBase({ query, activation }: Head): EphemeralRecall {
  const { goalId, agentId, asked } = query;
  return {
    schema_version: "decision_context_ephemeral_recall_v0",
    capability_id: "decision_context",
    operation: "ephemeral_recall",
    goal_id: goalId,
    agent_id: agentId,
    visibility: "local_private_transient",
    activation,
    authority: "advisory_only",
    content_trust: "untrusted_advisory",
    content_may_instruct: false,
    // No source, cursor, settlement or writer is within this function's reach: see EphemeralRecallParts.
    source_scan_performed: false,
    cursor_state_read: false,
    cursor_state_mutated: false,
    pending_settlement_written: false,
    validated_writeback_required: false,
    profile_write_performed: false,
    private_locator_persisted: false,
    external_writes_performed: false,
    raw_provider_payload_captured: false,
    raw_content_returned: false,
    raw_content_persisted: false,
    execution_authorized: false,
    durable_promotion_required: true,
    ok: false,
    status: "unavailable",
    reason_code: null,
    provider: null,
    provider_version: null,
    query_summary: asked.querySummary,
    observed_at: asked.observedAt,
    requested_limit: 0,
    result_count: 0,
    provider_readiness: null,
    retrieval_receipt: null,
    results: [],
  };
}
