// What searches cost as a store of traces grows to a million, on both engines. Not a part of `npm run bench`: it takes minutes.
//
//   node bench/trace-scale.mjs                                both engines, a million traces
//   node bench/trace-scale.mjs --engine=postgres --count=100000
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleContextPrograms, startProgram } from "./context-bundle.mjs";
import { startBenchPostgres } from "./start-bench-postgres.mjs";

const readFlag = (name) => process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
const count = readFlag("count") ?? "1000000";
const engines = (readFlag("engine") ?? "sqlite,postgres").split(",");

await bundleContextPrograms();
for (const engine of engines) {
  const place = mkdtempSync(join(tmpdir(), "loopx-bench-scale-"));
  const server = engine === "postgres" ? await startBenchPostgres(place) : undefined;
  try {
    process.stdout.write(`${(await measureEngine(engine, server?.url ?? "", place)).join("\n")}\n\n`);
  } finally {
    await server?.stop();
    rmSync(place, { recursive: true, force: true });
  }
}

async function measureEngine(engine, url, place) {
  const program = await startProgram(process.execPath, "scale", [url, join(place, "traces.db"), count]);
  const sizes = [];
  for (let message = program.ready; !message.isOver; message = await program.next()) sizes.push(message);
  const heads = sizes.map((size) => `${size.count.toLocaleString("en")} traces, ms`);
  const [first, last] = [sizes[0], sizes.at(-1)];
  return [
    `### Traces in ${engine}, Node ${process.version.slice(1)}`,
    "",
    `Inserted ${sizes.map(({ perSecond }) => Math.round(perSecond)).join(", ")} traces a second, their turns included.`,
    "",
    `| search | ${heads.join(" | ")} | last ÷ first |`,
    `|---|${heads.map(() => "---:|").join("")}---:|`,
    ...Object.keys(first.searches).map((name) => {
      const times = sizes.map(({ searches }) => searches[name].toFixed(2));
      return `| ${name} | ${times.join(" | ")} | ${(last.searches[name] / first.searches[name]).toFixed(1)} |`;
    }),
  ];
}
