import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { LOOKUP, TURN } from "../provider-cases.ts";
import { ANSWER, GOOD_RESPONSE, openClient, TOKEN, toResponse } from "./http-cases.ts";
import { startRawServer } from "./raw-server.ts";

const BODY = JSON.stringify(ANSWER);
const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";

/** Writes and says that nothing more will come. */
function writeAndEnd(bytes: string): (socket: Socket) => void {
  return (socket) => socket.end(bytes, "latin1");
}

/** Writes again and again until the other side is gone. */
function repeat(first: string, piece: string): (socket: Socket) => void {
  return (socket) => {
    socket.write(first);
    const timer = setInterval(() => socket.write(piece), 5);
    socket.once("close", () => clearInterval(timer));
  };
}

/** Sends as fast as the other side takes it, until it is gone. */
function flood(first: string, piece: string): (socket: Socket) => void {
  return (socket) => {
    const push = (): void => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.write(first);
    socket.on("drain", push);
    push();
  };
}

function informational(status: string, count: number): string {
  return `HTTP/1.1 ${status}\r\n\r\n`.repeat(count);
}

const CHUNKED = `${HEAD}transfer-encoding: chunked\r\n\r\n`;

interface Case {
  readonly name: string;
  readonly respond: (socket: Socket) => void;
  readonly status: string;
  readonly reason: string | null;
}

