import * as fc from "fast-check";
import { expect, test } from "vitest";
import { decideTurn } from "../../src/kernel/decide-turn.ts";
import type { TurnPlan } from "../../src/kernel/turn-plan.ts";
import type { LayerResult, TurnResult } from "../../src/kernel/turn-result.ts";
import { outcome, PROVIDER_IDS, randomTurn, type RandomTurn } from "./random-turn.ts";
import { FENCE, NOW, planOrThrow, toResults } from "./support-desk.ts";

function decide(plan: TurnPlan, { build }: RandomTurn, outcomes: RandomTurn["outcomes"]): TurnResult {
  return decideTurn(plan, toResults(plan, outcomes), { build, now: NOW, fence: FENCE });
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}

function toJudgement({ layer, state, reason, provider, providerStatus, currentness }: LayerResult) {
  return { layer, state, reason, provider, providerStatus, currentness };
}

function isUnknown({ state }: LayerResult): boolean {
  return ["UNKNOWN", "UNAVAILABLE", "STALE"].includes(state);
}

test("what one provider answers changes neither the lookups nor any layer that isn't bound to it", () => {
  let changedCount = 0;
  fc.assert(
    fc.property(randomTurn, fc.nat(), outcome, (turn, pick, otherOutcome) => {
      const plan = deepFreeze(planOrThrow(turn.build, turn.request));
      // One that was asked, where any was.
      const asked = plan.lookups.length === 0 ? PROVIDER_IDS : plan.lookups.map((lookup) => lookup.provider);
      const provider = asked[pick % asked.length]!;
      const before = decide(plan, turn, turn.outcomes);
      const after = decide(plan, turn, { ...turn.outcomes, [provider]: otherOutcome });
      expect(planOrThrow(turn.build, turn.request)).toEqual(plan);
      const bound = new Set(
        plan.layers
          .filter(({ layer }) =>
            layer.bindings.some((binding) => binding.kind === "provider" && binding.provider === provider),
          )
          .map(({ layer }) => layer.id),
      );
      const listUnbound = (result: TurnResult) =>
        result.layers.filter(({ layer }) => !bound.has(layer)).map(toJudgement);
      expect(listUnbound(after)).toEqual(listUnbound(before));
      if (JSON.stringify(before) !== JSON.stringify(after)) changedCount += 1;
    }),
    { numRuns: 500 },
  );
  // The property says something only where the answer mattered at all.
  expect(changedCount).toBeGreaterThan(50);
});

test("every lookup of a plan belongs to a layer in scope that isn't excluded, has its inputs and a matching value", () => {
  let lookupCount = 0;
  fc.assert(
    fc.property(randomTurn, ({ build, request }) => {
      const { lookups, profile } = planOrThrow(build, request);
      const has = (input: string): boolean => (request.inputs[input] ?? "") !== "";
      const matches = (input: string): boolean => /^CUST-[0-9]{4}$/.test(request.inputs[input] ?? "");
      // The rule once more, in the words of the contract.
      const expected = build.manifest.providers.filter((provider) =>
        build.manifest.layers.some((layer) => {
          const bound = layer.bindings.flatMap((each) => (each.kind === "provider" ? [each.provider] : []));
          const inputs = bound.map((id) => build.manifest.providers.find((each) => each.id === id)!.lookup.input);
          return (
            bound.includes(provider.id) &&
            profile.layers.some((rule) => rule.layer === layer.id && rule.rule !== "excluded") &&
            (layer.objectives ?? [request.objective]).includes(request.objective) &&
            (layer.consumers ?? [request.consumer]).includes(request.consumer) &&
            layer.requiresInput.every(has) &&
            inputs.every(matches)
          );
        }),
      );
      expect(lookups.map(({ provider }) => provider).toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
      lookupCount += lookups.length;
    }),
    { numRuns: 500 },
  );
  expect(lookupCount).toBeGreaterThan(100);
});

test("the outcome follows from the layers, blocked turns render nothing, and the budget holds", () => {
  const seen = { READY: 0, DEGRADED: 0, BLOCKED: 0 };
  fc.assert(
    fc.property(randomTurn, (turn) => {
      const result = decide(planOrThrow(turn.build, turn.request), turn, turn.outcomes);
      const { layers, unknowns, blockedBy, rendered, budget } = result;
      seen[result.outcome] += 1;
      const emptyBlocks = new Set(
        turn.build.manifest.layers.filter(({ emptyIs }) => emptyIs === "blocked").map(({ id }) => id),
      );
      const blocking = layers.filter(
        (layer) =>
          layer.rule === "required" &&
          (isUnknown(layer) ||
            (layer.state === "EMPTY" && emptyBlocks.has(layer.layer)) ||
            layer.notSelectedBecause === "BUDGET"),
      );
      expect(blockedBy.map(({ layer }) => layer)).toEqual(blocking.map(({ layer }) => layer));
      expect(unknowns.map(({ layer }) => layer)).toEqual(layers.filter(isUnknown).map(({ layer }) => layer));
      const expected = blocking.length > 0 ? "BLOCKED" : unknowns.length > 0 ? "DEGRADED" : "READY";
      expect(result.outcome).toBe(expected);
      if (expected === "BLOCKED") expect(rendered).toBe("");
      else for (const { says } of unknowns) expect(rendered).toContain(says);
      const sentences =
        unknowns.length === 0
          ? 0
          : Buffer.byteLength(`# Unknown\n${unknowns.map(({ says }) => `- ${says}\n`).join("")}`);
      expect(budget.used).toBe(Buffer.byteLength(rendered));
      expect(budget.used).toBeLessThanOrEqual(Math.max(budget.bytes, sentences));
    }),
    { numRuns: 500 },
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(10);
});

test("the order in which answers arrive doesn't matter", () => {
  fc.assert(
    fc.property(randomTurn, fc.infiniteStream(fc.nat()), (turn, numbers) => {
      const plan = planOrThrow(turn.build, turn.request);
      const facts = { build: turn.build, now: NOW, fence: FENCE };
      const results = toResults(plan, turn.outcomes);
      const shuffled = [...results]
        .map((entry) => ({ entry, at: numbers.next().value ?? 0 }))
        .toSorted((left, right) => left.at - right.at)
        .map(({ entry }) => entry);
      const stranger: [string, RandomTurn["outcomes"][string]] = ["nobody\nasked", turn.outcomes["p0"]!];
      expect(decideTurn(plan, new Map([stranger, ...shuffled]), facts)).toEqual(decideTurn(plan, results, facts));
    }),
    { numRuns: 200 },
  );
});
