import { join } from "node:path";
import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createWorld } from "../../support/cli-world.ts";
import { runProgram } from "../../support/run-program.ts";
import { startContextServerIn } from "../../support/context-server.ts";
import { readField, readText } from "../../support/read-field.ts";
import { startScriptedProvider, type ScriptedProvider } from "../../support/scripted-provider.ts";

const world = createWorld();
const env = { CRM_TOKEN: "anything" };
const turn = ["context", "turn", "--build=builds/current", "--binding=desk", "--store=traces"];
const scope = ["--objective=answer-ticket", "--consumer=support-agent"];
let provider: ScriptedProvider;

beforeAll(async () => {
  const item = { id: "CUST-1042", content: "On the Enterprise plan.", unit: "C" };
  provider = await startScriptedProvider(() => ({ body: { contract: "context-provider.v1", items: [item] } }));
  await world.call(["context", "init", "--output=desk", "--id=desk"]);
  const binding = join(world.loopxHome, "context", "desk", "context-binding.json");
  const url = `${provider.url}/context`;
  writeFileSync(binding, readFileSync(binding, "utf8").replace("http://127.0.0.1:8787/context", url));
  await world.call(["context", "build", "--project=desk", "--output=builds"]);
});
afterAll(async () => {
  await provider.stop();
  world.remove();
});

async function show(args: readonly string[]): Promise<string> {
  const options = { cwd: world.project, env: { ...world.env, ...env } };
  return (await runProgram(process.execPath, [world.program, ...args], options)).stdout;
}

test("a value that doesn't match is blamed on the input, and nobody is asked", async () => {
  provider.calls.length = 0;
  const shown = await show([...turn, ...scope, "--input=customerId=OSLO"]);
  expect(shown).toContain(
    "Customer data was not asked (INVALID_REQUEST): the input customerId does not match its pattern.",
  );
  expect(shown).not.toMatch(/OSLO|CUST-\[/);
  expect(provider.calls).toEqual([]);
});

test("an input that nobody asks for is told of with what was meant, on the command line and over HTTP", async () => {
  const says = 'no layer or provider asks for the input "custmerId" (did you mean "customerId"?)';
  const shown = await show([...turn, ...scope, "--input=custmerId=CUST-1042"]);
  expect(shown).toContain(`\nignored  ${says}\n`);
  const server = await startContextServerIn({ world, folder: world.project, env: { ...world.env, ...env } }, [
    "--build=builds/current",
    "--binding=desk",
    "--store=traces",
  ]);
  const inputs = { custmerId: "CUST-1042" };
  const answer = await fetch(`${server.url}/v1/turns`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ objective: "answer-ticket", consumer: "support-agent", inputs }),
  });
  expect(answer.status).toBe(200);
  expect(readField(await answer.json(), "ignored_inputs")).toEqual([{ input: "custmerId", says }]);
  server.signal("SIGTERM");
  await server.ended;
});

test("a refused answer is told with reason and place, in the turn, in its text and in its trace, and without a value", async () => {
  const { json } = await world.run([...turn, ...scope, "--input=customerId=CUST-1042"], { env });
  expect(readField(json, "layers", 1)).toMatchObject({
    provider_status: "INVALID_RESPONSE",
    provider_reason: "UNKNOWN_FIELD",
    provider_pointer: "/items/0/unit",
  });
  const why = "INVALID_RESPONSE (UNKNOWN_FIELD at /items/0/unit)";
  expect(await show([...turn, ...scope, "--input=customerId=CUST-1042"])).toContain(`customer-data ${why}`);
  const trace = ["--store=traces", "--binding=desk", `--trace-id=${readText(json, "trace_id")}`];
  const shown = await show(["context", "traces", "show", ...trace]);
  expect(shown).toContain("\ncustomer-data INVALID_RESPONSE UNKNOWN_FIELD at /items/0/unit\n");
  expect(shown).not.toMatch(/CUST-1042|Enterprise/);
});

test("one of a thing is said in the singular", async () => {
  await world.call(["context", "turn", "--build=builds/current", "--binding=desk", "--store=one", ...scope], { env });
  expect(await show(["context", "traces", "verify", "--store=one", "--binding=desk"])).toContain("1 trace, whole");
  const built = await show(["context", "build", "--project=desk", "--output=builds"]);
  expect(built).toContain("1 piece of static material");
});
