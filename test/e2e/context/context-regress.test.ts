import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readText } from "../../support/read-field.ts";
import type { ProgramResult } from "../../support/run-program.ts";
import { BINDING, createSupportDesk } from "../../support/support-desk.ts";
import { verifies } from "../../support/verifies.ts";

const desk = await createSupportDesk();
const baseline = readText((await desk.run(["build", "--project=project", "--output=builds"])).json, "build");

afterAll(() => desk.remove());

/** Builds the project as it is after an edit of one of its files. */
async function buildEdited(file: string, edit: (text: string) => string): Promise<string> {
  const path = join(desk.folder, "project", file);
  const before = readFileSync(path, "utf8");
  writeFileSync(path, edit(before));
  const built = await desk.run(["build", "--project=project", "--output=builds"]);
  writeFileSync(path, before);
  return readText(built.json, "build");
}

function regress(candidate: string, ...flags: readonly string[]): Promise<ProgramResult> {
  const words = ["--project=project", `--baseline=${baseline}`, `--candidate=${candidate}`];
  return desk.run(["regress", ...words, ...flags]);
}

test("the same tests on two builds say what a candidate changes, on fixtures alone", async () => {
  verifies("fixtures.regression", "fixtures.tests", "fixtures.deterministic");
  await desk.crm.stop();
  expect(await regress(baseline)).toMatchObject({
    exitCode: 0,
    json: {
      ok: true,
      verdict: "UNCHANGED",
      evaluation: { providers: "FIXTURE", determinism: "DETERMINISTIC" },
      counts: { total: 4, unchanged: 4 },
      tests: [],
    },
  });
  const candidate = await buildEdited("layers/house-rules.md", (text) => text.replace("Promise no", "Offer no"));
  const regressed = await regress(candidate, "--report=json=regress.json");
  expect((await regress(candidate)).stdout).toBe(regressed.stdout);
  expect(regressed).toMatchObject({
    exitCode: 1,
    json: {
      ok: false,
      verdict: "REGRESSED",
      counts: { unchanged: 1, changed: 1, regressed: 2 },
      tests: [
        {
          test: "everything-at-hand",
          status: "REGRESSED",
          layers: [
            {
              layer: "house-rules",
              because: [expect.stringMatching(/^layer house-rules changed: content/)],
              text: {
                removed: ["- Promise no refund; say that a colleague decides."],
                added: ["- Offer no refund; say that a colleague decides."],
              },
            },
          ],
        },
        {},
        {},
      ],
    },
  });
  const report: unknown = JSON.parse(readFileSync(join(desk.folder, "regress.json"), "utf8"));
  expect(report).toMatchObject({ tests: [{}, {}, { status: "UNCHANGED" }, {}] });
  await desk.restartCrm([]);
});

test("a thousand tests on two builds are one run", async () => {
  const one = { objective: "answer-ticket", consumer: "support-agent", inputs: { customerId: "CUST-1042" } };
  const tests = Array.from({ length: 1000 }, (_, at) => {
    const items = [{ id: "CUST-1042", content: `Account ${at}.` }];
    const providers = {
      "customer-data": { items },
      "ticket-history": { status: at % 2 === 0 ? "TIMEOUT" : "NOT_FOUND" },
    };
    return { id: `test-${at}`, ...one, providers, expect: [{ contains: `Account ${at}.` }] };
  });
  const path = join(desk.folder, "project", "context.project.yaml");
  const before = readFileSync(path, "utf8");
  const candidate = await buildEdited("layers/house-rules.md", (text) => text.replace("Promise no", "Offer no"));
  writeFileSync(path, before.replace(/^tests:[^]*$/m, `tests: ${JSON.stringify(tests)}\n`));
  const { json, exitCode } = await regress(candidate);
  writeFileSync(path, before);
  expect([exitCode, json]).toMatchObject([0, { verdict: "CHANGED", counts: { total: 1000, changed: 1000 } }]);
});

test("live providers are asked in so many words only, and the report says that it depends on them", async () => {
  verifies("fixtures.regression");
  const live = await regress(baseline, "--live", BINDING, "--filter=everything");
  expect(live).toMatchObject({
    json: { evaluation: { providers: "LIVE", determinism: "LIVE_DEPENDENT" }, counts: { total: 1, unchanged: 1 } },
  });
  const planning = await regress(baseline, "--live", BINDING, "--filter=planning");
  expect(planning.json).toMatchObject({ evaluation: { providers: "LIVE", determinism: "DETERMINISTIC" } });
  for (const flags of [["--live"], [BINDING]]) {
    expect(await regress(baseline, ...flags)).toMatchObject({ exitCode: 2, json: { error: { code: "missing_flag" } } });
  }
});

test("a build that isn't there is named as it was typed", async () => {
  const missing = await regress("builds/build-000000000000");
  expect(missing).toMatchObject({ exitCode: 6, json: { error: { code: "file_not_readable" } } });
  expect(readText(missing.json, "error", "message")).toContain("builds/build-000000000000");
});
