import { afterAll, expect, test } from "vitest";
import { customerProject, openDesk } from "../../support/context-desk.ts";
import { answerWith, startScriptedProvider } from "../../support/scripted-provider.ts";
import { verifies } from "../../support/verifies.ts";

const CONTENT = "Invented customer with an unlikely phrase: heliotrope quartz.";
const crm = await startScriptedProvider(() =>
  answerWith({ id: "RECORD-77", title: "Account of Ms Quill", content: CONTENT, metadata: { plan: "Enterprise" } }),
);
const providers = { "customer-data": { type: "http", url: crm.url, secret: "env:CRM_TOKEN" } };
const env = { CRM_TOKEN: "crm-credential-of-this-test" };
const desk = await openDesk({ project: customerProject("required"), providers, env });
const { trace } = await desk.turn({ inputs: { customerId: "CUST-1042" } });
const [provenance] = trace.providers;

afterAll(async () => {
  await desk.close();
  await crm.stop();
});

test("a trace names where each fact came from", () => {
  verifies("traces.provenance");
  expect(provenance).toMatchObject({
    schema: "context.provider.v1",
    provider: "customer-data",
    contract: "context-provider.v1",
    status: "OK",
    bindingRevision: desk.deployment.binding.revision,
    bindingDigest: desk.deployment.binding.digest,
    providerType: "http",
    version: "5.0.1",
    versionSource: "response",
    key: "customerId",
    revision: "crm-r9",
    currentness: "CURRENT",
    retention: "digest",
    contentRetained: false,
  });
  expect(provenance?.observedAt).toMatch(/^\d{4}-\d{2}-\d{2}T/);
  expect(provenance?.durationMs).toBeGreaterThanOrEqual(0);
});

test("a version is the answer's, else the one that describe said, else the binding's", async () => {
  verifies("traces.provenance");
  const contract = "context-provider.v1";
  const items = [{ id: "RECORD-77", content: CONTENT }];
  let version: string | undefined = "answer-3";
  let described: string | undefined = "described-2";
  const versioned = await startScriptedProvider(({ body }) => {
    const isDescribe = (body as { readonly capability: string }).capability === "describe";
    if (isDescribe) return { body: { contract, version: described, capabilities: ["describe", "lookup"] } };
    return { body: { contract, version, currentness: "CURRENT", items } };
  });
  const bound = { "customer-data": { type: "http", url: versioned.url, version: "bound-1" } };
  const other = await openDesk({ project: customerProject("required"), providers: bound });
  const ask = async (): Promise<unknown> => {
    const [found] = (await other.turn({ inputs: { customerId: "CUST-1042" } })).trace.providers;
    return [found?.version, found?.versionSource];
  };
  expect(await ask()).toEqual(["answer-3", "response"]);
  version = undefined;
  expect(await ask()).toEqual(["bound-1", "binding"]);
  await other.deployment.clients.get("customer-data")?.describe();
  expect(await ask()).toEqual(["described-2", "describe"]);
  described = undefined;
  await other.deployment.clients.get("customer-data")?.describe();
  expect(await ask()).toEqual(["bound-1", "binding"]);
  await other.close();
  await versioned.stop();
});

test("its digests are keyed, and no value, record or credential is in it", () => {
  verifies("traces.keyed-digests");
  const keyed = /^hmac-sha256:[a-z0-9_-]+:[0-9a-f]{64}$/;
  expect(provenance?.requestDigest).toMatch(keyed);
  expect(provenance?.materialDigest).toMatch(keyed);
  expect(provenance?.itemFingerprints.map(String)).toEqual([expect.stringMatching(keyed)]);
  const text = JSON.stringify(trace);
  for (const word of ["CUST-1042", "RECORD-77", "heliotrope", "Quill", "Enterprise", env.CRM_TOKEN]) {
    expect(text).not.toContain(word);
  }
});

test("a record is named by 16 hex digits that don't tell its id", () => {
  verifies("traces.locators");
  expect(provenance?.itemLocators).toEqual([expect.stringMatching(/^customer-data\/item-[0-9a-f]{16}$/)]);
});

test("equal turns of two deployments have unrelated digests", async () => {
  verifies("traces.keyed-digests", "traces.locators");
  const other = await openDesk({ project: customerProject("required"), providers, env });
  const [second] = (await other.turn({ inputs: { customerId: "CUST-1042" } })).trace.providers;
  await other.close();
  expect(second?.requestDigest?.split(":").at(-1)).not.toBe(provenance?.requestDigest?.split(":").at(-1));
  expect(second?.itemLocators).not.toEqual(provenance?.itemLocators);
});

test("selection records mark what a provider gave", () => {
  verifies("traces.selection-marks");
  expect(trace.selection.map(({ layer, material, provider }) => ({ layer, material, provider }))).toEqual([
    { layer: "house-rules", material: "static", provider: null },
    { layer: "customer-profile", material: "provider", provider: "customer-data" },
  ]);
});
