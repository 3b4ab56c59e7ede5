import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toInstant } from "@loopx/contracts";
import {
  EVENT_TYPES,
  exportProject,
  importProject,
  loadStateAt,
  type EntityKind,
} from "@loopx/control-plane";
import { PROJECT_SCHEMA } from "../../../packages/loopx/src/project/project-schema.ts";
import { openSqlite } from "@loopx/store";
import { expect, test } from "vitest";

const here = import.meta.dirname;
const images = JSON.parse(readFileSync(join(here, "event-images.v1.json"), "utf8")) as Record<EntityKind, object>;
const types = JSON.parse(readFileSync(join(here, "event-types.v1.json"), "utf8")) as string[];
const now = toInstant(0);

test("every event type that was ever shipped is still known", () => {
  expect(Object.keys(EVENT_TYPES)).toEqual(expect.arrayContaining(types));
});

test("an event as it was written first is still read, image by image, field by field", async () => {
  const directory = mkdtempSync(join(tmpdir(), "loopx-formats-"));
  const database = await openSqlite({
    path: join(directory, "state.db"),
    label: "state.db",
    access: "write",
    journal: "rollback",
    migrations: PROJECT_SCHEMA,
    create: true,
    now: () => now,
  });
  const lines = toExport();
  expect(await importProject(database, lines, { isDryRun: false, now })).toMatchObject({ ok: true });
  const state = await database.read((tx) => loadStateAt(tx, "repo-goal", types.length));
  for (const event of state) expect(event.image).toEqual(images[event.entity]);
  expect(new Set(state.map((event) => event.entity))).toEqual(new Set(Object.keys(images)));

  const again: string[] = [];
  await database.read(async (tx) => {
    for await (const line of exportProject(tx, { goalId: null, isPublic: false, now })) again.push(line);
  });
  expect(again.slice(1)).toEqual(lines.slice(1));
  await database.close();
  rmSync(directory, { recursive: true });
});

/** An export of version 1 with the frozen goal and one event of each type. */
function toExport(): readonly string[] {
  const rows = [
    { table: "goals", row: images.goal },
    ...types.toSorted().map((type, at) => ({ table: "events", row: toEventRow(type, at + 1) })),
  ];
  return [
    JSON.stringify({ schema_version: "loopx_export_v1", public: false, exported_at: now }),
    ...rows.map((row) => JSON.stringify(row)),
    JSON.stringify({ end: true, rows: rows.length }),
  ];
}

function toEventRow(type: string, seq: number): object {
  const { entity } = EVENT_TYPES[type as keyof typeof EVENT_TYPES];
  return {
    goal_id: "repo-goal",
    seq,
    type,
    at: "2026-11-30T12:00:00.000Z",
    actor: '{"kind":"process"}',
    entity,
    entity_id: "frozen",
    image: JSON.stringify(images[entity]),
  };
}
