import type { SoakOutcome } from "./conclude-soak.ts";
import type { Growth } from "./measure-soak.ts";
import type { SoakOptions } from "./run-soak.ts";

/** A soak in words and figures, for whoever ran it. */
export function renderSoak(engine: string, options: SoakOptions, outcome: SoakOutcome): string {
  const { record, growth, settledTurns, faults } = outcome;
  const { commands, kills, completions, gates } = record;
  return [
    `soak on ${engine}: ${options.agents} agents, ${options.goals} goals, ${options.seconds} s, seed ${options.seed}`,
    `  ${commands} commands, ${kills} killed, ${settledTurns} turns settled, ${completions.length} completions acknowledged, ${gates.size} gates`,
    `  refusals: ${[...record.refusals].map(([code, times]) => `${code} ${times}`).join(", ") || "none"}`,
    `  faults: ${faults.length}`,
    ...(growth === null ? [] : renderGrowth(growth, settledTurns)),
    "",
  ].join("\n");
}

function renderGrowth({ samples, bytesPerTurn, peaks, storeBytesAfterGc }: Growth, settledTurns: number): string[] {
  const [first, last] = [samples[0], samples.at(-1)];
  const grown = (last?.storeBytes ?? 0) - (first?.storeBytes ?? 0);
  return [
    `  store, KiB by second: ${samples.map(({ second, storeBytes }) => `${second}: ${toKib(storeBytes)}`).join(", ")}`,
    `  store grew ${Math.round(grown / Math.max(settledTurns, 1))} bytes a turn; after gc it has ${toKib(storeBytesAfterGc)} KiB`,
    "  bytes of rows a turn: grown, after gc --keep-events=5, after archiving and gc --keep-events=0",
    ...bytesPerTurn.map(({ table, ...bytes }) => `    ${table}: ${bytes.grown}, ${bytes.compacted}, ${bytes.least}`),
    `  Workstation, MiB: ${samples.map(({ serverRssBytes }) => Math.round(serverRssBytes / 2 ** 20)).join(" ")}`,
    `  Workstation, file handles: ${samples.map(({ serverHandles }) => serverHandles).join(" ")}`,
    `  connections to the server: ${samples.map(({ connections }) => connections ?? "-").join(" ")}`,
    `  peak memory, MiB: ${[...peaks].map(([words, bytes]) => `${words} ${Math.round(bytes / 2 ** 20)}`).join(", ")}`,
  ];
}

function toKib(bytes: number): number {
  return Math.round(bytes / 1_024);
}
