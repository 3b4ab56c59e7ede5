// Bundles the CLI: one ESM entry with lazily loaded chunks. The metafile is what the entry-chunk pin reads.
import { build } from "esbuild";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import { fileURLToPath } from "node:url";

const root = new URL("..", import.meta.url);
const target = fileURLToPath(new URL("packages/loopx/dist", root));
// Built beside the one in use and put in its place whole: a command that runs meanwhile never finds half a bundle.
const outdir = `${target}.${process.pid}`;
const entry = fileURLToPath(new URL("packages/loopx/src/main.ts", root));
// A provider's SQLite file is read in a process of its own: this is its program.
const sqliteChild = fileURLToPath(new URL("packages/runtime-context/src/providers/sqlite/sqlite-child.ts", root));
const isQuiet = process.argv.includes("--quiet");
const { version } = JSON.parse(await readFile(new URL("packages/loopx/package.json", root), "utf8"));

const builtinNames = new Set([...builtinModules, "sqlite"]);

/**
 * An ESM import of a Node builtin reads every export once, and for `node:fs` that loads the stream classes: 3 ms of CPU
 * on Node 20. `process.getBuiltinModule` loads the module alone, and each name is read only where it is used.
 *
 * A library in CommonJS calls `require` for them, which an ES module doesn't have: it gets them the same way.
 */
const builtinsOnDemand = {
  name: "builtins-on-demand",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path, kind }) => {
      if (kind === "require-call") return { path, namespace: "required-builtin" };
      // One that this Node lacks (node:sqlite) is only ever imported where it is known to exist.
      const isBundled = kind === "import-statement" && process.getBuiltinModule(path) !== undefined;
      return isBundled ? { path, namespace: "builtin", sideEffects: false } : { path, external: true };
    });
    onResolve({ filter: /^[a-z_]+(\/[a-z_]+)?$/ }, ({ path, kind }) => {
      const isRequired = kind === "require-call" && builtinNames.has(path);
      return isRequired ? { path: `node:${path}`, namespace: "required-builtin" } : undefined;
    });
    onLoad({ filter: /.*/, namespace: "required-builtin" }, ({ path }) => ({
      contents: [
        `const builtin = process.getBuiltinModule(${JSON.stringify(path)});`,
        `if (builtin === undefined) throw new Error(${JSON.stringify(`this Node has no ${path}`)});`,
        "module.exports = builtin;",
      ].join("\n"),
    }));
    onLoad({ filter: /.*/, namespace: "builtin" }, ({ path }) => {
      const names = Object.keys(process.getBuiltinModule(path)).filter(
        (name) => /^[A-Za-z_$][\w$]*$/.test(name) && name !== "default",
      );
      return {
        contents: [
          `const builtin = process.getBuiltinModule(${JSON.stringify(path)});`,
          "export default builtin;",
          ...names.map(
            (name) => `const $${name} = /* @__PURE__ */ (() => builtin.${name})();\nexport { $${name} as ${name} };`,
          ),
        ].join("\n"),
      };
    });
  },
};

if (!existsSync(entry)) process.exit(0);
const result = await build({
  entryPoints: { main: entry, "sqlite-child": sqliteChild },
  outdir,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20",
  mainFields: ["module", "main"],
  external: ["better-sqlite3"],
  plugins: [builtinsOnDemand],
  metafile: true,
  legalComments: "none",
  define: { LOOPX_VERSION: JSON.stringify(version) },
  logLevel: "warning",
});
await mkdir(outdir, { recursive: true });
await writeFile(
  `${outdir}/metafile.json`,
  JSON.stringify(result.metafile).replaceAll(`packages/loopx/dist.${process.pid}/`, "packages/loopx/dist/"),
);
await rm(target, { recursive: true, force: true });
await rename(outdir, target);
if (!isQuiet) {
  const bytes = Object.values(result.metafile.outputs).reduce((sum, output) => sum + output.bytes, 0);
  process.stdout.write(`built packages/loopx/dist (${Math.round(bytes / 1024)} KiB)\n`);
}
