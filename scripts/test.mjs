// The checks behind `npm test` and `npm run test:long`. Each step says what it does; the last line counts everything.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { installNewerNode, NEWER_NODE } from "./newer-node.mjs";
import { prepareCheckout, root, say } from "./prepare-checkout.mjs";

const isLong = process.argv.includes("--long");
const reportPath = join(root, ".build", "test-report.json");
const totals = { passed: 0, failed: 0, skipped: 0 };

prepareCheckout();
mkdirSync(join(root, ".build"), { recursive: true });

if (isLong) {
  suite("races, crashes and soak", ["--project", "long"]);
  if (process.getBuiltinModule("node:sqlite") === undefined) suiteOnNewerNode();
  check("the packed package installs and works", "node", ["scripts/check-pack.mjs"]);
} else {
  check("types", "npx", ["--no-install", "tsc", "-b", "--force"]);
  check("lint", "npm", ["run", "--silent", "lint"]);
  check("format", "npm", ["run", "--silent", "format:check"]);
  check("unused code and dependencies", "npm", ["run", "--silent", "unused"]);
  check("generated documents are fresh", "node", ["scripts/docs.mjs", "--check"]);
  check("generated plugins are fresh", "node", ["scripts/integrations.mjs", "--check"]);
  suite("unit, contract and architecture", ["--project", "unit"]);
  suite("the built program", ["--project", "e2e"]);
}

const line = `${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`;
process.stdout.write(`${line}\n`);
process.exit(totals.failed === 0 && totals.passed > 0 ? 0 : 1);

/** One program that passes or fails as a whole. */
function check(title, program, args) {
  say(`\n== ${title}`);
  const startedAt = Date.now();
  const { status } = spawnSync(program, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
  totals[status === 0 ? "passed" : "failed"] += 1;
  say(`== ${title}: ${status === 0 ? "ok" : "FAILED"} (${Math.round((Date.now() - startedAt) / 1000)} s)`);
}

/** One vitest run; its own counts are added. `of`: only tests with this in their name are run on purpose, and counted. */
function suite(title, args, { node = process.execPath, of = "" } = {}) {
  say(`\n== ${title}`);
  rmSync(reportPath, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${reportPath}`];
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const { status } = spawnSync(node, [vitest, "run", ...args, ...reporters], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
  });
  const results = readResults().filter((result) => result.fullName.includes(of));
  const count = (...states) => results.filter((result) => states.includes(result.status)).length;
  const failed = count("failed");
  const passed = count("passed");
  totals.passed += passed;
  totals.failed += failed;
  totals.skipped += results.length - passed - failed;
  // A suite that could not be loaded fails without a failed test; one that ran nothing shows nothing.
  if (failed === 0 && (status !== 0 || passed === 0)) totals.failed += 1;
}

/** What this Node counts as skipped: the store's contract over the driver that it lacks. */
function suiteOnNewerNode() {
  const of = "node:sqlite";
  const title = `the store's contract over ${of} on Node ${NEWER_NODE}`;
  try {
    const node = installNewerNode();
    suite(title, ["--project", "unit", "test/contract/database", "packages/store"], { node, of });
  } catch (error) {
    totals.failed += 1;
    say(`== ${title}: FAILED\n${error instanceof Error ? error.message : String(error)}`);
  }
}

function readResults() {
  try {
    return JSON.parse(readFileSync(reportPath, "utf8")).testResults.flatMap((file) => file.assertionResults);
  } catch {
    return [];
  }
}
