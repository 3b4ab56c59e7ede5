import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LOOKUP, TURN } from "../provider-cases.ts";
import { ANSWER, GOOD_RESPONSE, openClient, TOKEN, toResponse } from "./http-cases.ts";
import { startRawServer } from "./raw-server.ts";

const DESCRIBED = { contract: "context-provider.v1", version: "5.0.1", capabilities: ["describe", "lookup"] };

describe("the HTTP wire", () => {
  test("a lookup sends the seed's body, the credential and nothing of the request elsewhere", async () => {
    const server = await startRawServer((socket) => socket.write(GOOD_RESPONSE));
    const outcome = await openClient(server.url).lookup(LOOKUP, TURN);
    const [head, body] = server.requests[0]?.split("\r\n\r\n") ?? [];
    expect(body).toBe(
      '{"contract":"context-provider.v1","capability":"lookup","provider":"customer-data","key":"customerId","value":"CUST-1042","limit":2}',
    );
    expect(head?.split("\r\n").map((line) => line.replace(/:\d+$/, ":port"))).toEqual([
      "POST /lookup HTTP/1.1",
      "host: 127.0.0.1:port",
      "connection: keep-alive",
      "content-type: application/json",
      "accept: application/json",
      "accept-encoding: identity",
      `authorization: Bearer ${TOKEN}`,
      "content-length: 132",
    ]);
    expect(outcome).toMatchObject({
      status: "OK",
      reason: null,
      items: [
        {
          id: "CUST-1042",
          title: "Current account state",
          content: "Renewal is due in March.",
          metadata: { plan: "Enterprise" },
          updatedAt: "2026-10-08",
        },
      ],
      currentness: "CURRENT",
      revision: "crm-r9",
      version: "5.0.1",
      versionSource: "response",
      providerType: "http",
      observedAt: "2026-10-09T12:00:00.000Z",
      attempts: 1,
    });
    expect(Number.isInteger(outcome.durationMs)).toBe(true);
  });

  test("without a bound secret no authorization is sent", async () => {
    const server = await startRawServer((socket) => socket.write(GOOD_RESPONSE));
    await openClient(server.url, {}, { secret: null }).lookup(LOOKUP, TURN);
    expect(server.requests[0]).not.toContain("authorization");
  });

  test("the limit is the least of the lookup's, the project's and the binding's", async () => {
    const server = await startRawServer((socket) => socket.write(GOOD_RESPONSE));
    await openClient(server.url, { maxItems: 1 }).lookup(LOOKUP, TURN);
    await openClient(server.url).lookup({ ...LOOKUP, limit: 50 }, TURN);
    expect(server.requests.map((request) => /"limit":\d+/.exec(request)?.[0])).toEqual(['"limit":1', '"limit":2']);
  });

  test("no lookup value changes a byte of the request outside the body's value (S1)", async () => {
    const server = await startRawServer((socket) => socket.write(GOOD_RESPONSE));
    const client = openClient(server.url);
    const value = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._:@-]{11}$/);
    await fc.assert(
      fc.asyncProperty(value, async (text) => {
        await client.lookup({ ...LOOKUP, value: text }, TURN);
        expect(server.requests.at(-1)?.replace(`"value":"${text}"`, "")).toBe(
          server.requests[0]?.replace(/"value":"[^"]*"/, ""),
        );
      }),
      { numRuns: 300 },
    );
  });

  test("describe asks for no data and carries the credential; its version stands in where an answer has none", async () => {
    const { version: _version, ...unversioned } = ANSWER;
    const server = await startRawServer((socket, index) =>
      socket.write(toResponse(JSON.stringify(index === 0 ? DESCRIBED : unversioned))),
    );
    const client = openClient(server.url);
    expect(await client.describe()).toEqual({
      isReady: true,
      status: "OK",
      reason: null,
      version: "5.0.1",
      observedAt: "2026-10-09T12:00:00.000Z",
    });
    expect(server.requests[0]).toContain(`authorization: Bearer ${TOKEN}`);
    expect(server.requests[0]?.split("\r\n\r\n")[1]).toBe('{"contract":"context-provider.v1","capability":"describe"}');
    expect(await client.lookup(LOOKUP, TURN)).toMatchObject({ version: "5.0.1", versionSource: "describe" });
  });

  test.each([
    ["another contract", JSON.stringify({ ...DESCRIBED, contract: "context-provider.v2" }), "INCOMPATIBLE", "CONTRACT"],
    ["no lookup", JSON.stringify({ ...DESCRIBED, capabilities: ["describe"] }), "INCOMPATIBLE", "NO_LOOKUP"],
    ["an unknown field", JSON.stringify({ ...DESCRIBED, note: "x" }), "INVALID_RESPONSE", "UNKNOWN_FIELD"],
    ["no capabilities", JSON.stringify({ contract: "context-provider.v1" }), "INVALID_RESPONSE", "MISSING_FIELD"],
    ["a secret version", JSON.stringify({ ...DESCRIBED, version: `ghp_${"a1".repeat(18)}` }), "SECRET_DETECTED", null],
  ])("describe with %s is not ready", async (_name, body, status, reason) => {
    const server = await startRawServer((socket) => socket.write(toResponse(body)));
    expect(await openClient(server.url).describe()).toMatchObject({ isReady: false, status, reason, version: null });
  });

  test("describe with 404 is not ready, since there is no record to miss", async () => {
    const server = await startRawServer((socket) => socket.write(toResponse("", [], "404 Not Found")));
    expect(await openClient(server.url).describe()).toMatchObject({ isReady: false, reason: "DESCRIBE_NOT_FOUND" });
  });

  test("404 is NOT_FOUND and keeps the connection", async () => {
    const server = await startRawServer((socket) => socket.write(toResponse('{"error":"none"}', [], "404 Not Found")));
    const client = openClient(server.url);
    const outcomes = [await client.lookup(LOOKUP, TURN)];
    // Undici takes a connection back into its pool one round of the event loop after an answer.
    await new Promise((resolve) => setTimeout(resolve, 20));
    outcomes.push(await client.lookup(LOOKUP, TURN));
    expect(outcomes.map(({ status, reason, items }) => ({ status, reason, items }))).toEqual([
      { status: "NOT_FOUND", reason: null, items: [] },
      { status: "NOT_FOUND", reason: null, items: [] },
    ]);
    expect(server.connectionCount()).toBe(1);
  });

  test("an empty list of items is OK with none", async () => {
    const server = await startRawServer((socket) => socket.write(toResponse(JSON.stringify({ ...ANSWER, items: [] }))));
    expect(await openClient(server.url).lookup(LOOKUP, TURN)).toMatchObject({ status: "OK", items: [] });
  });

  test("a closed client answers that it is closed", async () => {
    const client = openClient("http://127.0.0.1:1/lookup");
    await client.close();
    expect(await client.lookup(LOOKUP, TURN)).toMatchObject({ status: "UNAVAILABLE", reason: "CLOSED", attempts: 0 });
    expect(await client.describe()).toMatchObject({ isReady: false, reason: "CLOSED" });
  });
});
