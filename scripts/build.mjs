// Bundles the CLI into CommonJS: on Node 20 the ESM loader alone costs a sixth of a hot command.
//
//   main.cjs                    what each process loads: decides which program runs the command
//   about.cjs                   help and version in one file: a start costs by files and bytes
//   should-run.cjs              the question that begins every turn, and every-turn.cjs the commands after it: with the
//                               command table without its words for people, since help and refusals of a line are others'
//   recall.cjs                  a one-off recall, lean too: the provider's process comes on top of its own
//   server-store.cjs            a project's store on a server, with PostgreSQL's driver
//   hook.cjs                    silence for an ordinary prompt; answer-hook.cjs answers the others
//   whole.cjs                   every command, with chunks that are loaded when needed
//   sqlite-child.cjs            reads a provider's SQLite file in a process of its own
//   context-client/             what `loopx/context-client` is: one module and its types
//   context-guide.md            what `loopx context guide` prints
//   workstation/                the page that `loopx workstation` serves
//   THIRD_PARTY_NOTICES.txt     licenses of the libraries in all this; sbom.cdx.json is the same for programs
//
//   extensions/<id>/            the providers that `extension install --bundled` knows: extension.toml and one program each
//
// First the kit for authors of providers, which is published as modules and types: packages/provider-sdk/dist.
//
// The metafiles are what the pins on start-up read.
import { build, transform } from "esbuild";
import { execFileSync } from "node:child_process";
import { chmod, copyFile, cp, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { build as buildPage } from "vite";
import { toLeanGroups } from "./lean-groups.mjs";
import { listBundledPackages, renderNotices, renderSbom } from "./third-party.mjs";

const root = new URL("..", import.meta.url);
const target = fileURLToPath(new URL("packages/loopx/dist", root));
// Built beside the one in use and put in its place whole: a command that runs meanwhile never finds half a bundle.
const outdir = `${target}.${process.pid}`;
const source = (path) => fileURLToPath(new URL(`packages/${path}`, root));
const isQuiet = process.argv.includes("--quiet");
const { version } = JSON.parse(await readFile(new URL("packages/loopx/package.json", root), "utf8"));

/** Packages that hold an advisory provider; the name is the extension's id. */
const BUNDLED_EXTENSIONS = ["session-history", "loopx-obelisk"];
/** Those that are published by themselves too. */
const PUBLISHED_EXTENSIONS = ["loopx-obelisk"];

const builtinNames = new Set([...builtinModules, "sqlite"]);

/** Builtins that Node doesn't load by itself, and that few commands need: `node:crypto` alone takes 5 ms. */
const LATE_BUILTINS = new Set([
  "node:child_process",
  "node:crypto",
  "node:fs/promises",
  "node:module",
  "node:os",
  "node:stream",
]);

/**
 * An import of a Node builtin reads every export once, and for `node:fs` that loads the stream classes: 3 ms of CPU on
 * Node 20. `process.getBuiltinModule` loads the module alone, and each name is read only where it is used. The functions
 * of a late builtin load it when they are called.
 *
 * A library in CommonJS calls `require` for them: it gets them the same way.
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
      const builtin = process.getBuiltinModule(path);
      const names = Object.keys(builtin).filter((name) => /^[A-Za-z_$][\w$]*$/.test(name) && name !== "default");
      const found = `process.getBuiltinModule(${JSON.stringify(path)})`;
      const isLate = LATE_BUILTINS.has(path);
      const toExport = (name) => {
        // A capital is a class: `new` needs the thing itself.
        const isFunction = typeof builtin[name] === "function" && /^[a-z]/.test(name);
        if (isLate && isFunction) return `(...values) => ${found}.${name}(...values)`;
        return `/* @__PURE__ */ (() => ${isLate ? found : "builtin"}.${name})()`;
      };
      return {
        contents: [
          isLate ? "" : `const builtin = ${found};`,
          `export default /* @__PURE__ */ (() => ${found})();`,
          ...names.map((name) => `const $${name} = ${toExport(name)};\nexport { $${name} as ${name} };`),
        ].join("\n"),
      };
    });
  },
};

/** A program that another one loads is found beside it when it runs, not bundled into it. */
const programsBeside = {
  name: "programs-beside",
  setup({ onResolve }) {
    onResolve({ filter: /^(?:\.\.?\/)+programs\/.*\.ts$/ }, ({ path, kind }) =>
      kind === "dynamic-import" ? { path: `./${basename(path, ".ts")}.cjs`, external: true } : undefined,
    );
  },
};

/**
 * A program in one file loads nothing later. What somebody else's function loads late is left out: bundled, it would make
 * a function of each module that it reaches, contracts among them, which V8 then reads twice. A test lists what is left.
 */
const nothingLate = {
  name: "nothing-late",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.?\// }, ({ path, kind }) =>
      kind === "dynamic-import" ? { path, external: true } : undefined,
    );
  },
};

/** The driver of PostgreSQL asks for its native twin only where somebody chose that one. */
const withoutNativeClient = {
  name: "without-native-client",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^pg-native$/ }, ({ path }) => ({ path, namespace: "left-out" }));
    onLoad({ filter: /.*/, namespace: "left-out" }, () => ({ contents: 'throw new Error("pg-native is not used");' }));
  },
};

/** The command table without what only help and refusals say of it: a third of its bytes. */
const leanCommandTable = {
  name: "lean-command-table",
  setup({ onLoad }) {
    onLoad({ filter: /\/command-table\/command-groups\.ts$/ }, async ({ path }) => {
      const { outputFiles } = await build({ ...bare, entryPoints: [path], format: "esm", write: false });
      const table = await import(
        `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`
      );
      const json = JSON.stringify(toLeanGroups(table.COMMAND_GROUPS));
      // A string is only passed over where the program is read: quicker than the same as an expression.
      return { contents: `export const COMMAND_GROUPS = JSON.parse(${JSON.stringify(json)});` };
    });
  },
};

const bare = {
  bundle: true,
  platform: "node",
  target: "node20",
  plugins: [builtinsOnDemand],
  logLevel: "warning",
};
const shared = {
  ...bare,
  outdir,
  outExtension: { ".js": ".cjs" },
  mainFields: ["module", "main"],
  conditions: ["@loopx/source"],
  external: ["better-sqlite3"],
  plugins: [programsBeside, withoutNativeClient, builtinsOnDemand],
  metafile: true,
  legalComments: "none",
  define: {
    LOOPX_VERSION: JSON.stringify(version),
    "import.meta.filename": "__filename",
    "import.meta.dirname": "__dirname",
  },
};
/** `import()` would start Node's ESM loader: 4 ms on Node 20. */
const commonJs = {
  format: "cjs",
  platform: "node",
  target: "node20",
  minify: true,
  supported: { "dynamic-import": false },
};

const smallPrograms = ["about", "should-run", "every-turn", "hook", "recall", "server-store"];

await compile(`${source("provider-sdk")}/tsconfig.build.json`, source("provider-sdk/dist"));
await mkdir(outdir, { recursive: true });
const results = [
  ...(await Promise.all(["main", ...smallPrograms.map((name) => `programs/${name}`)].map(buildInOneFile))),
  await buildInChunks(),
];
const extensions = await Promise.all(BUNDLED_EXTENSIONS.map((id) => buildExtension(id, `${outdir}/extensions/${id}`)));
const toFinal = (path) => path.replace(`dist.${process.pid}`, "dist");
const outputs = Object.fromEntries(
  results.flatMap(({ metafile }) =>
    Object.entries(metafile.outputs).map(([path, output]) => [
      toFinal(path),
      { ...output, imports: output.imports.map((one) => ({ ...one, path: toFinal(one.path) })) },
    ]),
  ),
);
const pageModules = await buildWorkstation(`${outdir}/workstation`);
compileTo(source("loopx/tsconfig.context-client.json"), `${outdir}/context-client`);
await copyFile(fileURLToPath(new URL("docs/guides/context.md", root)), `${outdir}/context-guide.md`);
await writeFile(`${outdir}/metafile.json`, JSON.stringify({ outputs }));
const bundled = listBundledPackages([
  ...[...results, ...extensions].flatMap(({ metafile }) => Object.keys(metafile.inputs)),
  ...pageModules,
]);
await writeFile(`${outdir}/THIRD_PARTY_NOTICES.txt`, renderNotices(bundled));
await writeFile(`${outdir}/sbom.cdx.json`, renderSbom(bundled, { name: "loopx", version }));
for (const id of PUBLISHED_EXTENSIONS) {
  const built = source(`${id}/dist.${process.pid}`);
  await cp(`${outdir}/extensions/${id}`, built, { recursive: true });
  await putInPlace(built, source(`${id}/dist`));
}
await putInPlace(outdir, target);
if (!isQuiet) {
  const bytes = Object.values(outputs).reduce((sum, output) => sum + output.bytes, 0);
  process.stdout.write(`built packages/loopx/dist (${Math.round(bytes / 1024)} KiB)\n`);
}

async function buildInOneFile(program) {
  const own = /every-turn|should-run|recall/.test(program) ? [leanCommandTable] : [];
  const plugins = [...shared.plugins, nothingLate, ...own];
  return build({ ...shared, ...commonJs, plugins, entryPoints: [source(`loopx/src/${program}.ts`)] });
}

/** esbuild splits ES modules only, so each chunk is made CommonJS after that. */
async function buildInChunks() {
  const entryPoints = {
    whole: source("loopx/src/programs/whole.ts"),
    "answer-hook": source("loopx/src/programs/answer-hook.ts"),
    "sqlite-child": source("runtime-context/src/providers/sqlite/sqlite-child.ts"),
  };
  const built = await build({ ...shared, entryPoints, format: "esm", splitting: true, write: false });
  for (const { path, text } of built.outputFiles) {
    const { code } = await transform(text, commonJs);
    await writeFile(path, code);
  }
  return built;
}

/** A manifest and the program it names, which starts by itself: no `node_modules` has to be where it is installed. */
async function buildExtension(id, place) {
  const program = `${place}/provider.cjs`;
  const built = await build({
    ...shared,
    ...commonJs,
    outdir: undefined,
    outfile: program,
    entryPoints: [source(`${id}/src/provider.ts`)],
    banner: { js: "#!/usr/bin/env node" },
  });
  await chmod(program, 0o755);
  await copyFile(source(`${id}/extension.toml`), `${place}/extension.toml`);
  return built;
}

/**
 * Every file by itself: the page's policy takes no script or style that stands in a document, and no image in an address.
 * The modules that came into it.
 */
async function buildWorkstation(place) {
  // A test runner says "test", and React would come with everything that helps who develops it.
  process.env.NODE_ENV = "production";
  const { output } = await buildPage({
    configFile: false,
    root: source("workstation"),
    logLevel: "warn",
    build: {
      outDir: place,
      emptyOutDir: true,
      target: "es2022",
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
  });
  return output.flatMap(({ moduleIds = [] }) => moduleIds);
}

/** Compiled, not bundled: what an author reads in an editor is the source, file by file. */
async function compile(project, place) {
  const built = `${place}.${process.pid}`;
  compileTo(project, built);
  await putInPlace(built, place);
}

function compileTo(project, folder) {
  const compiler = fileURLToPath(new URL("node_modules/typescript/bin/tsc", root));
  execFileSync(process.execPath, [compiler, "-p", project, "--outDir", folder], { stdio: "inherit" });
}

async function putInPlace(built, place) {
  await rm(place, { recursive: true, force: true });
  await rename(built, place);
}
