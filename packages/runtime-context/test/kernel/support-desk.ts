import { digestOf, sha256Hex, type Fence, type Instant } from "@loopx/contracts";
import type { ContextBuild } from "../../src/build/context-build.ts";
import { decideTurn } from "../../src/kernel/decide-turn.ts";
import { planTurn } from "../../src/kernel/plan-turn.ts";
import type { TurnPlan, TurnRequest } from "../../src/kernel/turn-plan.ts";
import type { TurnResult } from "../../src/kernel/turn-result.ts";
import type { Layer, LayerRule, ProviderRequirement } from "../../src/project/context-project.ts";
import type { ProviderItem, ProviderOutcome } from "../../src/providers/provider-outcome.ts";

/** A support desk: a policy in a file, the customer from a CRM, the customer's orders from a database. */

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a brand has to be given somewhere
export const NOW = "2026-11-30T12:00:00.000Z" as Instant;
export const NONCE = "0123456789abcdef01";
export const FENCE: Fence = { nonceOf: () => NONCE };

export function createLayer(parts: Partial<Layer> & Pick<Layer, "id">): Layer {
  return {
    name: `Layer ${parts.id}`,
    bindings: [{ kind: "text", text: `text of ${parts.id}` }],
    objectives: null,
    consumers: null,
    requiresInput: [],
    emptyIs: "empty",
    metadata: [],
    ...parts,
  };
}

export function createRule(parts: Partial<LayerRule> & Pick<LayerRule, "layer">): LayerRule {
  return { rule: "optional", priority: 100, accept: ["CURRENT"], ...parts };
}

export const CUSTOMER_DATA: ProviderRequirement = {
  id: "customer-data",
  name: "Customer data",
  lookup: { input: "customerId", pattern: "^CUST-[0-9]{4}$" },
  maxItems: 2,
};
export const ORDER_DATA: ProviderRequirement = {
  id: "order-data",
  name: "Order data",
  lookup: { input: "orderId", pattern: "^ORD-[0-9]+$" },
  maxItems: 5,
};

export const POLICY = createLayer({
  id: "policy",
  name: "Support policy",
  bindings: [{ kind: "file", path: "policy.md" }],
});
export const CUSTOMER = createLayer({
  id: "customer-profile",
  name: "Customer profile",
  bindings: [{ kind: "provider", provider: "customer-data" }],
  metadata: ["plan"],
});
export const ORDERS = createLayer({
  id: "orders",
  name: "Orders",
  bindings: [{ kind: "provider", provider: "order-data" }],
  objectives: ["resolve-ticket"],
});

export interface BuildParts {
  readonly layers: readonly Layer[];
  readonly rules: readonly LayerRule[];
  readonly bytes?: number;
  readonly tokens?: number;
  readonly providers?: readonly ProviderRequirement[];
  readonly files?: Readonly<Record<string, string>>;
}

export function createBuild(parts: BuildParts): ContextBuild {
  const files = parts.files ?? { "policy.md": "Be kind.\n" };
  const providers = parts.providers ?? [CUSTOMER_DATA, ORDER_DATA];
  const resolved = parts.layers.flatMap((layer) =>
    layer.bindings.flatMap((binding, index) => {
      if (binding.kind !== "file") return [];
      const text = files[binding.path] ?? "";
      const { length } = Buffer.from(text);
      return [
        {
          kind: "FILE" as const,
          layer: layer.id,
          binding: index,
          path: binding.path,
          sha256: sha256Hex(text),
          bytes: length,
        },
      ];
    }),
  );
  const tokens = parts.tokens === undefined ? null : ({ encoding: "o200k", max: parts.tokens } as const);
  const manifest: ContextBuild["manifest"] = {
    contract: "context-build.v1",
    project: { id: "support-desk", version: "1.0.0" },
    objectives: ["resolve-ticket", "write-report"].map((id) => ({ id, name: null })),
    consumers: ["support-agent", "auditor"].map((id) => ({ id, name: null })),
    profiles: [{ id: "default", name: null, layers: parts.rules, budget: { bytes: parts.bytes ?? 10_000, tokens } }],
    layers: parts.layers,
    providers,
    resolved,
    unpinned: [],
  };
  const blobs = new Map(Object.values(files).map((text) => [sha256Hex(text), text]));
  return { digest: digestOf(manifest.project), manifest, blobs };
}

export function createRequest(inputs: Readonly<Record<string, string>>, parts: Partial<TurnRequest> = {}): TurnRequest {
  return { objective: "resolve-ticket", consumer: "support-agent", profile: null, inputs, ...parts };
}

export function createItem(parts: Partial<ProviderItem> = {}): ProviderItem {
  return { id: "CUST-1042", title: null, content: "Account is active.", metadata: {}, updatedAt: null, ...parts };
}

export function createOutcome(parts: Partial<ProviderOutcome> = {}): ProviderOutcome {
  return {
    status: "OK",
    reason: null,
    items: [],
    currentness: "CURRENT",
    revision: null,
    version: null,
    versionSource: null,
    providerType: "http",
    observedAt: NOW,
    durationMs: 3.4,
    attempts: 1,
    ...parts,
  };
}

export function planOrThrow(build: ContextBuild, request: TurnRequest): TurnPlan {
  const plan = planTurn(build, request);
  if ("ok" in plan) throw new Error(plan.message);
  return plan;
}

/** Plans and decides in one go. Outcomes by provider. */
export function runTurn(
  build: ContextBuild,
  request: TurnRequest,
  outcomes: Readonly<Record<string, ProviderOutcome>> = {},
): TurnResult {
  const plan = planOrThrow(build, request);
  return decideTurn(plan, toResults(plan, outcomes), { build, now: NOW, fence: FENCE });
}

export function toResults(
  plan: TurnPlan,
  outcomes: Readonly<Record<string, ProviderOutcome>>,
): ReadonlyMap<string, ProviderOutcome> {
  return new Map(
    plan.lookups.flatMap(({ provider, value }) => {
      const outcome = outcomes[provider];
      return outcome === undefined ? [] : [[`${provider}\n${value}`, outcome]];
    }),
  );
}
