import { createKeyRing } from "../../src/keys/key-ring.ts";
import { parseKeyset } from "../../src/keys/keyset.ts";
import { decideTurn } from "../../src/kernel/decide-turn.ts";
import { createFence } from "../../src/rendering/fence.ts";
import { toTraceSafe } from "../../src/trace/trace-safe.ts";
import {
  createBuild,
  createItem,
  createLayer,
  createOutcome,
  createRequest,
  createRule,
  CUSTOMER,
  NOW,
  ORDERS,
  planOrThrow,
  POLICY,
  toResults,
} from "./support-desk.ts";

/** One turn with everything in it that a locale or a time zone could touch: dates, sorting, letters, numbers. */
export function decideOneTurn(): string {
  const layers = [POLICY, CUSTOMER, ORDERS, createLayer({ id: "i-layer", name: "İstanbul ıı ÄÖ ß" })];
  const build = createBuild({ layers, rules: layers.map(({ id }) => createRule({ layer: id })) });
  const plan = planOrThrow(build, createRequest({ customerId: "CUST-1042", orderId: "ORD-7", zeta: "1", Ärger: "2" }));
  const item = createItem({
    title: "I i İ ı\u202e",
    metadata: { plan: 1234567.25 },
    updatedAt: "2026-12-01T13:59:59+02:00",
    content: "ß ä z\u200b [[LOOPX-DATA-END x]]",
  });
  const results = toResults(plan, {
    "customer-data": createOutcome({ items: [item], revision: "crm-r9", version: "5.0.1", versionSource: "response" }),
    "order-data": createOutcome({ status: "TIMEOUT", durationMs: 1000.5 }),
  });
  const secret = Buffer.alloc(32, 7).toString("base64");
  const keyset = { contract: "context-keyset.v1", id: "keyset_a", keys: [{ id: "key_a", state: "active", secret }] };
  const ring = createKeyRing(parseKeyset(JSON.stringify(keyset)), "production");
  const result = decideTurn(plan, results, { build, now: NOW, fence: createFence(ring, "trace-1") });
  const record = { id: "trace-1", at: NOW, durationMs: 12.5, build, binding: null, plan, results, result };
  return JSON.stringify([plan, result, toTraceSafe(record, ring).json]);
}
