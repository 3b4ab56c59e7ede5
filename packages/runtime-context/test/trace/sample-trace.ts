import type { Instant } from "@loopx/contracts";
import type { DeploymentBinding } from "../../src/binding/deployment-binding.ts";
import { createKeyRing, type KeyRing } from "../../src/keys/key-ring.ts";
import { parseKeyset, type KeyState } from "../../src/keys/keyset.ts";
import { decideTurn } from "../../src/kernel/decide-turn.ts";
import type { TurnRequest } from "../../src/kernel/turn-plan.ts";
import type { ProviderOutcome } from "../../src/providers/provider-outcome.ts";
import { toTraceSafe, type TraceSafe, type TurnRecord } from "../../src/trace/trace-safe.ts";
import {
  createBuild,
  createItem,
  createOutcome,
  createRequest,
  createRule,
  CUSTOMER,
  FENCE,
  NOW,
  ORDERS,
  planOrThrow,
  POLICY,
  toResults,
} from "../kernel/support-desk.ts";

export const BINDING: DeploymentBinding = {
  contract: "context-binding.v1",
  id: "production",
  revision: "binding-r4",
  providers: {
    "customer-data": {
      type: "http",
      url: "https://crm.example/context",
      secret: { kind: "env", name: "CRM_TOKEN" },
      timeoutMs: 1000,
      maxBytes: 65_536,
      maxItems: 1,
      itemBytes: 65_536,
      allowAddresses: [],
      maxAgeSeconds: null,
      retention: "digest",
    },
  },
  keyset: { kind: "env", name: "KEYSET" },
  audit: "best_effort",
  digest: "sha256:0000000000000000000000000000000000000000000000000000000000000000",
};

export interface RingKey {
  readonly id: string;
  readonly state: KeyState;
  readonly byte: number;
}

export function createRing(
  keys: readonly RingKey[] = [{ id: "key_a", state: "active", byte: 1 }],
  deployment = "production",
): KeyRing {
  const documents = keys.map(({ id, state, byte }) => ({
    id,
    state,
    ...(state === "destroyed" ? {} : { secret: Buffer.alloc(32, byte).toString("base64") }),
  }));
  const keyset = { contract: "context-keyset.v1", id: "keyset_a", keys: documents };
  return createKeyRing(parseKeyset(JSON.stringify(keyset)), deployment);
}

export interface SampleTurn {
  readonly id?: string;
  readonly at?: string;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly request?: Partial<TurnRequest>;
  readonly outcomes?: Readonly<Record<string, ProviderOutcome>>;
}

const BUILD = createBuild({
  layers: [POLICY, CUSTOMER, ORDERS],
  rules: [
    createRule({ layer: POLICY.id, rule: "required", priority: 1 }),
    createRule({ layer: CUSTOMER.id, priority: 2 }),
    createRule({ layer: ORDERS.id, priority: 3 }),
  ],
});

/** A turn at the support desk, for the customer CUST-1042 and the order ORD-7 unless told otherwise. */
export function createTurnRecord(turn: SampleTurn = {}): TurnRecord {
  const plan = planOrThrow(
    BUILD,
    createRequest(turn.inputs ?? { customerId: "CUST-1042", orderId: "ORD-7" }, turn.request),
  );
  const answered = { "customer-data": createOutcome({ items: [createItem()] }), "order-data": createOutcome() };
  const results = toResults(plan, { ...answered, ...turn.outcomes });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a brand has to be given somewhere
  const at = (turn.at ?? NOW) as Instant;
  const result = decideTurn(plan, results, { build: BUILD, now: NOW, fence: FENCE });
  return { id: turn.id ?? "trace-1", at, durationMs: 12.6, build: BUILD, binding: BINDING, plan, results, result };
}

export function createTrace(turn: SampleTurn = {}, ring = createRing()): TraceSafe {
  return toTraceSafe(createTurnRecord(turn), ring);
}
