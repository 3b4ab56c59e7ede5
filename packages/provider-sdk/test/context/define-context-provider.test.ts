import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { checkBearer, defineContextProvider, toNodeListener, type ContextProviderDefinition } from "../../src/index.ts";

const URL_OF_TEST = "http://127.0.0.1/context";
const LOOKUP = {
  contract: "context-provider.v1",
  capability: "lookup",
  provider: "crm",
  key: "id",
  value: "A-1",
  limit: 2,
};
const item = (id: string): { id: string; content: string } => ({ id, content: `about ${id}` });

function make(more: Partial<ContextProviderDefinition> = {}): (body: unknown, init?: RequestInit) => Promise<Response> {
  const handle = defineContextProvider({
    describe: () => ({ version: "2.0.0" }),
    lookup: ({ value }) => (value === "A-1" ? { items: ["x", "y", "z"].map(item), currentness: "CURRENT" } : undefined),
    report: () => undefined,
    ...more,
  });
  return (body, init = {}) =>
    handle(
      new Request(URL_OF_TEST, {
        method: "POST",
        body: typeof body === "string" ? body : JSON.stringify(body),
        ...init,
      }),
    );
}

describe("defineContextProvider", () => {
  test("describes itself, and answers a lookup with the first items up to the limit", async () => {
    const ask = make();
    const described = await ask({ contract: LOOKUP.contract, capability: "describe" });
    expect([described.status, await described.json()]).toEqual([
      200,
      { contract: "context-provider.v1", version: "2.0.0", capabilities: ["describe", "lookup"] },
    ]);
    const found = await ask(LOOKUP);
    expect(found.headers.get("content-type")).toBe("application/json");
    expect(await found.json()).toEqual({
      contract: "context-provider.v1",
      currentness: "CURRENT",
      items: [item("x"), item("y")],
    });
  });

  test("says 404 where there is no record, and for an empty list", async () => {
    expect((await make()({ ...LOOKUP, value: "B-2" })).status).toBe(404);
    expect((await make({ lookup: () => ({ items: [] }) })(LOOKUP)).status).toBe(404);
  });

  test.each([
    ["no JSON", "{", 400],
    ["a list", [], 400],
    ["another contract", { ...LOOKUP, contract: "context-provider.v2" }, 400],
    ["another capability", { ...LOOKUP, capability: "delete" }, 400],
    ["an unknown field", { ...LOOKUP, limits: 3 }, 400],
    ["no limit", { ...LOOKUP, limit: 0 }, 400],
    ["a value with a space", { ...LOOKUP, value: "a b" }, 400],
    ["a key that is none", { ...LOOKUP, key: "not an input" }, 400],
    ["a body of 20 KiB", { ...LOOKUP, value: "x".repeat(20_480) }, 413],
  ])("refuses %s", async (_case, body, status) => {
    const response = await make()(body);
    expect(response.status).toBe(status);
    expect(JSON.stringify(await response.json())).not.toMatch(/a b|xxx|v2/);
  });

  test("answers no other method", async () => {
    const handle = defineContextProvider({ describe: () => ({}), lookup: () => undefined });
    expect((await handle(new Request(URL_OF_TEST))).status).toBe(405);
  });

  test.each([
    ["throws", () => Promise.reject(new Error("the database is at /var/lib"))],
    ["gives one id twice", () => ({ items: [item("x"), item("x")] })],
    ["gives too large a content", () => ({ items: [{ id: "x", content: "é".repeat(40_000) }] })],
    ["gives nested metadata", () => ({ items: [{ ...item("x"), metadata: { a: {} as never } }] })],
  ] as const)("says 500 and no more where the lookup %s, and reports it", async (_case, lookup) => {
    const reported: unknown[] = [];
    const response = await make({ lookup, report: (error) => reported.push(error) })(LOOKUP);
    expect([response.status, await response.json()]).toEqual([500, { error: "the provider failed" }]);
    expect(reported).toHaveLength(1);
  });

  test("lets in who has the token, and nobody else", async () => {
    const ask = make({ authorise: checkBearer("s3cret") });
    for (const [authorization, status] of [
      ["Bearer s3cret", 200],
      ["bearer s3cret", 200],
      ["Bearer s3cre", 401],
      ["Basic s3cret", 401],
      ["", 401],
    ] as const) {
      expect([authorization, (await ask(LOOKUP, { headers: { authorization } })).status]).toEqual([
        authorization,
        status,
      ]);
    }
  });

  test("never starts open: a token that an environment doesn't have is refused", () => {
    for (const token of ["", undefined]) expect(() => checkBearer(token)).toThrow("the bearer token is not set");
  });

  test("runs under node:http, also after a body that it didn't read", async () => {
    const handle = defineContextProvider({ describe: () => ({}), lookup: () => ({ items: [item("x")] }) });
    const server = createServer(toNodeListener(handle));
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/context`;
    const large = await fetch(url, { method: "POST", body: "x".repeat(200_000) }).then(
      ({ status }) => status,
      () => "closed",
    );
    expect([413, "closed"]).toContain(large);
    const found = await fetch(url, { method: "POST", body: JSON.stringify(LOOKUP) });
    expect([found.status, await found.json()]).toMatchObject([200, { items: [item("x")] }]);
  });
});
