// Generates the plugins for hosts from the installer's own sources; `--check` only compares.
import { build } from "esbuild";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./prepare-checkout.mjs";

/** Folders that hold nothing else: a file in them that is not generated is a leftover. */
const FOLDERS = ["integrations", ".claude-plugin", ".agents"];

const bundle = join(root, ".build", "integrations.cjs");
await build({
  entryPoints: [join(root, "packages/host-commands/src/plugins/render-integrations.ts")],
  outfile: bundle,
  bundle: true,
  format: "cjs",
  platform: "node",
  target: "node20",
  logLevel: "warning",
});
const { renderIntegrations } = await import(pathToFileURL(bundle).href);
const { version } = JSON.parse(await readFile(join(root, "packages/loopx/package.json"), "utf8"));

const files = new Map(renderIntegrations(version).map(({ path, text }) => [path, text]));
const isCheck = process.argv.includes("--check");
const stale = [];
for (const [path, text] of files) {
  if ((await readFile(join(root, path), "utf8").catch(() => undefined)) === text) continue;
  stale.push(path);
  if (isCheck) continue;
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}
for (const path of (await Promise.all(FOLDERS.map(listFiles))).flat()) {
  if (files.has(path)) continue;
  stale.push(path);
  if (!isCheck) await rm(join(root, path));
}
if (stale.length > 0 && isCheck) {
  process.stderr.write(`integrations are stale: ${stale.join(", ")}; run npm run integrations\n`);
  process.exit(1);
}
if (stale.length > 0) process.stdout.write(`renewed ${stale.length} files of the plugins\n`);

async function listFiles(folder) {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length).replaceAll("\\", "/"));
}
