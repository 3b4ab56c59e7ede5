// The checks behind `npm test` and `npm run test:long`. Each step says what it does; the last line counts everything.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { installNewerNode, NEWER_NODE } from "./newer-node.mjs";
import { prepareCheckout, REPORTS, root, say } from "./prepare-checkout.mjs";

const isLong = process.argv.includes("--long");
const totals = { passed: 0, failed: 0, skipped: 0 };
/** What failed, to be said again at the end: a log may be long, or cut. */
const failures = [];
/** What failed once and passed when its file ran alone. */
const unsteady = [];

prepareCheckout();
// A report of an earlier run must not count for this one.
if (!isLong) rmSync(REPORTS, { recursive: true, force: true });
mkdirSync(REPORTS, { recursive: true });

if (isLong) {
  suite("races, crashes and soak", "long");
  if (process.getBuiltinModule("node:sqlite") === undefined) suiteOnNewerNode();
  check("the packed package installs and works", "node", ["scripts/check-pack.mjs"]);
} else {
  check("types", "npx", ["--no-install", "tsc", "-b", "--force"]);
  check("lint", "npm", ["run", "--silent", "lint"]);
  check("format", "npm", ["run", "--silent", "format:check"]);
  check("unused code and dependencies", "npm", ["run", "--silent", "unused"]);
  check("generated documents are fresh", "node", ["scripts/docs.mjs", "--check"]);
  check("generated plugins are fresh", "node", ["scripts/integrations.mjs", "--check"]);
  suite("unit, contract and architecture", "unit");
  suite("the built program", "e2e");
  suite("the Workstation in a browser", "browser", { mayBeSkipped: true });
  check("the conformance report is fresh", "node", ["scripts/conformance.mjs", "--check"]);
}

for (const test of unsteady) process.stdout.write(`unsteady: ${test}\n`);
for (const failure of failures) process.stdout.write(`failed: ${failure}\n`);
const line = `${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`;
process.stdout.write(`${line}\n`);
process.exit(totals.failed === 0 && totals.passed > 0 ? 0 : 1);

/** One program that passes or fails as a whole. */
function check(title, program, args) {
  say(`\n== ${title}`);
  const startedAt = Date.now();
  const { status } = spawnSync(program, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
  totals[status === 0 ? "passed" : "failed"] += 1;
  if (status !== 0) failures.push(title);
  say(`== ${title}: ${status === 0 ? "ok" : "FAILED"} (${Math.round((Date.now() - startedAt) / 1000)} s)`);
}

/**
 * One vitest run of a project; its own counts are added. `of`: only tests with this in their name are run on purpose, and
 * counted. `mayBeSkipped`: what it needs may not be there, and each test then counts as skipped.
 */
function suite(title, project, { paths = [], node = process.execPath, of = "", mayBeSkipped = false } = {}) {
  say(`\n== ${title}`);
  const { status, results: all } = runTests(project, paths, node);
  const results = all.filter((result) => result.fullName.includes(of));
  const failed = isLong ? results.filter(isFailed) : dropUnsteady(results.filter(isFailed), project, node);
  const passed =
    results.filter((result) => result.status === "passed").length + results.filter(isFailed).length - failed.length;
  totals.passed += passed;
  totals.failed += failed.length;
  totals.skipped += results.length - passed - failed.length;
  failures.push(...failed.map(describeFailure));
  // A suite that could not be loaded fails without a failed test; one that ran nothing shows nothing.
  if (!results.some(isFailed) && (status !== 0 || !hasRun(results, passed, mayBeSkipped))) {
    totals.failed += 1;
    failures.push(`${title}: the suite itself (exit code ${status}, ${passed} passed)`);
  }
}

function hasRun(results, passed, mayBeSkipped) {
  return passed > 0 || (mayBeSkipped && results.length > 0);
}

/**
 * What failed and fails again when its file runs alone. A test that then passes is unsteady: a fault of the test to be
 * mended, and said so, but no fault of the change. The long suite's kills and races hit another moment each time, so
 * nothing there is tried again.
 */
function dropUnsteady(failed, project, node) {
  const files = [...new Set(failed.map(({ file }) => file))];
  if (files.length === 0 || files.length > 3) return failed;
  say(`\n== once more, alone: ${files.join(", ")}`);
  const again = runTests(project, ["--no-file-parallelism", ...files], node, `${project}-again`).results;
  const passes = new Set(again.filter(({ status }) => status === "passed").map(nameOf));
  for (const result of failed) if (passes.has(nameOf(result))) unsteady.push(describeFailure(result));
  return failed.filter((result) => !passes.has(nameOf(result)));
}

function runTests(project, args, node, report = project) {
  const path = join(REPORTS, `${report}.json`);
  rmSync(path, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${path}`];
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const { status } = spawnSync(node, [vitest, "run", "--project", project, ...args, ...reporters], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
  });
  return { status, results: readResults(path) };
}

function isFailed({ status }) {
  return status === "failed";
}

function nameOf({ file, fullName }) {
  return `${file}: ${fullName}`;
}

/** What this Node counts as skipped: the store's contract over the driver that it lacks. */
function suiteOnNewerNode() {
  const of = "node:sqlite";
  const title = `the store's contract over ${of} on Node ${NEWER_NODE}`;
  try {
    const node = installNewerNode();
    suite(title, "unit", { paths: ["test/contract/database", "packages/store"], node, of });
  } catch (error) {
    totals.failed += 1;
    failures.push(title);
    say(`== ${title}: FAILED\n${error instanceof Error ? error.message : String(error)}`);
  }
}

/** One line for a failed test: where it is, what it is called, and the first line of why. */
function describeFailure(result) {
  const why = stripVTControlCharacters(result.failureMessages?.[0] ?? "")
    .split("\n")[0]
    .slice(0, 300);
  return `${nameOf(result)}: ${why}`;
}

function readResults(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.map((result) => ({ ...result, file: relative(root, name) })),
    );
  } catch {
    return [];
  }
}
