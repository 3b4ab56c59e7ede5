// What every script needs first: installed dependencies and a bundle that is as new as its sources.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));
/** One JSON report of each suite's last run. */
export const REPORTS = join(root, ".build", "test-reports");
const installedMark = join(root, "node_modules", ".package-lock.json");

/** Installs when nothing is installed or the lock file is newer, then builds when a source is newer than the bundle. */
export function prepareCheckout() {
  requireNode();
  if (!existsSync(installedMark) || isNewer(join(root, "package-lock.json"), installedMark)) {
    say("installing dependencies (about two minutes the first time: the SQLite driver is compiled) …");
    runOrExit("npm", ["ci", "--no-audit", "--no-fund"]);
  }
  requireDriver();
  if (isBundleStale()) runOrExit(process.execPath, [join(root, "scripts", "build.mjs")]);
}

export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** Runs a program with our own output; ends this process with its code when it fails. */
export function runOrExit(program, args) {
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
  if (error) say(`${program}: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

/** npm leaves an optional package out without a word when it does not compile; nothing here works without it. */
function requireDriver() {
  if (hasDriver()) return;
  say("the SQLite driver is missing; compiling it again (needs a C++ compiler, make, Python 3 and Node's headers) …");
  runOrExit("npm", ["install", "--no-save", "--foreground-scripts", "better-sqlite3@12.11.1"]);
  if (hasDriver()) return;
  say("the SQLite driver could not be compiled; see above. Node 22.13 and newer needs no driver of ours.");
  process.exit(5);
}

function hasDriver() {
  if (process.getBuiltinModule?.("node:sqlite") !== undefined) return true;
  try {
    const Database = createRequire(import.meta.url)("better-sqlite3");
    new Database(":memory:").close();
    return true;
  } catch {
    return false;
  }
}

function requireNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  say(`LoopX needs Node 20.19 or newer; this is ${process.versions.node}`);
  process.exit(6);
}

function isBundleStale() {
  const entry = join(root, "packages", "loopx", "dist", "main.cjs");
  if (!existsSync(entry)) return true;
  const builtAt = statSync(entry).mtimeMs;
  return readdirSync(join(root, "packages")).some((name) => newestIn(join(root, "packages", name, "src")) > builtAt);
}

function newestIn(folder) {
  if (!existsSync(folder)) return 0;
  return Math.max(
    0,
    ...readdirSync(folder, { withFileTypes: true }).map((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? newestIn(path) : statSync(path).mtimeMs;
    }),
  );
}

function isNewer(path, than) {
  return existsSync(path) && statSync(path).mtimeMs > statSync(than).mtimeMs;
}
