import { once } from "node:events";
import { connect } from "node:net";
import { Hono } from "hono";
import { expect, onTestFinished, test } from "vitest";
import { startServer } from "../../src/server/start-server.ts";

test.each([
  ["its headers", "POST /v1/turns HTTP/1.1\r\nHost: 127.0.0.1\r\n"],
  ["its body", "POST /v1/turns HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 200\r\n\r\n{"],
])("a client that never ends %s is let go, and holds up nobody", async (_what, beginning) => {
  const api = new Hono();
  api.post("/v1/turns", async (context) => context.text(await context.req.text()));
  const limits = { requestTimeout: 300, headersTimeout: 200, keepAliveTimeout: 100 };
  const server = await startServer(api, { hostname: "127.0.0.1", port: 0 }, limits);
  onTestFinished(() => server.stop(0));
  const client = connect(Number(new URL(server.url).port), "127.0.0.1");
  client.on("error", () => undefined);
  client.resume();
  client.write(beginning);
  const ended = once(client, "close");
  expect(await (await fetch(`${server.url}/v1/turns`, { method: "POST", body: "x" })).text()).toBe("x");
  await ended;
});
