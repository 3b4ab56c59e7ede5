import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createInProcessWorld, type InProcessWorld } from "../in-process-world.ts";

const GOAL = "--goal-id=desk-goal";
const LANE = "--agent-id=a1";

const PROJECT = {
  contract: "context-project.v1",
  id: "desk",
  version: "1.0.0",
  objectives: [{ id: "answer" }],
  consumers: [{ id: "agent" }],
  profiles: [{ id: "support", budget: { bytes: 4096 }, layers: [{ layer: "customer", rule: "required" }] }],
  layers: [{ id: "customer", name: "Customer", bindings: [{ provider: "crm" }] }],
  providers: [{ id: "crm", name: "CRM", lookup: { input: "customerId", pattern: "^CUST-[0-9]$" }, maxItems: 1 }],
};

/** A goal with a todo about CUST-1, whose context a provider here answers; it does `meanwhile` at each lookup. */
async function openDesk(meanwhile: (world: InProcessWorld, lookups: readonly string[]) => Promise<unknown>): Promise<{
  readonly world: InProcessWorld;
  readonly lookups: readonly string[];
}> {
  const world = createInProcessWorld();
  const lookups: string[] = [];
  const answer = async (value: string): Promise<string> => {
    lookups.push(value);
    await meanwhile(world, lookups);
    const items = [{ id: value, content: `facts of ${value}` }];
    return JSON.stringify({ contract: "context-provider.v1", currentness: "CURRENT", items });
  };
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (part: string) => (text += part));
    request.on("end", () => {
      response.setHeader("content-type", "application/json");
      const { value } = JSON.parse(text) as { readonly value: string };
      void answer(value).then((body) => response.end(body));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    world.remove();
  });
  const desk = join(world.directory, "project", "desk");
  const deployment = join(world.directory, "deployment");
  for (const folder of [desk, deployment]) mkdirSync(folder);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/context`;
  const providers = { crm: { type: "http", url, timeoutMs: 10_000 } };
  const binding = { contract: "context-binding.v1", id: "desk", providers, keyset: "file:keys.json" };
  writeFileSync(join(desk, "context.project.json"), JSON.stringify(PROJECT));
  writeFileSync(join(deployment, "context-binding.json"), JSON.stringify(binding));
  await world.must(["context", "keys", "create", `--output=${join(deployment, "keys.json")}`]);
  await world.must(["bootstrap", "--objective=Answer", GOAL]);
  await world.must(["register-agent", GOAL, LANE, "--execute"]);
  await addTodo(world, "P2", "CUST-1");
  const asks = ["--objective=answer", "--consumer=agent", "--input=customerId=todo.target_key"];
  const places = ["--project=desk", `--binding=${join(deployment, "context-binding.json")}`];
  await world.must(["context", "attach", GOAL, LANE, ...places, ...asks]);
  return { world, lookups };
}

function addTodo(world: InProcessWorld, priority: string, key: string): Promise<unknown> {
  return world.must(["todo", "add", GOAL, `--text=about ${key}`, `--priority=${priority}`, `--target-key=${key}`]);
}

const ask = (world: InProcessWorld): Promise<unknown> =>
  world.run(["quota", "should-run", GOAL, LANE, "--context-profile=support"], "agent");

test("the store is free while facts are fetched; where another todo comes first by then, its facts are fetched", async () => {
  const { world, lookups } = await openDesk(async (open, asked) => {
    if (asked.length === 1) await addTodo(open, "P0", "CUST-2");
  });
  expect(await ask(world)).toMatchObject({
    decision: "run",
    todo: { text: "about CUST-2" },
    context: { outcome: "READY", rendered: expect.stringContaining("facts of CUST-2") },
  });
  expect(lookups).toEqual(["CUST-1", "CUST-2"]);
});

test("where every time another comes first, the answer is to wait, and no turn is opened", async () => {
  const { world, lookups } = await openDesk(async (open, asked) => {
    await open.must([
      "todo",
      "update",
      GOAL,
      `--todo-id=${await findFirst(open)}`,
      "--status=blocked",
      "--reason=moved",
    ]);
    await addTodo(open, "P2", `CUST-${asked.length + 1}`);
  });
  expect(await ask(world)).toMatchObject({ decision: "wait", should_run: false, reason: "context_outdated" });
  expect(lookups).toEqual(["CUST-1", "CUST-2", "CUST-3"]);
  expect(await world.must(["quota", "status", GOAL])).toMatchObject({ ok: true });
  expect(JSON.stringify(await world.must(["history", GOAL]))).not.toContain("turn_opened");
});

async function findFirst(world: InProcessWorld): Promise<string> {
  const { todos } = (await world.must(["todo", "list", GOAL, "--status=open"])) as unknown as {
    readonly todos: readonly { readonly todo_id: string }[];
  };
  return todos[0]?.todo_id ?? "";
}