const REFUSED: readonly Case[] = [
  // Statuses (facts §2.3 no. 3, S6)
  ...["301 Moved", "302 Found", "303 See Other", "304 Not Modified", "307 T", "308 P"].map((status) => ({
    name: `a ${status}`,
    respond: writeAndEnd(
      `HTTP/1.1 ${status}\r\nlocation: http://127.0.0.1:1/${TOKEN.slice(0, 3)}\r\ncontent-length: 0\r\n\r\n`,
    ),
    status: "INVALID_RESPONSE",
    reason: "REDIRECT",
  })),
  ...["401 U", "403 F"].map((status) => ({
    name: `a ${status}`,
    respond: writeAndEnd(toResponse("{}", [], status)),
    status: "UNAVAILABLE",
    reason: "AUTH_REFUSED",
  })),
  ...["408 T", "429 T"].map((status) => ({
    name: `a ${status}`,
    respond: writeAndEnd(toResponse("{}", [], status)),
    status: "UNAVAILABLE",
    reason: "UPSTREAM_4XX",
  })),
  ...["500 E", "502 B", "503 S", "504 G", "599 X"].map((status) => ({
    name: `a ${status}`,
    respond: writeAndEnd(toResponse("{}", [], status)),
    status: "UNAVAILABLE",
    reason: "UPSTREAM_5XX",
  })),
  ...["201 C", "202 A", "204 N", "206 P", "400 B", "405 M", "410 G", "418 T", "600 W"].map((status) => ({
    name: `a ${status}`,
    respond: writeAndEnd(`HTTP/1.1 ${status}\r\n\r\n`),
    status: "INVALID_RESPONSE",
    reason: "HTTP_STATUS",
  })),
  // Framing (T2, T3)
  {
    name: "a content-length longer than the body",
    respond: writeAndEnd(`${HEAD}content-length: 9999\r\n\r\n${BODY}`),
    status: "INVALID_RESPONSE",
    reason: "INCOMPLETE",
  },
  {
    name: "a content-length shorter than the body",
    respond: writeAndEnd(`${HEAD}content-length: 2\r\n\r\n${BODY}`),
    status: "INVALID_RESPONSE",
    reason: "JSON",
  },
  {
    name: "a content-length and chunks",
    respond: writeAndEnd(`${HEAD}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n0\r\n\r\n`),
    status: "INVALID_RESPONSE",
    reason: null,
  },
  {
    name: "two content-lengths",
    respond: writeAndEnd(`${HEAD}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`),
    status: "INVALID_RESPONSE",
    reason: null,
  },
  {
    name: "a body cut off at its end of file",
    respond: writeAndEnd(`${HEAD}connection: close\r\n\r\n${BODY.slice(0, -2)}`),
    status: "INVALID_RESPONSE",
    reason: "JSON",
  },
  {
    name: "a reset in the middle of the body",
    respond: (socket) => {
      socket.write(`${HEAD}content-length: 500\r\n\r\n{"con`);
      setTimeout(() => socket.resetAndDestroy(), 20);
    },
    status: "INVALID_RESPONSE",
    reason: null,
  },
  {
    name: "chunks that end too soon",
    respond: writeAndEnd(`${CHUNKED}ff\r\n{"a`),
    status: "INVALID_RESPONSE",
    reason: null,
  },
  {
    name: "a chunk size that overflows",
    respond: writeAndEnd(`${CHUNKED}fffffffffffffffff\r\n{}`),
    status: "INVALID_RESPONSE",
    reason: "PROTOCOL",
  },
  {
    name: "a status of four digits",
    respond: writeAndEnd("HTTP/1.1 2000 OK\r\n\r\n"),
    status: "INVALID_RESPONSE",
    reason: "PROTOCOL",
  },
  {
    name: "bare line feeds",
    respond: writeAndEnd(`HTTP/1.1 200 OK\ncontent-type: application/json\ncontent-length: 2\n\n{}`),
    status: "INVALID_RESPONSE",
    reason: "PROTOCOL",
  },
  {
    name: "a folded header",
    respond: writeAndEnd(`${HEAD}x-note: one\r\n two\r\ncontent-length: 2\r\n\r\n{}`),
    status: "INVALID_RESPONSE",
    reason: "PROTOCOL",
  },
  {
    name: "NUL in a header",
    respond: writeAndEnd(`${HEAD}x-note: a\0b\r\ncontent-length: 2\r\n\r\n{}`),
    status: "INVALID_RESPONSE",
    reason: "PROTOCOL",
  },
  {
    name: "no HTTP at all",
    respond: writeAndEnd("SSH-2.0-OpenSSH_9.2\r\n"),
    status: "INVALID_RESPONSE",
    reason: "PROTOCOL",
  },
  {
    name: "an upgrade nobody asked for",
    respond: writeAndEnd("HTTP/1.1 101 Switching\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n"),
    status: "INVALID_RESPONSE",
    reason: null,
  },
  // Informational responses
  {
    name: "a thousand 100s",
    respond: writeAndEnd(informational("100 Continue", 1000) + GOOD_RESPONSE),
    status: "INVALID_RESPONSE",
    reason: null,
  },
  {
    name: "four early hints",
    respond: writeAndEnd(informational("103 Early Hints", 4) + GOOD_RESPONSE),
    status: "INVALID_RESPONSE",
    reason: "INFORMATIONAL",
  },
  {
    name: "a thousand early hints",
    respond: writeAndEnd(informational("103 Early Hints", 1000) + GOOD_RESPONSE),
    status: "INVALID_RESPONSE",
    reason: "INFORMATIONAL",
  },
  {
    name: "a 102",
    respond: writeAndEnd(informational("102 Processing", 1) + GOOD_RESPONSE),
    status: "INVALID_RESPONSE",
    reason: "INFORMATIONAL",
  },
  // Headers (T6)
  {
    name: "a header of 64 KiB",
    respond: writeAndEnd(toResponse(BODY, [`x-note: ${"a".repeat(65_536)}`])),
    status: "INVALID_RESPONSE",
    reason: "HEADER_BYTES",
  },
  {
    name: "headers of 9 KiB",
    respond: writeAndEnd(toResponse(BODY, [`x-note: ${"a".repeat(9000)}`])),
    status: "INVALID_RESPONSE",
    reason: "HEADER_BYTES",
  },
  {
    name: "a header that never ends",
    respond: flood(`${HEAD}x-note: `, "a".repeat(4096)),
    status: "INVALID_RESPONSE",
    reason: "HEADER_BYTES",
  },
  {
    name: "65 headers",
    respond: writeAndEnd(toResponse(BODY, Array<string>(63).fill("a: b"))),
    status: "INVALID_RESPONSE",
    reason: "HEADER_COUNT",
  },
  // Encoding and type (T5, J10)
  ...["gzip", "br", "zstd", "deflate", "identity, gzip", "x-own"].map((coding) => ({
    name: `content-encoding ${coding}`,
    respond: writeAndEnd(toResponse(BODY, [`content-encoding: ${coding}`])),
    status: "INVALID_RESPONSE",
    reason: "ENCODING",
  })),
  ...["text/html", "application/json; charset=latin1", "application/problem+json", "application/jsonp"].map((type) => ({
    name: `content-type ${type}`,
    respond: writeAndEnd(`HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`),
    status: "INVALID_RESPONSE",
    reason: "CONTENT_TYPE",
  })),
  {
    name: "no content type",
    respond: writeAndEnd(`HTTP/1.1 200 OK\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`),
    status: "INVALID_RESPONSE",
    reason: "CONTENT_TYPE",
  },
  {
    name: "two content types",
    respond: writeAndEnd(toResponse(BODY, ["content-type: text/html"])),
    status: "INVALID_RESPONSE",
    reason: "CONTENT_TYPE",
  },
  // Size (T4)
  {
    name: "a content-length over the limit, before any body",
    respond: (socket) => socket.write(`${HEAD}content-length: 65537\r\n\r\n`),
    status: "LIMIT_EXCEEDED",
    reason: "RESPONSE_BYTES",
  },
  {
    name: "a body without end",
    respond: flood(`${HEAD}connection: close\r\n\r\n`, " ".repeat(4096)),
    status: "LIMIT_EXCEEDED",
    reason: "RESPONSE_BYTES",
  },
  {
    name: "chunks without end",
    respond: flood(CHUNKED, `1000\r\n${" ".repeat(4096)}\r\n`),
    status: "LIMIT_EXCEEDED",
    reason: "RESPONSE_BYTES",
  },
  {
    name: "chunks of one byte without end",
    respond: flood(CHUNKED, "1\r\n \r\n".repeat(1000)),
    status: "LIMIT_EXCEEDED",
    reason: "RESPONSE_BYTES",
  },
  {
    name: "a 404 with a body without end",
    respond: flood("HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n", " ".repeat(4096)),
    status: "LIMIT_EXCEEDED",
    reason: "RESPONSE_BYTES",
  },
  // Closed before an answer: a new connection is not tried twice
  {
    name: "a connection closed without a byte",
    respond: (socket) => socket.destroy(),
    status: "UNAVAILABLE",
    reason: "CONNECTION_CLOSED",
  },
  {
    name: "a connection reset without a byte",
    respond: (socket) => socket.resetAndDestroy(),
    status: "UNAVAILABLE",
    reason: "CONNECTION_CLOSED",
  },
];

