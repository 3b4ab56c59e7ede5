import { build, type Plugin } from "esbuild";
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** One fault put into the CLI: in the source file, this text becomes that text. */
export interface PlantedFault {
  /** Path of the file below `packages/`. */
  readonly file: string;
  readonly replace: string;
  readonly by: string;
}

export interface PlantedCli {
  readonly program: string;
  readonly remove: () => void;
}

const repository = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Builds the CLI with faults in it, to show that a check turns red when the rule it guards is missing.
 *
 * Throws when a text to replace is not in its file exactly once: the fault must follow the source.
 */
export async function buildPlantedCli(faults: readonly PlantedFault[]): Promise<PlantedCli> {
  const outdir = mkdtempSync(join(tmpdir(), "loopx-planted-"));
  symlinkSync(join(repository, "node_modules"), join(outdir, "node_modules"));
  const planted = new Set<PlantedFault>();
  await build({
    entryPoints: { main: join(repository, "packages/loopx/src/main.ts") },
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    mainFields: ["module", "main"],
    external: ["better-sqlite3"],
    define: { LOOPX_VERSION: JSON.stringify("0.0.0-planted") },
    logLevel: "warning",
    plugins: [plantFaults(faults, planted)],
  });
  const missing = faults.filter((fault) => !planted.has(fault));
  if (missing.length > 0) throw new Error(`not bundled: ${missing.map((fault) => fault.file).join(", ")}`);
  return { program: join(outdir, "main.mjs"), remove: () => rmSync(outdir, { recursive: true, force: true }) };
}

function plantFaults(faults: readonly PlantedFault[], planted: Set<PlantedFault>): Plugin {
  return {
    name: "plant-faults",
    setup({ onLoad }) {
      onLoad({ filter: /packages\/.*\.ts$/ }, ({ path }) => {
        const own = faults.filter((fault) => path.endsWith(`/packages/${fault.file}`));
        if (own.length === 0) return undefined;
        let contents = readFileSync(path, "utf8");
        for (const fault of own) {
          const parts = contents.split(fault.replace);
          if (parts.length !== 2) throw new Error(`${fault.file} holds the text to replace ${parts.length - 1} times`);
          contents = parts.join(fault.by);
          planted.add(fault);
        }
        return { contents, loader: "ts" };
      });
    },
  };
}
