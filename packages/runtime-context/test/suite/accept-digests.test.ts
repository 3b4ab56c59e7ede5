import { isLoopxError } from "@loopx/contracts";
import { expect, test } from "vitest";
import { parseContextProject } from "../../src/project/parse-context-project.ts";
import { acceptDigests, listAcceptable } from "../../src/suite/accept-digests.ts";
import { runSuite, selectTests } from "../../src/suite/run-suite.ts";
import { buildOf, JSON_FILE, PROJECT, testOf } from "./suite-desk.ts";

const OLD = `sha256:${"0".repeat(64)}`;

/** What `--update` makes of a file. */
async function accept(text: string, source: { path: string; format: "json" | "jsonc" | "yaml" } = JSON_FILE) {
  const project = await parseContextProject(text, source);
  const report = await runSuite(buildOf(project), selectTests(project, []));
  const accepted = listAcceptable(project, report.tests);
  const written = await acceptDigests({ ...source, text }, project, accepted);
  const again = await parseContextProject(written, source);
  const after = await runSuite(buildOf(again), selectTests(again, []));
  return { accepted, written, verdicts: after.tests.map(({ status }) => status) };
}

test("a first digest and a changed one are written, and nothing else in the file", async () => {
  const tests = [testOf([{ digest: "" }, { outcome: "DEGRADED" }]), testOf([{ digest: OLD }], { id: "two" })];
  const text = JSON.stringify({ ...PROJECT, tests }, null, 2);
  const { accepted, written, verdicts } = await accept(text);
  const [first, second] = accepted;
  expect(accepted.map(({ test: id, before }) => [id, before])).toEqual([
    ["one", ""],
    ["two", OLD],
  ]);
  expect(written).toBe(
    text.replace('"digest": ""', `"digest": "${first?.after}"`).replace(OLD, second?.after ?? "missing"),
  );
  expect(verdicts).toEqual(["PASSED", "PASSED"]);
});

test("comments and form of a YAML file stay", async () => {
  const project = JSON.stringify({ ...PROJECT, tests: undefined }).slice(1, -1);
  const yaml = (first: string, second: string): string => `{ ${project}, # as JSON is YAML
  tests: [
    { id: one, objective: plan-shift, consumer: support-agent, expect: [{ digest: ${first} }] }, # golden
    { id: two, objective: plan-shift, consumer: support-agent, expect: [{ 'digest' : ${second} }] },
  ] }
`;
  const source = { path: "context.project.yaml", format: "yaml" } as const;
  const { accepted, written, verdicts } = await accept(yaml("''", OLD), source);
  const after = accepted.map((digest) => JSON.stringify(digest.after));
  expect(written).toBe(yaml(after[0] ?? "", after[1] ?? ""));
  expect(verdicts).toEqual(["PASSED", "PASSED"]);
});

test("a test in which anything else fails keeps its digest", async () => {
  const project = JSON.stringify({ ...PROJECT, tests: [testOf([{ digest: OLD }, { outcome: "READY" }])] });
  expect((await accept(project)).accepted).toEqual([]);
});

test("a file that quotes digests elsewhere is refused, and where to write is said", async () => {
  const items = [{ id: "CUST-1042", content: `digest: ${OLD}` }];
  const providers = { "customer-data": { items }, "order-data": { items: [] } };
  const text = JSON.stringify({ ...PROJECT, tests: [testOf([{ digest: "" }], { providers })] });
  const error: unknown = await accept(text).catch((thrown: unknown) => thrown);
  expect(isLoopxError(error) && [error.code, error.hint]).toEqual([
    "project_invalid",
    expect.stringMatching(/^write sha256:[0-9a-f]{64} at \/tests\/0\/expect\/0\/digest by hand$/),
  ]);
});