describe("a hostile HTTP provider", () => {
  test.each(REFUSED)("$name is $status, $reason, and the socket is closed", async ({ respond, status, reason }) => {
    const server = await startRawServer(respond);
    const outcome = await openClient(server.url).lookup(LOOKUP, TURN);
    expect(outcome).toMatchObject({ status, items: [], attempts: 1, ...(reason === null ? {} : { reason }) });
    expect(JSON.stringify(outcome)).not.toContain(TOKEN);
    expect(server.requests).toHaveLength(1);
    await server.whenClosed();
  });

  test("a redirect's target is never contacted", async () => {
    const target = await startRawServer((socket) => socket.write(GOOD_RESPONSE));
    const location = `location: ${target.url}`;
    const server = await startRawServer((socket) => socket.write(toResponse("", [location], "302 Found")));
    await openClient(server.url).lookup(LOOKUP, TURN);
    expect(target.connectionCount()).toBe(0);
  });

  test.each([
    ["an answer that ends with the connection", `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n${BODY}`],
    [
      "chunks with extensions and trailers",
      `${CHUNKED}${BODY.length.toString(16)};a=b\r\n${BODY}\r\n0\r\nx-end: 1\r\n\r\n`,
    ],
    ["headers of 7 KiB", toResponse(BODY, [`x-note: ${"a".repeat(7000)}`])],
    ["three early hints before the answer", informational("103 Early Hints", 3) + GOOD_RESPONSE],
    ["content-encoding identity", toResponse(BODY, ["content-encoding: Identity"])],
    ["charset utf-8", GOOD_RESPONSE.replace("application/json", "Application/JSON; charset=UTF-8")],
  ])("%s is accepted", async (_name, bytes) => {
    const server = await startRawServer(writeAndEnd(bytes));
    expect(await openClient(server.url).lookup(LOOKUP, TURN)).toMatchObject({
      status: "OK",
      items: [{ id: "CUST-1042" }],
    });
  });

  const SLOW: readonly (readonly [string, (socket: Socket) => void])[] = [
    ["sends nothing", () => undefined],
    ["trickles its status line", repeat("HTTP/1.1 200 O", "K")],
    ["trickles headers", repeat(HEAD, "x-a: b\r\n")],
    ["stalls in the body", (socket) => socket.write(`${HEAD}content-length: 100\r\n\r\n{`)],
    ["trickles the body", repeat(`${HEAD}content-length: 60000\r\n\r\n`, " ")],
    ["trickles early hints", repeat("HTTP/1.1 103 Early Hints\r\n", "x-a: b\r\n")],
  ];
  test.each(SLOW)("a server that %s is a TIMEOUT, whatever progress it makes (T1)", async (_name, respond) => {
    const server = await startRawServer(respond);
    const outcome = await openClient(server.url, { timeoutMs: 60 }).lookup(LOOKUP, TURN);
    expect(outcome).toMatchObject({ status: "TIMEOUT", reason: null, items: [], attempts: 1 });
    await server.whenClosed();
  });

  test("where the turn has less time than the provider, the turn's deadline ends the lookup and says so", async () => {
    const server = await startRawServer((socket, index) => void (index === 0 && socket.write(GOOD_RESPONSE)));
    const client = openClient(server.url);
    await client.lookup(LOOKUP, TURN);
    expect(await client.lookup(LOOKUP, { remainingMs: 30 })).toMatchObject({
      status: "TIMEOUT",
      reason: "TURN_DEADLINE",
    });
  });

  test("after a TIMEOUT the next lookup has a connection of its own", async () => {
    const server = await startRawServer((socket, index) => void (index > 0 && socket.write(GOOD_RESPONSE)));
    const client = openClient(server.url, { timeoutMs: 200 });
    expect(await client.lookup(LOOKUP, TURN)).toMatchObject({ status: "TIMEOUT" });
    expect(await client.lookup(LOOKUP, TURN)).toMatchObject({ status: "OK" });
  });
});
