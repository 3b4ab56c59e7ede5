import { cpSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openMcpSession, type McpSession } from "../../support/mcp-session.ts";
import { readText } from "../../support/read-field.ts";
import { createSupportDesk } from "../../support/support-desk.ts";

const desk = await createSupportDesk();
let session: McpSession;

const REQUEST = {
  objective: "answer-ticket",
  consumer: "support-agent",
  input: ["customerId=CUST-1042", "orderId=ORD-20001"],
};

beforeAll(async () => {
  // The owner keeps the desk's binding in the LoopX home.
  cpSync(join(desk.folder, "deployment"), join(desk.world.loopxHome, "context", "support-desk"), { recursive: true });
  session = await openMcpSession(desk.world, { cwd: desk.folder, env: desk.env });
});

afterAll(async () => {
  await session.close();
  await desk.remove();
});

test("an agent learns what is true now, by the name of an owner's binding", async () => {
  const turn = await session.done("context_turn", { ...REQUEST, build: desk.build, binding: "support-desk" });
  expect(turn).toMatchObject({ contract: "context-turn.v1", outcome: "READY", traced: false });
  expect(readText(turn, "rendered")).toContain("Enterprise plan");
});

test("no binding in a file is taken, no trace is written, and nothing is fetched for a turn", async () => {
  const file = "./deployment/context-binding.json";
  const given = { ...REQUEST, build: desk.build };
  for (const [tool, more, code] of [
    ["context_turn", { ...given, binding: file }, "invalid_value"],
    ["context_turn", { ...given, binding: join(desk.folder, file) }, "invalid_value"],
    ["context_turn", { ...given, binding: "support-desk", store: "traces" }, "unknown_flag"],
    ["quota_should_run", { goal_id: "g", agent_id: "a", context_profile: "support" }, "unknown_flag"],
  ] as const) {
    expect(await session.call(tool, more)).toMatchObject({ isError: true, packet: { error: { code } } });
  }
});

test("a preview shows what a turn would select, and calls nobody", async () => {
  await desk.crm.stop();
  const preview = await session.call("context_preview", { ...REQUEST, project: "project" });
  expect(preview).toMatchObject({ isError: false, packet: { evaluation: { providers: "FIXTURE" } } });
  await desk.restartCrm([]);
});
