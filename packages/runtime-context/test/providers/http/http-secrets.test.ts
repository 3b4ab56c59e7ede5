import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { LOOKUP, TURN } from "../provider-cases.ts";
import { CREDENTIALS } from "../answer/credential-samples.ts";
import { ANSWER, GOOD_RESPONSE, openClient, TOKEN, toResponse } from "./http-cases.ts";
import { startRawServer } from "./raw-server.ts";

const [ITEM] = ANSWER.items;
const BASE64 = (text: string): string => Buffer.from(text).toString("base64");
const PERCENT_EVERY = TOKEN.split("")
  .map((character) => `%${character.charCodeAt(0).toString(16)}`)
  .join("");
const ESCAPED_EVERY = TOKEN.split("")
  .map((character) => String.raw`\u00${character.charCodeAt(0).toString(16)}`)
  .join("");

/** An answer whose content is given as it stands between the quotes on the wire. */
function answerWith(content: string): string {
  return JSON.stringify({ ...ANSWER, items: [{ ...ITEM, content: "@" }] }).replace("@", () => content);
}

describe("a credential that comes back (K2)", () => {
  test.each([
    ["raw", `see ${TOKEN} there`],
    ["in base64", BASE64(TOKEN)],
    ["in base64 behind one byte", BASE64(`:${TOKEN}:`)],
    ["in base64 behind two bytes", BASE64(`u:${TOKEN}`)],
    ["in base64 of the whole header", BASE64(`Bearer ${TOKEN}`)],
    ["in base64url", Buffer.from(TOKEN).toString("base64url")],
    ["percent-encoded", encodeURIComponent(TOKEN)],
    ["percent-encoded in every character", PERCENT_EVERY],
    ["percent-encoded in one character", TOKEN.replace("9", "%39")],
    ["with escaped slashes", TOKEN.replace("/", String.raw`\/`)],
    ["escaped in every character", ESCAPED_EVERY],
    ["escaped in one character", TOKEN.replace("9", String.raw`\u0039`)],
    ["with a character inside that nobody sees", TOKEN.replace("9", "\u200b9")],
    ["with an escaped one inside", TOKEN.replace("9", String.raw`\u20609`)],
    ["escaped percent signs", TOKEN.replace("9", String.raw`\u002539`)],
  ])("%s in the body is refused, and nothing of it goes on", async (_name, content) => {
    const server = await startRawServer((socket) => socket.write(toResponse(answerWith(content))));
    const outcome = await openClient(server.url).lookup(LOOKUP, TURN);
    expect(outcome).toMatchObject({ status: "INVALID_RESPONSE", reason: "REFLECTED", items: [] });
    expect(inspect(outcome, { depth: null })).not.toContain(TOKEN.slice(0, 8));
  });

  test.each([
    ["raw", TOKEN],
    ["in base64", BASE64(`:${TOKEN}:`)],
    ["percent-encoded", PERCENT_EVERY],
    ["escaped", ESCAPED_EVERY],
  ])("%s in a body over 128 KiB is refused, which without it is taken", async (_name, content) => {
    const bodies = [answerWith(content), answerWith("nothing")].map((text) => text.padEnd(300_000));
    const server = await startRawServer((socket) => socket.end(toResponse(bodies.shift() ?? "")));
    const client = openClient(server.url, { maxBytes: 400_000 });
    expect(await client.lookup(LOOKUP, TURN)).toMatchObject({ status: "INVALID_RESPONSE", reason: "REFLECTED" });
    expect(await client.lookup(LOOKUP, TURN)).toMatchObject({ status: "OK", items: [{ content: "nothing" }] });
  });

  test.each([
    ["in a header", [`x-echo: ${TOKEN}`]],
    ["in base64 in a header", [`x-echo: ${BASE64(TOKEN)}`]],
    ["percent-encoded in a header", [`set-cookie: a=${encodeURIComponent(TOKEN)}`]],
    ["split over two headers", [`x-echo: ${TOKEN.slice(0, 9)}`, `x-echo: ${TOKEN.slice(9)}`]],
    ["with white space inside", [`x-echo: ${TOKEN.slice(0, 9)}\t ${TOKEN.slice(9)}`]],
  ])("%s is refused", async (_name, headers) => {
    const server = await startRawServer((socket) => socket.write(toResponse(JSON.stringify(ANSWER), headers)));
    expect(await openClient(server.url).lookup(LOOKUP, TURN)).toMatchObject({
      status: "INVALID_RESPONSE",
      reason: "REFLECTED",
    });
  });

  test.each([
    ["a redirect", toResponse("", [`location: http://127.0.0.1:1/?t=${encodeURIComponent(TOKEN)}`], "302 F")],
    ["a refusal", toResponse("", [`www-authenticate: Bearer ${TOKEN}`], "401 U")],
    ["the body of a 404", toResponse(JSON.stringify({ sent: TOKEN }), [], "404 N")],
  ])("in %s is refused too", async (_name, bytes) => {
    const server = await startRawServer((socket) => socket.write(bytes));
    expect(await openClient(server.url).lookup(LOOKUP, TURN)).toMatchObject({ reason: "REFLECTED" });
  });

  test("in another case it is another text", async () => {
    const server = await startRawServer((socket) => socket.write(toResponse(answerWith(TOKEN.toUpperCase()))));
    expect(await openClient(server.url).lookup(LOOKUP, TURN)).toMatchObject({ status: "OK" });
  });

  test("in an answer to describe it is refused", async () => {
    const body = JSON.stringify({ contract: ANSWER.contract, version: TOKEN, capabilities: ["lookup"] });
    const server = await startRawServer((socket) => socket.write(toResponse(body)));
    const outcome = await openClient(server.url).describe();
    expect(outcome).toMatchObject({ isReady: false, status: "INVALID_RESPONSE", reason: "REFLECTED" });
    expect(JSON.stringify(outcome)).not.toContain(TOKEN);
  });
});

