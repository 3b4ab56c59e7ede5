import { describe, expect, test } from "vitest";
import { verifies } from "../../support/verifies.ts";
import { collectRecall } from "../../../packages/decision-context/src/recall/collect-recall.ts";
import { refuseSync, type ContextProvider } from "../../../packages/decision-context/src/recall/context-provider.ts";
import type { RecallQuestion, Retrieval } from "../../../packages/decision-context/src/recall/retrieval.ts";

const QUESTION: RecallQuestion = {
  namespace: "peer-session",
  scopeRef: "host-session:codex:thread-a",
  query: "what became of the bounded pilot",
  querySummary: "peer task decision",
  maxResults: 2,
  isCapped: false,
  timeoutSeconds: 10,
  observedAt: "2026-12-01T00:00:00.000Z",
};

const RETRIEVAL: Retrieval = {
  provider: "loopx-obelisk",
  namespace: "peer-session",
  status: "completed",
  reason_code: null,
  provider_version: "0.1.0",
  search_performed: true,
  read_performed: true,
  items: [
    {
      resource_ref: "obelisk:codex:thread-a:message-1",
      summary: "Historical Codex task assistant",
      content: "Private peer reasoning remains transient.",
      score: -0.75,
    },
  ],
  latency_ms: 12,
  readiness: null,
  diagnostic: null,
};

function answering(retrieval: Partial<Retrieval>, providerId: string | null = "loopx-obelisk"): ContextProvider {
  return {
    providerId,
    retrieve: async () => ({ ...RETRIEVAL, ...retrieval }),
    sync: (wish) => refuseSync(providerId ?? "context-provider", wish),
  };
}

describe("the public receipt", () => {
  test("keeps summary and score, hashes the reference and leaves query, scope and content out", async () => {
    verifies("advisory.receipt", "advisory.query-is-private", "advisory.content-in-process");
    const { receipt } = await collectRecall(answering({}), QUESTION);
    expect(receipt).toEqual({
      schema_version: "context_provider_retrieval_v0",
      ok: true,
      provider: "loopx-obelisk",
      namespace: "peer-session",
      visibility: "public",
      status: "completed",
      reason_code: null,
      provider_version: "0.1.0",
      query_summary: "peer task decision",
      observed_at: "2026-12-01T00:00:00.000Z",
      search_performed: true,
      read_performed: true,
      requested_limit: 2,
      result_count: 1,
      results: [
        { provider_ref: "provider-508b90a55af8f2c00b2c", summary: "Historical Codex task assistant", score: -0.75 },
      ],
      telemetry: { latency_ms: 12, result_cap_applied: false },
      fail_open: true,
      external_writes_performed: false,
      raw_provider_payload_captured: false,
      raw_content_captured: false,
      credentials_captured: false,
    });
    expect(Object.keys(receipt)).toHaveLength(21);
  });

  test("says that more was asked for than is given", async () => {
    verifies("advisory.max-results");
    const { receipt } = await collectRecall(answering({}), { ...QUESTION, maxResults: 8, isCapped: true });
    expect([receipt.requested_limit, receipt.telemetry.result_cap_applied]).toEqual([8, true]);
  });
});

describe("whatever a provider does, there is an answer", () => {
  test("one that throws", async () => {
    verifies("advisory.compact-errors");
    const provider = { ...answering({}), retrieve: () => Promise.reject(new Error("at /home/someone/secret")) };
    const { receipt, retrieval } = await collectRecall(provider, QUESTION);
    expect(receipt).toMatchObject({
      ok: false,
      provider: "context-provider",
      status: "unavailable",
      reason_code: "provider_retrieval_failed",
      search_performed: false,
      read_performed: false,
    });
    expect(JSON.stringify([receipt, retrieval])).not.toContain("someone");
  });

  test("one that this program does not have", async () => {
    expect((await collectRecall(null, QUESTION)).receipt.reason_code).toBe("provider_retrieval_failed");
  });

  const [item] = RETRIEVAL.items;
  test.each<[string, Partial<Retrieval>]>([
    ["answers for another extension", { provider: "other" }],
    ["answers for another namespace", { namespace: "other" }],
    ["gives more than was asked for", { items: [1, 2, 3].map(() => item as (typeof RETRIEVAL.items)[number]) }],
    [
      "says private content in a summary",
      {
        items: [
          {
            resource_ref: "r",
            score: 1,
            content: "the plan is a bounded pilot",
            summary: "it says: the plan is a bounded pilot",
          },
        ],
      },
    ],
  ])("one that %s", async (_, change) => {
    const { receipt } = await collectRecall(answering(change), QUESTION);
    expect(receipt).toMatchObject({
      reason_code: "provider_contract_invalid",
      provider: "context-provider",
      results: [],
      raw_content_captured: false,
    });
  });

  test("the only ready extension may answer where none was selected", async () => {
    const readiness = {
      schema_version: "loopx_extension_provider_readiness_v0",
      status: "ready",
      extension_id: "loopx-obelisk",
      installed: true,
      enabled: true,
      doctor_verified: true,
      next_action: null,
    } as const;
    const { receipt } = await collectRecall(answering({ readiness }, null), QUESTION);
    expect(receipt).toMatchObject({ ok: true, provider: "loopx-obelisk" });
  });
});

test("a wish to write is answered with read_only_provider", () => {
  verifies("advisory.read-only");
  const wish = { namespace: "peer-session", resourceCount: 3, observedAt: QUESTION.observedAt };
  expect(answering({}).sync(wish)).toMatchObject({
    status: "unavailable",
    reason_code: "read_only_provider",
    write_count: 0,
    requested_count: 3,
  });
});
