import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { CLOCK, LOOKUP, TURN } from "../provider-cases.ts";
import { ANSWER, GOOD_RESPONSE, openClient, toResponse } from "./http-cases.ts";
import { startRawServer } from "./raw-server.ts";

/** Undici takes a connection back into its pool one round of the event loop after an answer. */
const becomeIdle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

describe("keep-alive", () => {
  test("one connection serves lookups that follow each other", async () => {
    const server = await startRawServer((socket) => socket.write(GOOD_RESPONSE));
    const client = openClient(server.url);
    await client.lookup(LOOKUP, TURN);
    await becomeIdle();
    await client.lookup(LOOKUP, TURN);
    await becomeIdle();
    expect(server.connectionCount()).toBe(1);
  });

  test("a reused socket that dies before any byte is replaced once: two attempts", async () => {
    const server = await startRawServer(
      (socket, index) => void (index === 1 ? socket.destroy() : socket.write(GOOD_RESPONSE)),
    );
    const client = openClient(server.url);
    expect(await client.lookup(LOOKUP, TURN)).toMatchObject({ status: "OK", attempts: 1 });
    await becomeIdle();
    expect(await client.lookup(LOOKUP, TURN)).toMatchObject({ status: "OK", attempts: 2 });
    expect(server.requests).toHaveLength(3);
  });

  test("the second attempt is the last", async () => {
    const server = await startRawServer(
      (socket, index) => void (index > 0 ? socket.destroy() : socket.write(GOOD_RESPONSE)),
    );
    const client = openClient(server.url);
    await client.lookup(LOOKUP, TURN);
    await becomeIdle();
    expect(await client.lookup(LOOKUP, TURN)).toMatchObject({
      status: "UNAVAILABLE",
      reason: "CONNECTION_CLOSED",
      attempts: 2,
    });
    expect(server.requests).toHaveLength(3);
  });

  test("a reused socket that dies after the first byte of a response is not tried again", async () => {
    const server = await startRawServer(
      (socket, index) => void (index === 0 ? socket.write(GOOD_RESPONSE) : socket.end("HTTP/1.1 2")),
    );
    const client = openClient(server.url);
    await client.lookup(LOOKUP, TURN);
    await becomeIdle();
    expect(await client.lookup(LOOKUP, TURN)).toMatchObject({ status: "INVALID_RESPONSE", attempts: 1 });
  });

  test("no 5xx is tried again (T9)", async () => {
    const server = await startRawServer((socket) => socket.write(toResponse("", ["retry-after: 0"], "503 S")));
    const client = openClient(server.url);
    await client.lookup(LOOKUP, TURN);
    await becomeIdle();
    expect(server.requests).toHaveLength(1);
  });

  test("a second response that nobody asked for never answers the next lookup (T7)", async () => {
    const smuggled = toResponse(JSON.stringify({ ...ANSWER, revision: "smuggled" }));
    const server = await startRawServer((socket, index) =>
      socket.write(index === 0 ? GOOD_RESPONSE + smuggled : GOOD_RESPONSE),
    );
    const client = openClient(server.url);
    await client.lookup(LOOKUP, TURN);
    await becomeIdle();
    expect(await client.lookup(LOOKUP, TURN)).toMatchObject({ status: "OK", revision: "crm-r9" });
  });

  test("after ten failures a provider is left alone for five seconds; then one lookup tells (T8)", async () => {
    let isUp = false;
    const server = await startRawServer((socket) => socket.write(isUp ? GOOD_RESPONSE : toResponse("", [], "503 S")));
    let nowMs = 0;
    const client = openClient(server.url, {}, { clock: { ...CLOCK, monotonicMs: () => nowMs } });
    for (let count = 0; count < 10; count += 1) {
      expect(await client.lookup(LOOKUP, TURN)).toMatchObject({ reason: "UPSTREAM_5XX" });
      await becomeIdle();
    }
    expect(client.circuit).toBe("open");
    expect(await client.lookup(LOOKUP, TURN)).toMatchObject({
      status: "UNAVAILABLE",
      reason: "CIRCUIT_OPEN",
      attempts: 0,
    });
    expect(server.requests).toHaveLength(10);
    expect(await client.describe()).toMatchObject({ isReady: false, reason: "UPSTREAM_5XX" });
    nowMs = 5_000;
    isUp = true;
    const trial = client.lookup(LOOKUP, TURN);
    expect(await client.lookup(LOOKUP, TURN)).toMatchObject({ reason: "CIRCUIT_OPEN" });
    expect(await trial).toMatchObject({ status: "OK" });
    expect(await client.lookup(LOOKUP, TURN)).toMatchObject({ status: "OK" });
  });

  test.each([
    ["refuses the credential", toResponse("", [], "401 U")],
    ["says 404", toResponse("", [], "404 N")],
    ["lies", toResponse("{}")],
  ])("a provider that %s is there, so it is asked on", async (_what, response) => {
    const server = await startRawServer((socket) => socket.write(response));
    const client = openClient(server.url);
    for (let count = 0; count < 12; count += 1) {
      expect(await client.lookup(LOOKUP, TURN)).not.toMatchObject({ reason: "CIRCUIT_OPEN" });
      await becomeIdle();
    }
    expect(client.circuit).toBe("closed");
  });

  test("a lookup over the in-flight cap is BUSY at once, and the others go on (T8)", async () => {
    const waiting: Socket[] = [];
    const server = await startRawServer((socket) => void waiting.push(socket));
    const client = openClient(server.url, {}, { maxInFlight: 2 });
    const first = client.lookup(LOOKUP, TURN);
    const second = client.lookup(LOOKUP, TURN);
    expect(await client.lookup(LOOKUP, TURN)).toMatchObject({ status: "UNAVAILABLE", reason: "BUSY", attempts: 0 });
    while (waiting.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    for (const socket of waiting) socket.write(GOOD_RESPONSE);
    expect(await Promise.all([first, second])).toMatchObject([{ status: "OK" }, { status: "OK" }]);
  });
});
