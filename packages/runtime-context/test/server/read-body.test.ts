import { describe, expect, test } from "vitest";
import { readJsonBody } from "../../src/server/read-body.ts";

const LIMIT = 256 * 1024;

function toRequest(body: string | ReadableStream<Uint8Array>, headers: Readonly<Record<string, string>> = {}): Request {
  return new Request("http://127.0.0.1/v1/turns", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
    duplex: "half",
  });
}

function toStream(chunks: readonly string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(Buffer.from(chunk));
      controller.close();
    },
  });
}

describe("readJsonBody", () => {
  test("reads a body with a declared length", async () => {
    expect(await readJsonBody(toRequest('{"a":1}', { "content-length": "7" }))).toEqual({ a: 1 });
  });

  test("reads a body that comes in pieces without one", async () => {
    expect(await readJsonBody(toRequest(toStream(['{"a"', ":1}"])))).toEqual({ a: 1 });
  });

  test("reads exactly the limit", async () => {
    const body = "1".padEnd(LIMIT);
    expect(await readJsonBody(toRequest(body, { "content-length": String(LIMIT) }))).toBe(1);
    expect(await readJsonBody(toRequest(toStream([body])))).toBe(1);
  });

  test("refuses more than the limit, declared, undeclared or declared as less", async () => {
    const body = "1".padEnd(LIMIT + 1);
    const refused = { code: "text_too_long" };
    await expect(readJsonBody(toRequest(body, { "content-length": String(LIMIT + 1) }))).rejects.toMatchObject(refused);
    await expect(readJsonBody(toRequest(toStream([body])))).rejects.toMatchObject(refused);
    await expect(readJsonBody(toRequest(body, { "content-length": "1" }))).rejects.toMatchObject(refused);
  });
});
