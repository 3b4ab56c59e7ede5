import { createBuild } from "../../src/build/create-build.ts";
import type { ContextBuild } from "../../src/build/context-build.ts";
import type { ContextProject } from "../../src/project/context-project.ts";
import { parseContextProject } from "../../src/project/parse-context-project.ts";
import type { Evaluation } from "../../src/suite/carry-out-turn.ts";
import { evaluateTest } from "../../src/suite/evaluate-test.ts";

const ITEM = { id: "CUST-1042", content: "On the Enterprise plan.", metadata: { plan: "Enterprise" } };

/** A test that passes and expects what is given: customer facts at hand, orders late. */
export function testOf(expect: readonly unknown[], parts: object = {}): object {
  return {
    id: "one",
    objective: "answer-ticket",
    consumer: "support-agent",
    inputs: { customerId: "CUST-1042", orderId: "ORD-20001" },
    providers: { "customer-data": { items: [ITEM] }, "order-data": { status: "TIMEOUT" } },
    expect,
    ...parts,
  };
}

export const PROJECT = {
  contract: "context-project.v1",
  id: "desk",
  version: "1.0.0",
  objectives: [{ id: "answer-ticket" }, { id: "plan-shift" }],
  consumers: [{ id: "support-agent" }],
  profiles: [
    {
      id: "support",
      budget: { bytes: 4096 },
      layers: [
        { layer: "rules", rule: "required", priority: 10 },
        { layer: "customer", rule: "required", priority: 20 },
        { layer: "orders", rule: "optional", priority: 30 },
      ],
    },
  ],
  layers: [
    { id: "rules", name: "Rules", bindings: [{ text: "Be brief.\n" }] },
    { id: "customer", name: "Customer", objectives: ["answer-ticket"], bindings: [{ provider: "customer-data" }] },
    { id: "orders", name: "Orders", objectives: ["answer-ticket"], bindings: [{ provider: "order-data" }] },
  ],
  providers: [
    { id: "customer-data", name: "CRM", lookup: { input: "customerId", pattern: "CUST-[0-9]{4}" }, maxItems: 2 },
    { id: "order-data", name: "Orders", lookup: { input: "orderId", pattern: "ORD-[0-9]{5}" }, maxItems: 1 },
  ],
};

export const JSON_FILE = { path: "context.project.json", format: "json" } as const;

export function createSuite(tests: readonly unknown[], change: object = {}): Promise<ContextProject> {
  return parseContextProject(JSON.stringify({ ...PROJECT, tests, ...change }), JSON_FILE);
}

export function buildOf(project: ContextProject): ContextBuild {
  return createBuild(project, new Map());
}

/** The turn of the first test. */
export async function evaluateFirst(project: ContextProject): Promise<Evaluation> {
  const [first] = project.tests;
  const evaluation = first === undefined ? undefined : await evaluateTest(buildOf(project), first);
  if (evaluation?.kind !== "evaluated") throw new Error(`not evaluated: ${evaluation?.kind}`);
  return evaluation;
}
