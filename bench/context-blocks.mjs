// The longest time that one hostile input keeps the event loop, as CPU of this process between two rounds of the loop.
import { median } from "./context-numbers.mjs";
import { createBenchApi, createMemoryTraces, openBenchDeployment } from "./context-world.mjs";

const [port, rounds, ...values] = process.argv.slice(2);

const api = createBenchApi(await openBenchDeployment(port), createMemoryTraces());
const turnOf = (inputs, objective = "answer-ticket") =>
  JSON.stringify({ objective, consumer: "support-agent", inputs });
const KIB_256 = 256 * 1024;
const CASES = [
  ...["small", "legitimate-mib", "oversize", "gzip-bomb", ...values].map((value) => [
    `provider: ${value}`,
    turnOf({ customerId: value }),
  ]),
  ["value: 256 characters against a hostile pattern", turnOf({ hostileId: `${"a".repeat(255)}-` }, "hostile")],
  ["value: almost a credential", turnOf({ customerId: "eyJ".repeat(85) })],
  ["request: 32 inputs of 4,096 characters", turnOf(toInputs("password: the word; ")).padEnd(KIB_256)],
  ["request: 256 KiB of [", "[".repeat(KIB_256)],
  ["request: 256 KiB of escapes", turnOf({ note: "@" }).replace("@", String.raw`\u0041`.repeat(43_000))],
];

function toInputs(piece) {
  return Object.fromEntries(Array.from({ length: 32 }, (_, at) => [`note-${at}`, piece.repeat(400).slice(0, 4096)]));
}

/** Wall time counts what other processes took, CPU what other threads of ours did: a block is in both. */
async function measureBlock(work) {
  let longest = 0;
  let isOver = false;
  let wall = performance.now();
  let cpu = process.cpuUsage();
  const look = () => {
    const used = process.cpuUsage(cpu);
    const passed = performance.now() - wall;
    longest = Math.max(longest, Math.min((used.user + used.system) / 1000, passed));
    wall = performance.now();
    cpu = process.cpuUsage();
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await work();
  isOver = true;
  await new Promise((resolve) => setImmediate(resolve));
  return longest;
}

const samples = CASES.map(() => []);
const answers = CASES.map(() => "");
for (let round = -1; round < Number(rounds); round += 1) {
  for (const [at, [, body]] of CASES.entries()) {
    const headers = { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) };
    const request = new Request("http://127.0.0.1/v1/turns", { method: "POST", headers, body });
    let answer;
    const block = await measureBlock(async () => {
      const response = await api.fetch(request);
      // Taken as a socket takes it: what it says is looked at when nothing is measured.
      answer = await response.arrayBuffer();
    });
    answers[at] = describe(JSON.parse(Buffer.from(answer).toString()));
    if (round >= 0) samples[at].push(block);
  }
}
process.send(CASES.map(([name], at) => ({ name, answer: answers[at], blockMs: median(samples[at]) })));

function describe({ outcome, layers, error }) {
  const asked = layers?.find((layer) => layer.provider_status !== undefined);
  return error?.code ?? `${outcome} ${asked?.provider_status ?? ""}`.trim();
}
