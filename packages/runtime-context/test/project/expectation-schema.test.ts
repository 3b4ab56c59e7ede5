import { expect, test } from "vitest";
import { inspectContextProject } from "../../src/project/parse-context-project.ts";
import { JSON_FILE, PROJECT, testOf } from "../suite/suite-desk.ts";

test.each([
  [{}, "/0: must have exactly one of outcome, layer, provider, selected, "],
  [{ outcome: "READY", contains: "a" }, "/0: must have exactly one of outcome, layer,"],
  [{ layer: "rules" }, "/0: a layer needs one of state, reason, notSelectedBecause"],
  [{ provider: "order-data" }, "/0: a provider needs status too"],
  [{ not: { digest: "" } }, '/0: a digest that is still "" can\'t be negated: it would hold whatever the text is'],
  [
    { not: { any: [{ outcome: "READY" }, { digest: "" }] } },
    '/0: a digest that is still "" can\'t be negated: it would hold whatever the text is',
  ],
  [{ contains: "a", state: "EMPTY" }, "/0: state says nothing beside contains"],
  [{ provider: "order-data", status: "OK", state: "EMPTY" }, "/0: state says nothing beside provider"],
  [{ outcom: "READY" }, '/0/outcom: unknown key "outcom" (did you mean "outcome"?)'],
  [{ not: { contain: "a" } }, '/0/not/contain: unknown key "contain" (did you mean "contains"?)'],
  [{ any: [{ all: [{ unknow: "rules" }] }] }, '/0/any/0/all/0/unknow: unknown key "unknow" (did you mean "unknown"?)'],
  [{ outcome: "FINE" }, '/0/outcome: must be "READY" or "DEGRADED" or "BLOCKED"'],
  [{ matches: "(a" }, "/0/matches: the pattern does not compile"],
  [{ matches: "(?=a)" }, "/0/matches: the pattern does not compile"],
  [{ digest: "sha256:abc" }, '/0/digest: must be "sha256:" and 64 hexadecimal digits, or ""'],
  [{ all: [] }, "/0/all: must be at least 1 entry"],
  [{ order: ["rules", "custmer"] }, '/0/order/1: no layer has the id "custmer" (did you mean "customer"?)'],
  [{ unknown: "crm" }, '/0/unknown: no layer has the id "crm"'],
  [{ any: [{ not: { provider: "crm", status: "OK" } }] }, '/0/any/0/not/provider: no provider has the id "crm"'],
])("the expectation %j is refused, with its place and what would be right", async (expectation, said) => {
  const text = JSON.stringify({ ...PROJECT, tests: [testOf([expectation])] });
  const { project, findings } = await inspectContextProject(text, JSON_FILE);
  expect(project).toBeNull();
  expect(findings.map(({ pointer, message }) => `${pointer}: ${message}`)[0]).toContain(`/tests/0/expect${said}`);
});

test("a clock that names no moment is refused", async () => {
  const tests = [testOf([{ outcome: "READY" }], { clock: "2026-13-01T00:00:00Z" })];
  const { findings } = await inspectContextProject(JSON.stringify({ ...PROJECT, tests }), JSON_FILE);
  expect(findings.map(({ pointer, message }) => `${pointer}: ${message}`)).toEqual(["/tests/0/clock: names no moment"]);
});
