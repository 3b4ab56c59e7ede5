import { expect, test } from "vitest";
import { toEvidencePacket } from "../../src/evidence/evidence-packet.ts";

test("evidence of nothing has the reference that other readers compute too", () => {
  const name = { goal_id: "g", decision_id: "d", observed_at: "2026-01-01T00:00:00+00:00" };
  const rebase = {
    changed_facts: [],
    recalled_claims: [],
    stale_or_rejected_claims: [],
    conflicts: [],
    semantic_no_change: false,
  };
  expect(toEvidencePacket(name, { rebase, scans: [], recall: null }).packet_ref).toBe(
    "decision-evidence-bbd7b962da6fe8eaf8ee",
  );
});
