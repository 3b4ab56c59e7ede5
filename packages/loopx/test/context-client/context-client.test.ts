import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { ContextClientError, createContextClient } from "../../src/context-client/context-client.ts";

const REQUEST = { objective: "answer-ticket", consumer: "support-agent", inputs: { customerId: "CUST-1042" } };
const TURN = { contract: "context-turn.v1", outcome: "BLOCKED", trace_id: "trace_1", rendered: "" };

/** A runtime that answers with what the listener says. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const answering = (status: number, body: unknown): RequestListener => {
  return (_request, response) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
};

async function codeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return "answered";
  } catch (error) {
    if (error instanceof ContextClientError) return `${error.code} ${error.status ?? "-"} ${error.retry}`;
    return error instanceof Error ? error.name : String(error);
  }
}

const ask = (url: string): Promise<string> => codeOf(createContextClient({ url }).turn(REQUEST));
const elsewhere: RequestListener = (_request, response) => response.writeHead(307, { location: "/else" }).end();
const breaking: RequestListener = (request, response) => {
  response.writeHead(200, { "content-length": 100 });
  response.write("{");
  setTimeout(() => request.socket.destroy(), 20);
};

describe("the context client", () => {
  test("sends the request with the token, and gives the answer as it is, BLOCKED too", async () => {
    const seen: unknown[] = [];
    const url = await serve((request, response) => {
      let text = "";
      request.setEncoding("utf8").on("data", (part: string) => (text += part));
      request.on("end", () => {
        seen.push([request.method, request.url, request.headers.authorization, JSON.parse(text)]);
        response.end(JSON.stringify(TURN));
      });
    });
    const client = createContextClient({ url: `${url}/behind/`, token: async () => "s3cret" });
    expect(await client.turn(REQUEST)).toEqual(TURN);
    expect(seen).toEqual([["POST", "/behind/v1/turns", "Bearer s3cret", REQUEST]]);
  });

  test("says RUNTIME_UNAVAILABLE where nothing can be reached, and nowhere else", async () => {
    const gone = createServer();
    const port = await new Promise<number>((resolve) => {
      gone.listen(0, "127.0.0.1", () => resolve((gone.address() as AddressInfo).port));
    });
    await new Promise((resolve) => {
      gone.close(resolve);
    });
    expect(await ask(`http://127.0.0.1:${port}`)).toBe("RUNTIME_UNAVAILABLE - true");
    const notReady = { ok: false, error: { code: "runtime_not_ready", message: "shutting down", retry: true } };
    expect(await ask(await serve(answering(503, notReady)))).toBe("runtime_not_ready 503 true");
    const invalid = { ok: false, error: { code: "invalid_value", message: "no such objective", retry: false } };
    expect(await ask(await serve(answering(400, invalid)))).toBe("invalid_value 400 false");
    expect(await ask(await serve(answering(502, "<h1>Bad Gateway</h1>")))).toBe("ANSWER_INVALID 502 true");
    expect(await ask(await serve(answering(200, { ok: true })))).toBe("ANSWER_INVALID 200 false");
    expect(await ask(await serve(elsewhere))).toBe("ANSWER_INVALID 307 false");
    expect(await ask(await serve(breaking))).toBe("ANSWER_INVALID 200 true");
  });

  test("gives up in its time, or when it is told to, with the reason it is given", async () => {
    const url = await serve(() => undefined);
    expect(await codeOf(createContextClient({ url, timeoutMs: 50 }).turn(REQUEST))).toBe("CLIENT_TIMEOUT - true");
    const stop = new AbortController();
    const call = codeOf(createContextClient({ url }).turn(REQUEST, { signal: stop.signal }));
    stop.abort();
    expect(await call).toBe("AbortError");
    expect(await codeOf(createContextClient({ url }).turn(REQUEST, { signal: AbortSignal.abort("no") }))).toBe("no");
  });

  test("asks once, or as often as it is told to, and never again for what can't succeed", async () => {
    let count = 0;
    const notReady = { ok: false, error: { code: "runtime_not_ready", message: "starting", retry: true } };
    const url = await serve((request, response) => {
      count += 1;
      if (count % 3 === 0) answering(200, TURN)(request, response);
      else answering(503, notReady)(request, response);
    });
    expect([await codeOf(createContextClient({ url }).turn(REQUEST)), count]).toEqual([
      "runtime_not_ready 503 true",
      1,
    ]);
    count = 0;
    expect(await createContextClient({ url, retries: 2 }).turn(REQUEST)).toEqual(TURN);
    const refused = { ok: false, error: { code: "unauthorised", message: "a token is needed", retry: false } };
    let refusals = 0;
    const closed = await serve((request, response) => {
      refusals += 1;
      answering(401, refused)(request, response);
    });
    await codeOf(createContextClient({ url: closed, retries: 5 }).turn(REQUEST));
    expect(refusals).toBe(1);
  });

  test("is one module that imports nothing", () => {
    const source = readFileSync(join(import.meta.dirname, "../../src/context-client/context-client.ts"), "utf8");
    expect(source).not.toMatch(/^import |\bimport\(|\brequire\(|process\./m);
  });

  test("a token that no header can carry is the caller's mistake, not the runtime's", async () => {
    const url = await serve(answering(200, TURN));
    expect(await codeOf(createContextClient({ url, token: "two\nlines" }).turn(REQUEST))).toBe("TypeError");
    expect(() => createContextClient({ url: "nowhere" })).toThrow(TypeError);
  });
});
