import { readFile } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import type { Decide } from "./decision-properties.ts";
import type { DecisionMutant } from "./decision-mutants.ts";

const SOURCE = new URL("../../src/", import.meta.url);
const OUTPUT = new URL("../../../../.build/decision-mutants/", import.meta.url);

/** The decision as it would be without one guard; throws when the guard's text does not stand exactly once in its file. */
export async function buildMutant(mutant: DecisionMutant, name: string): Promise<Decide> {
  const path = fileURLToPath(new URL(mutant.file, SOURCE));
  const parts = (await readFile(path, "utf8")).split(mutant.find);
  if (parts.length !== 2) throw new Error(`${mutant.file} holds ${parts.length - 1} times: ${mutant.find}`);
  const contents = parts.join(mutant.replace);
  const outfile = fileURLToPath(new URL(`${name}.mjs`, OUTPUT));
  await build({
    entryPoints: [fileURLToPath(new URL("decision/decide-next.ts", SOURCE))],
    bundle: true,
    format: "esm",
    platform: "node",
    logLevel: "silent",
    outfile,
    plugins: [
      {
        name: "take-out-one-guard",
        setup: ({ onLoad }) =>
          onLoad({ filter: /\.ts$/ }, (loaded) => (loaded.path === path ? { contents, loader: "ts" } : undefined)),
      },
    ],
  });
  const { decideNext } = (await import(/* @vite-ignore */ `${pathToFileURL(outfile).href}?at=${Date.now()}`)) as {
    readonly decideNext: Decide;
  };
  return decideNext;
}
