import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { customerProject, openDesk, type Desk } from "../../support/context-desk.ts";
import { answerWith, startScriptedProvider } from "../../support/scripted-provider.ts";
import { verifies } from "../../support/verifies.ts";

const SECRET = "crm-credential-of-this-test";
const CUSTOMER = {
  id: "CUST-1042",
  title: "Current account state",
  content: "Invented customer on the Enterprise plan since 2024.",
  metadata: { plan: "Enterprise" },
  updatedAt: "2026-10-08",
};

const crm = await startScriptedProvider(() => answerWith(CUSTOMER));
const open: Desk[] = [];

beforeEach(() => {
  crm.calls.length = 0;
  crm.answer = () => answerWith(CUSTOMER);
});

afterAll(async () => {
  await Promise.all(open.map((desk) => desk.close()));
  await crm.stop();
});

async function openCustomerDesk(project: object, binding: object = {}): Promise<Desk> {
  const providers = { "customer-data": { type: "http", url: crm.url, ...binding } };
  const desk = await openDesk({ project, providers, env: { CRM_TOKEN: SECRET } });
  open.push(desk);
  return desk;
}

describe("the wire", () => {
  test("a lookup is one POST of the contract's document to the bound URL, with the bound secret", async () => {
    verifies("providers.http-wire", "providers.lookup-value");
    const desk = await openCustomerDesk(customerProject("required"), { secret: "env:CRM_TOKEN" });
    const { result } = await desk.turn({ inputs: { customerId: "CUST-1042", note: "not for a provider" } });
    expect(result.outcome).toBe("READY");
    expect(crm.calls).toHaveLength(1);
    expect(crm.calls[0]).toMatchObject({ method: "POST", url: "/context" });
    expect(crm.calls[0]?.headers["authorization"]).toBe(`Bearer ${SECRET}`);
    expect(crm.calls[0]?.body).toEqual({
      contract: "context-provider.v1",
      capability: "lookup",
      provider: "customer-data",
      key: "customerId",
      value: "CUST-1042",
      limit: 2,
    });
  });

  test("without a bound secret no credential is sent, and the smaller limit counts", async () => {
    verifies("providers.http-wire");
    const desk = await openCustomerDesk(customerProject("required"), { maxItems: 1 });
    await desk.turn({ inputs: { customerId: "CUST-1042" } });
    expect(crm.calls[0]?.headers).not.toHaveProperty("authorization");
    expect(crm.calls[0]?.body).toMatchObject({ limit: 1 });
  });

  test("describe asks for version and capabilities, and says whether the provider is ready", async () => {
    verifies("providers.http-describe");
    const desk = await openCustomerDesk(customerProject("required"), { secret: "env:CRM_TOKEN" });
    const capabilities = ["describe", "lookup"];
    crm.answer = () => ({ body: { contract: "context-provider.v1", version: "5.0.1", capabilities } });
    const client = desk.deployment.clients.get("customer-data");
    expect(await client?.describe()).toMatchObject({ isReady: true, status: "OK", version: "5.0.1" });
    expect(crm.calls[0]?.body).toEqual({ contract: "context-provider.v1", capability: "describe" });
    crm.answer = () => ({ body: { contract: "context-provider.v1", version: "5.0.1", capabilities: ["describe"] } });
    expect(await client?.describe()).toMatchObject({ isReady: false });
  });

  test("a value that is no lookup value is never sent, whatever the pattern takes", async () => {
    verifies("providers.lookup-value");
    const project = customerProject("optional", {
      providers: [
        { id: "customer-data", name: "Customer data", lookup: { input: "customerId", pattern: "^.*$" }, maxItems: 2 },
      ],
    });
    const desk = await openCustomerDesk(project);
    for (const customerId of ["../admin", "a b", "?key=1", "x".repeat(257), "http://10.0.0.1/"]) {
      const { result } = await desk.turn({ inputs: { customerId } });
      expect(result.layers[1], customerId).toMatchObject({ state: "UNAVAILABLE", providerStatus: "INVALID_REQUEST" });
    }
    expect(crm.calls).toEqual([]);
  });
});

