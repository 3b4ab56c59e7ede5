import { expect, test } from "vitest";
import { decideTurn } from "../../src/kernel/decide-turn.ts";
import {
  createBuild,
  createItem,
  createLayer,
  createOutcome,
  createRequest,
  createRule,
  FENCE,
  NOW,
  planOrThrow,
  toResults,
} from "./support-desk.ts";

/** A value that counts every look at any member of it, however deep. */
function countLooks<Value extends object>(value: Value, count: () => void): Value {
  return new Proxy(value, {
    get: (target, key, receiver) => {
      count();
      const member: unknown = Reflect.get(target, key, receiver);
      return typeof member === "object" && member !== null ? countLooks(member, count) : member;
    },
  });
}

function countTurnLooks(layerCount: number): number {
  const ids = Array.from({ length: layerCount }, (_, index) => `layer-${index}`);
  const layers = ids.map((id, index) =>
    createLayer({
      id,
      ...(index % 3 === 0 ? { bindings: [{ kind: "provider" as const, provider: "customer-data" }] } : {}),
      ...(index % 5 === 0 ? { objectives: ["write-report"] } : {}),
    }),
  );
  let looks = 0;
  const rules = ids.map((layer, index) => createRule({ layer, priority: (index * 7919) % 1000 }));
  const build = createBuild({
    layers: layers.map((layer) => countLooks(layer, () => (looks += 1))),
    rules: rules.map((rule) => countLooks(rule, () => (looks += 1))),
    bytes: layerCount * 40,
  });
  const request = createRequest({ customerId: "CUST-1042" });
  const runOnce = (): void => {
    const plan = planOrThrow(build, request);
    const results = toResults(plan, { "customer-data": createOutcome({ items: [createItem()] }) });
    decideTurn(plan, results, { build, now: NOW, fence: FENCE });
  };
  // The first turn also makes the build's index, which every later one shares.
  runOnce();
  looks = 0;
  runOnce();
  return looks;
}

test("a turn looks at twice as much for twice as many layers", () => {
  const small = countTurnLooks(200);
  expect(small).toBeGreaterThan(200);
  for (const factor of [2, 4, 8]) {
    expect(countTurnLooks(200 * factor) / small).toBeCloseTo(factor, 0);
  }
});
