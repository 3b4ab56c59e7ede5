import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readText } from "../../support/read-field.ts";
import { createSupportDesk } from "../../support/support-desk.ts";
import { startWorkstation, type ServerOptions } from "../../support/workstation-server.ts";

const desk = await createSupportDesk();
const { world } = desk;
const GOAL = "--goal-id=desk-goal";

beforeAll(async () => {
  await world.call(["bootstrap", "--objective=Answer tickets", GOAL]);
  await world.call(["register-agent", GOAL, "--agent-id=a1", "--execute"]);
  await world.call([
    ...["context", "attach", GOAL, "--agent-id=a1", "--objective=answer-ticket", "--consumer=support-agent"],
    `--project=${join(desk.folder, "project")}`,
    `--binding=${join(desk.folder, "deployment", "context-binding.json")}`,
    `--store=${join(desk.folder, "traces")}`,
  ]);
});
afterAll(() => desk.remove());

async function readPlaces(options: ServerOptions = {}): Promise<unknown> {
  const server = await startWorkstation({ ...world, env: desk.env }, options);
  const { json } = await server.ask("/api/context/places", { headers: { cookie: await server.signIn() } });
  await server.stop();
  return json;
}

test("what a goal has attached is shown without being named, with the goal that uses it, and its traces are found", async () => {
  const traceId = readText((await desk.turn()).json, "trace_id");
  const server = await startWorkstation({ ...world, env: desk.env });
  const cookie = await server.signIn();
  expect((await server.ask("/api/context/places", { headers: { cookie } })).json).toMatchObject({
    places: [
      {
        label: "support-desk",
        named_at_start: false,
        attached_to: [{ goal_id: "desk-goal", profile: "support", objective: "answer-ticket" }],
      },
    ],
    unread: [],
  });
  expect((await server.ask(`/api/context/traces/${traceId}`, { headers: { cookie } })).json).toMatchObject({
    trace: { id: traceId },
  });
  await server.stop();
});

test("nothing that a project attached is followed on a machine that has no reason to trust the project", async () => {
  const elsewhere = join(world.directory, "other-home");
  mkdirSync(elsewhere);
  const registry = join(world.loopxHome, "registry.global.json");
  expect(await readPlaces({ flags: [`--registry=${registry}`], env: { LOOPX_HOME: elsewhere } })).toMatchObject({
    places: [],
    unread: [{ code: "project_not_trusted" }],
  });
});

test("each trace store that is named at start is a place of its own, with the same project and binding", async () => {
  const flags = [
    ...[`--context-project=${join(desk.folder, "project")}`, "--binding=desk"],
    ...[`--traces=${join(desk.folder, "traces")}`, `--traces=${join(desk.folder, "other-traces")}`],
  ];
  expect(await readPlaces({ flags })).toMatchObject({
    places: [{ named_at_start: true, keeps_traces: true }, { named_at_start: true }, { named_at_start: false }],
  });
});