describe("what is called", () => {
  const inputs = { customerId: "CUST-1042" };
  const requiring = {
    layers: [
      { id: "house-rules", name: "House rules", bindings: [{ text: "Be brief." }] },
      {
        id: "customer-profile",
        name: "Customer profile",
        bindings: [{ provider: "customer-data" }],
        requiresInput: ["ticketId"],
      },
    ],
  };

  test.each([
    { why: "excluded", project: customerProject("excluded"), request: { inputs }, state: "NOT_REQUESTED" },
    {
      why: "out of the objective",
      project: customerProject("required"),
      request: { inputs, objective: "plan-shift" },
      state: "NOT_REQUESTED",
    },
    {
      why: "out of the consumer",
      project: customerProject("required"),
      request: { inputs, consumer: "auditor" },
      state: "NOT_REQUESTED",
    },
    { why: "without the input", project: customerProject("required"), request: { inputs: {} }, state: "UNKNOWN" },
    {
      why: "without an input the layer requires",
      project: customerProject("required", requiring),
      request: { inputs },
      state: "UNKNOWN",
    },
    {
      why: "not of the pattern",
      project: customerProject("required"),
      request: { inputs: { customerId: "CUST-10423" } },
      state: "UNAVAILABLE",
    },
  ])("nobody is called for a layer that is $why", async ({ project, request, state }) => {
    verifies("providers.invoked-only-when-needed", "providers.out-of-scope", "providers.input-missing");
    const desk = await openCustomerDesk(project);
    const { result } = await desk.turn(request);
    expect(result.layers[1]?.state).toBe(state);
    expect(crm.calls).toEqual([]);
  });

  test("a missing lookup input says so, and a required layer blocks on it", async () => {
    verifies("providers.input-missing");
    const desk = await openCustomerDesk(customerProject("required"));
    const { result } = await desk.turn();
    expect(result.layers[1]).toMatchObject({ state: "UNKNOWN", reason: "PROVIDER_INPUT_NOT_PROVIDED" });
    expect(result.outcome).toBe("BLOCKED");
  });

  test("two layers that need one value cause one call", async () => {
    verifies("providers.invoked-only-when-needed");
    const layer = { name: "Customer", bindings: [{ provider: "customer-data" }] };
    const desk = await openCustomerDesk(
      customerProject("required", {
        layers: [
          { ...layer, id: "house-rules" },
          { ...layer, id: "customer-profile" },
        ],
      }),
    );
    expect((await desk.turn({ inputs })).result.outcome).toBe("READY");
    expect(crm.calls).toHaveLength(1);
  });
});

describe("who decides", () => {
  test("an answer doesn't take part when rule, currentness or budget say no", async () => {
    verifies("providers.never-decide");
    const inputs = { customerId: "CUST-1042" };
    const stale = { contract: "context-provider.v1", currentness: "STALE", items: [CUSTOMER] };
    const desk = await openCustomerDesk(customerProject("optional"));
    crm.answer = () => ({ body: stale });
    const old = await desk.turn({ inputs });
    expect(old.result.layers[1]).toMatchObject({ state: "STALE", isSelected: false });
    expect(old.result.rendered).not.toContain("Enterprise");

    const tight = customerProject("optional", {
      profiles: [
        {
          id: "support",
          budget: { bytes: 120 },
          layers: [
            { layer: "house-rules", rule: "required", priority: 10 },
            { layer: "customer-profile", rule: "optional", priority: 20 },
          ],
        },
      ],
    });
    crm.answer = () => answerWith(CUSTOMER);
    const full = await (await openCustomerDesk(tight)).turn({ inputs });
    expect(full.result.layers[1]).toMatchObject({ isSelected: false, notSelectedBecause: "BUDGET" });
  });

  test("an answer that names another provider or asks for more is refused, and causes no call", async () => {
    verifies("providers.never-decide");
    const desk = await openCustomerDesk(customerProject("optional"));
    crm.answer = () => ({
      body: { contract: "context-provider.v1", items: [CUSTOMER], next: crm.url, selected: true },
    });
    const { result } = await desk.turn({ inputs: { customerId: "CUST-1042" } });
    expect(result.layers[1]).toMatchObject({ state: "UNAVAILABLE", providerStatus: "INVALID_RESPONSE" });
    expect(crm.calls).toHaveLength(1);
  });
});
