import { describe, expect, test } from "vitest";
import { planTurn } from "../../src/kernel/plan-turn.ts";
import {
  createBuild,
  createLayer,
  createRequest,
  createRule,
  CUSTOMER,
  CUSTOMER_DATA,
  ORDERS,
  planOrThrow,
  POLICY,
} from "./support-desk.ts";

const build = createBuild({
  layers: [POLICY, CUSTOMER, ORDERS],
  rules: [
    createRule({ layer: "policy", rule: "required", priority: 1 }),
    createRule({ layer: "customer-profile", rule: "required" }),
    createRule({ layer: "orders" }),
  ],
});

describe("which providers may be called", () => {
  test("a provider is called with the lookup input alone, once for two layers, and with the project's limit", () => {
    const notes = createLayer({ id: "notes", bindings: [{ kind: "provider", provider: "customer-data" }] });
    const twice = createBuild({
      layers: [CUSTOMER, notes],
      rules: [createRule({ layer: "customer-profile" }), createRule({ layer: "notes" })],
    });
    const plan = planOrThrow(twice, createRequest({ customerId: "CUST-1042", other: "x" }));
    expect(plan.lookups).toEqual([{ provider: "customer-data", input: "customerId", value: "CUST-1042", limit: 2 }]);
    expect(plan.layers.map(({ kind }) => kind)).toEqual(["evaluated", "evaluated"]);
  });

  test.each([
    ["an input that isn't given", {}, ["customerId"]],
    ["an empty input", { customerId: "" }, ["customerId"]],
  ])("%s leaves the layer unknown and calls nobody", (_case, inputs, missing) => {
    const plan = planOrThrow(build, createRequest(inputs));
    expect(plan.lookups).toEqual([]);
    expect(plan.layers[1]).toMatchObject({ kind: "unknown", reason: "PROVIDER_INPUT_NOT_PROVIDED", missing });
  });

  test.each([
    ["fails the declared pattern", "CUST-10423"],
    ["fails the base class", "CUST-1042\n"],
    ["holds a space", "CUST 1042"],
  ])("a value that %s is an invalid request and calls nobody", (_case, customerId) => {
    const plan = planOrThrow(build, createRequest({ customerId }));
    expect(plan.lookups).toEqual([]);
    expect(plan.layers[1]).toMatchObject({ kind: "invalid_request", input: "customerId", fault: "PATTERN" });
  });

  test("a value that looks like a secret is an invalid request, although the pattern takes it", () => {
    const anything = { ...CUSTOMER_DATA, lookup: { input: "customerId", pattern: "^.+$" } };
    const open = createBuild({
      layers: [CUSTOMER],
      rules: [createRule({ layer: "customer-profile" })],
      providers: [anything],
    });
    const secret = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;
    expect(planOrThrow(open, createRequest({ customerId: "CUST-1042" })).lookups).toHaveLength(1);
    const plan = planOrThrow(open, createRequest({ customerId: secret }));
    expect(plan.lookups).toEqual([]);
    expect(plan.layers[0]).toMatchObject({ kind: "invalid_request", fault: "CREDENTIAL" });
  });

  test("layers out of scope and excluded layers are not requested, whatever inputs are there", () => {
    const scoped = createBuild({
      layers: [CUSTOMER, ORDERS, createLayer({ id: "audit", consumers: ["auditor"] })],
      rules: [
        createRule({ layer: "customer-profile", rule: "excluded" }),
        createRule({ layer: "orders", rule: "required" }),
        createRule({ layer: "audit" }),
      ],
    });
    const inputs = { customerId: "CUST-1042", orderId: "ORD-7" };
    const plan = planOrThrow(scoped, createRequest(inputs, { objective: "write-report" }));
    expect(plan.lookups).toEqual([]);
    expect(plan.layers.map((layer) => ("reason" in layer ? layer.reason : layer.kind))).toEqual([
      "EXCLUDED",
      "OBJECTIVE_OUT_OF_SCOPE",
      "CONSUMER_OUT_OF_SCOPE",
    ]);
  });

  test("a layer with a required input missing asks none of its providers", () => {
    const guarded = createLayer({ ...CUSTOMER, requiresInput: ["region"] });
    const one = createBuild({ layers: [guarded], rules: [createRule({ layer: guarded.id })] });
    const plan = planOrThrow(one, createRequest({ customerId: "CUST-1042" }));
    expect(plan.lookups).toEqual([]);
    expect(plan.layers[0]).toMatchObject({ reason: "REQUIRED_INPUT_NOT_PROVIDED", missing: ["region"] });
    expect(planOrThrow(one, createRequest({ customerId: "CUST-1042", region: "eu" })).lookups).toHaveLength(1);
  });

  test("an input named like a member of every object counts only when it was sent", () => {
    const odd = createLayer({ id: "odd", requiresInput: ["constructor"] });
    const one = createBuild({ layers: [odd], rules: [createRule({ layer: "odd" })] });
    expect(planOrThrow(one, createRequest({})).layers[0]?.kind).toBe("unknown");
    expect(planOrThrow(one, createRequest({ constructor: "given" })).layers[0]?.kind).toBe("evaluated");
  });
});

describe("the request", () => {
  test("layers stand in order of priority, then as the profile lists them", () => {
    const layers = ["a", "b", "c", "d"].map((id) => createLayer({ id }));
    const rules = [
      ["a", 5],
      ["b", 1],
      ["c", 5],
      ["d", 0],
    ] as const;
    const ordered = createBuild({ layers, rules: rules.map(([layer, priority]) => createRule({ layer, priority })) });
    expect(planOrThrow(ordered, createRequest({})).layers.map(({ layer }) => layer.id)).toEqual(["d", "b", "a", "c"]);
  });

  test.each([
    ["objective", { objective: "steal-data" }],
    ["consumer", { consumer: "stranger" }],
    ["profile", { profile: "nobody" }],
  ])("an unknown %s is refused without repeating it", (field, parts) => {
    const refusal = planTurn(build, createRequest({}, parts));
    expect(refusal).toMatchObject({ ok: false, code: "invalid_value", details: { field } });
    expect(JSON.stringify(refusal)).not.toContain(Object.values(parts)[0]);
  });

  test("several profiles and none named is refused", () => {
    const [profile] = build.manifest.profiles;
    const profiles = [...build.manifest.profiles, { ...profile!, id: "brief" }];
    const several = { ...build, manifest: { ...build.manifest, profiles } };
    expect(planTurn(several, createRequest({}))).toMatchObject({
      ok: false,
      code: "invalid_value",
      hint: "name one of: default, brief",
    });
    expect(planOrThrow(several, createRequest({}, { profile: "brief" })).profile.id).toBe("brief");
  });
});