describe("the bound secret (K1)", () => {
  test("is read for each call, so that a rotated one is used at once", async () => {
    const server = await startRawServer((socket) => socket.write(GOOD_RESPONSE));
    let count = 0;
    const client = openClient(server.url, {}, { secret: { reveal: () => `rotated-secret-${(count += 1)}` } });
    await client.lookup(LOOKUP, TURN);
    await client.lookup(LOOKUP, TURN);
    expect(server.requests.map((request) => /Bearer (\S+)/.exec(request)?.[1])).toEqual([
      "rotated-secret-1",
      "rotated-secret-2",
    ]);
  });

  test("that can't be read, or can't stand in a header, makes no connection", async () => {
    const server = await startRawServer((socket) => socket.write(GOOD_RESPONSE));
    const unreadable = {
      reveal: () => {
        throw new Error(`no ${TOKEN}`);
      },
    };
    const secrets = [unreadable, { reveal: () => `${TOKEN}\r\nx-evil: 1` }, { reveal: () => "" }];
    const outcomes = await Promise.all(
      secrets.map((secret) => openClient(server.url, {}, { secret }).lookup(LOOKUP, TURN)),
    );
    expect(outcomes.map(({ status, reason }) => [status, reason])).toEqual([
      ["UNAVAILABLE", "SECRET_UNAVAILABLE"],
      ["UNAVAILABLE", "SECRET_UNUSABLE"],
      ["UNAVAILABLE", "SECRET_UNUSABLE"],
    ]);
    expect(inspect(outcomes, { depth: null })).not.toContain(TOKEN);
    expect(server.connectionCount()).toBe(0);
  });
});

describe("a secret in an answer (K3)", () => {
  const secret = CREDENTIALS["github_token"] ?? "";
  test.each([
    ["version", { ...ANSWER, version: secret }, "/version"],
    ["revision", { ...ANSWER, revision: secret }, "/revision"],
    ["id", { ...ANSWER, items: [{ ...ITEM, id: secret }] }, "/items/0/id"],
    ["title", { ...ANSWER, items: [{ ...ITEM, title: `Token ${secret}` }] }, "/items/0/title"],
    ["content", { ...ANSWER, items: [{ ...ITEM, content: `a\n${secret}` }] }, "/items/0/content"],
    ["metadata", { ...ANSWER, items: [{ ...ITEM, metadata: { note: secret } }] }, "/items/0/metadata"],
    ["the second item", { ...ANSWER, items: [ITEM, { ...ITEM, id: "B", content: secret }] }, "/items/1/content"],
  ])("in %s refuses the whole lookup, naming rule and place only", async (_name, answer, pointer) => {
    const server = await startRawServer((socket) => socket.write(toResponse(JSON.stringify(answer))));
    const outcome = await openClient(server.url).lookup(LOOKUP, TURN);
    expect(outcome).toMatchObject({
      status: "SECRET_DETECTED",
      reason: null,
      items: [],
      finding: { rule: "github_token", pointer },
    });
    expect(JSON.stringify(outcome)).not.toContain(secret.slice(0, 8));
  });

  test("a metadata name makes a secret of its value", async () => {
    const answer = { ...ANSWER, items: [{ ...ITEM, metadata: { password: "hunter2hunter2" } }] };
    const server = await startRawServer((socket) => socket.write(toResponse(JSON.stringify(answer))));
    expect(await openClient(server.url).lookup(LOOKUP, TURN)).toMatchObject({
      status: "SECRET_DETECTED",
      finding: { rule: "credential_assignment", pointer: "/items/0/metadata" },
    });
  });
});
