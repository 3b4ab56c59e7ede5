// A provider without any library. What it answers is chosen by the looked-up value.
import { createServer } from "node:http";
import { gzipSync } from "node:zlib";

const MIB = 1_048_576;
const PROSE = "The renewal is due in March and the customer asked for a call on Tuesday. ";

const fill = (piece, length) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
const itemOf = (index, content) => ({ id: `r-${index}`, title: "A record", content, metadata: { plan: "Enterprise" } });
const answerOf = (items) =>
  JSON.stringify({ contract: "context-provider.v1", revision: "r9", version: "5.0.1", currentness: "CURRENT", items });
const contentOf = (piece, length = 65_000) => answerOf([itemOf(1, fill(piece, length))]);
const itemsOf = (count, length) => answerOf(Array.from({ length: count }, (_, at) => itemOf(at, fill(PROSE, length))));
/** One content of a piece that is written as it stands, escapes and all. */
const rawOf = (piece, length) => answerOf([itemOf(1, "@")]).replace("@", fill(piece, length - (length % piece.length)));

const BODIES = {
  small: () => contentOf(PROSE, 600),
  large: () => contentOf(PROSE),
  "legitimate-mib": () => itemsOf(15, 65_000),
  prose: () => contentOf(PROSE),
  "wide-characters": () => contentOf("客户续约日期为三月。", 21_000),
  "bidi-controls": () => contentOf("a\u202e\u200b", 16_000),
  joiners: () => contentOf("👩\u200d", 14_000),
  "almost-passwords": () => contentOf('password: "the word", token = none; '),
  "almost-tokens": () => contentOf("sk-live ghp_ eyJabcdefgh "),
  "almost-urls": () => contentOf("https://user:@"),
  "almost-paths": () => contentOf("/home/ ~/ C:\\ "),
  "fence-markers": () => contentOf("[[loopx-data "),
  "tiny-items": () => fill(`{"items":[${fill('{"id":"a"},', MIB)}`, MIB),
  "hundred-items": () => itemsOf(100, 9_500),
  brackets: () => fill("[", MIB),
  backslashes: () => `"${fill("\\\\", MIB - 2)}"`,
  digits: () => fill("1", MIB),
  spaces: () => fill(" ", MIB),
  quotes: () => fill('""', MIB),
  "percent-signs": () => rawOf("%41", 65_000),
  "unicode-escapes": () => rawOf("\\u0041", 390_000),
  "many-keys": () => `{${Array.from({ length: 60_000 }, (_, at) => `"key-${at}":1`).join(",")}}`,
  oversize: () => fill(PROSE, 3 * MIB),
};

const prepared = new Map();
function findBody(value) {
  if (!prepared.has(value)) prepared.set(value, Buffer.from((BODIES[value] ?? BODIES.small)()));
  return prepared.get(value);
}

const bomb = gzipSync(Buffer.alloc(200 * MIB, " "), { level: 9 });
const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => answer(JSON.parse(Buffer.concat(chunks).toString()).value, response));
});

function answer(value, response) {
  if (value === "never") return;
  if (value === "gzip-bomb") {
    response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
    response.end(bomb);
    return;
  }
  const body = findBody(value);
  // Without a length the body has to be counted as it comes.
  const length = value === "oversize" ? {} : { "content-length": body.length };
  response.writeHead(200, { "content-type": "application/json", ...length });
  response.end(body);
}

server.listen(0, "127.0.0.1", () => {
  process.send({
    port: server.address().port,
    values: Object.keys(BODIES).filter((name) => !["small", "large", "legitimate-mib", "oversize"].includes(name)),
  });
});
