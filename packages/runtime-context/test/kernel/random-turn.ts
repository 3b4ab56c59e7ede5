import * as fc from "fast-check";
import type { ContextBuild } from "../../src/build/context-build.ts";
import type { TurnRequest } from "../../src/kernel/turn-plan.ts";
import type { Layer, LayerBinding, LayerRule } from "../../src/project/context-project.ts";
import { PROVIDER_STATUSES, type ProviderOutcome } from "../../src/providers/provider-outcome.ts";
import { createBuild, createItem, createLayer, createOutcome, createRequest, createRule } from "./support-desk.ts";

/** Projects of up to five providers and twelve layers, requests, and answers for every provider. */

export const PROVIDER_IDS = ["p0", "p1", "p2", "p3", "p4"];
const INPUTS = ["customerId", "orderId", "region"];

export interface RandomTurn {
  readonly build: ContextBuild;
  readonly request: TurnRequest;
  readonly outcomes: Readonly<Record<string, ProviderOutcome>>;
}

const currentness = fc.constantFrom("CURRENT" as const, "STALE" as const, "UNKNOWN" as const);

export const outcome: fc.Arbitrary<ProviderOutcome> = fc
  .record({
    status: fc.oneof(fc.constant("OK" as const), fc.constantFrom(...PROVIDER_STATUSES)),
    currentness: fc.oneof(fc.constant("CURRENT" as const), currentness),
    contents: fc.uniqueArray(fc.string({ unit: "grapheme", maxLength: 80 }), { maxLength: 3 }),
    updatedAt: fc.constantFrom(null, "2026-11-01", "2030-01-01"),
  })
  .map(({ status, currentness: current, contents, updatedAt }) => {
    const items = contents.map((content, index) =>
      createItem({ id: `record-${index}`, title: content, content, updatedAt }),
    );
    return createOutcome({ status, currentness: current, items: status === "OK" ? items : [] });
  });

const binding: fc.Arbitrary<LayerBinding> = fc.oneof(
  fc.constantFrom(...PROVIDER_IDS).map((provider) => ({ kind: "provider" as const, provider })),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }).map((text) => ({ kind: "text" as const, text })),
);

function layer(id: string): fc.Arbitrary<Layer> {
  return fc
    .record({
      bindings: fc.array(binding, { minLength: 1, maxLength: 3 }),
      objectives: fc.constantFrom(null, null, ["resolve-ticket"], ["write-report"]),
      consumers: fc.constantFrom(null, null, ["support-agent"], ["auditor"]),
      requiresInput: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.subarray(INPUTS)),
      emptyIs: fc.constantFrom("empty" as const, "blocked" as const),
    })
    .map((parts) => createLayer({ id, ...parts }));
}

function rule(layerId: string): fc.Arbitrary<LayerRule> {
  return fc
    .record({
      rule: fc.constantFrom("required" as const, "optional" as const, "optional" as const, "excluded" as const),
      priority: fc.nat(4),
      accept: fc.uniqueArray(currentness, { minLength: 1 }),
    })
    .map((parts) => createRule({ layer: layerId, ...parts }));
}

const inputs = fc
  .record(
    {
      customerId: fc.constantFrom("CUST-1042", "CUST-1042", "CUST-1043", "", "not a value"),
      orderId: fc.constantFrom("CUST-0007", "CUST-0008", ""),
      region: fc.constantFrom("CUST-9000", "eu"),
    },
    { requiredKeys: [] },
  )
  .map((given) => Object.fromEntries(Object.entries(given)));

export const randomTurn: fc.Arbitrary<RandomTurn> = fc.integer({ min: 1, max: 12 }).chain((count) => {
  const ids = Array.from({ length: count }, (_, index) => `layer-${index}`);
  return fc
    .record({
      layers: fc.tuple(...ids.map(layer)),
      rules: fc.tuple(...ids.map(rule)),
      lookups: fc.tuple(...PROVIDER_IDS.map(() => fc.constantFrom(...INPUTS))),
      given: inputs,
      bytes: fc.constantFrom(60, 400, 2000, 100_000),
      outcomes: fc.tuple(...PROVIDER_IDS.map(() => outcome)),
    })
    .map(({ layers, rules, lookups, given, bytes, outcomes }) => ({
      build: createBuild({
        layers,
        rules,
        bytes,
        providers: PROVIDER_IDS.map((id, index) => ({
          id,
          name: `Provider ${id}`,
          lookup: { input: lookups[index] ?? "region", pattern: "^CUST-[0-9]{4}$" },
          maxItems: 3,
        })),
      }),
      request: createRequest(given),
      outcomes: Object.fromEntries(PROVIDER_IDS.map((id, index) => [id, outcomes[index]!])),
    }));
});
