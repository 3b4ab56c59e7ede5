import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { attachContext, bindThread, compactGoal, exportProject, importProject, newGate } from "../../src/index.ts";
import { draftAttachment, randomCommands, runCommand, type RandomCommand } from "../random-commands.ts";
import {
  a1,
  accepted,
  createPlace,
  GOAL,
  openWorld,
  OWNER,
  PROJECT,
  START,
  type World,
} from "../control-plane-world.ts";
import { contentOf } from "../store-content.ts";

interface Line {
  readonly table: string;
  readonly row: Record<string, unknown>;
}

/** A project in which every column that may be empty is filled somewhere. */
async function openRichWorld(): Promise<World> {
  const world = await openWorld();
  const binding = { goalId: GOAL, projectId: PROJECT, hostSurface: "codex-cli", threadId: "t1", agentId: "a1" };
  accepted(await bindThread(world.home, world.project, { ...binding, actor: OWNER }, world.ambient));
  const first = await world.add("first", {
    priority: 0,
    validation: { argv: ["npm", "test"], label: "tests", timeout_ms: 1000 },
  });
  await world.add("second", { depends_on: [first.id] });
  await world.add("later", { resume: `todo_done:${first.id}` });
  await world.add("may I?", { role: "user", task_class: "user_gate", gate: newGate("decision", [first.id]) });
  await world.add("watch", { task_class: "monitor", cadence_ms: 60_000, priority: 0 });
  const { turnId } = await world.run("a1");
  accepted(await world.show("a1", turnId, { files: [{ path: "out.txt", sha256: "0".repeat(64), bytes: 1 }] }));
  accepted(await attachContext(world.project, { caller: a1, attachment: draftAttachment() }, world.ambient));
  const policy = { olderThanMs: null, keepEvents: 1 };
  accepted(await compactGoal(world.project, { goalId: GOAL, actor: OWNER, policy, archive: null }, world.ambient));
  return world;
}

async function exportRows(world: World): Promise<readonly Line[]> {
  return world.project.read(async (tx) => {
    const lines: Line[] = [];
    for await (const line of exportProject(tx, { goalId: null, isPublic: false, now: START })) {
      const parsed = JSON.parse(line) as Partial<Line>;
      if (parsed.table !== undefined && parsed.row !== undefined) lines.push({ table: parsed.table, row: parsed.row });
    }
    return lines;
  });
}

function toFile(rows: readonly Line[]): readonly string[] {
  const head = { schema_version: "loopx_export_v1", public: false, exported_at: START };
  return [head, ...rows, { end: true, rows: rows.length }].map((line) => JSON.stringify(line));
}

const GATE = JSON.stringify(newGate("decision", []));
const TOKEN = `ghp_${"a1B2".repeat(9)}`;

type Place = readonly [table: string, nth: number, column: string];

/** Table, which of its rows, column, what stands there instead, and the place that is named where it is another. */
const hostile: readonly (readonly [...Place, unknown, Place?])[] = [
  ["goals", 0, "status", "paussed"],
  ["goals", 0, "objective", 7],
  ["goals", 0, "objective", `use ${TOKEN}`],
  ["goals", 0, "revision", 0],
  ["goals", 0, "budget_window_turns", 3],
  ["goals", 0, "created_at", "yesterday"],
  ["goals", 0, "updated_at", "2026-03-01T12:00:00Z"],
  ["agents", 0, "agent_id", "../a1"],
  ["agents", 0, "registered_at", null],
  ["thread_bindings", 0, "thread_id", "a b"],
  ["thread_bindings", 0, "status", "free"],
  ["thread_bindings", 0, "is_verified", 2],
  ["thread_bindings", 0, "host_surface", ""],
  ["todos", 0, "todo_id", "todo_1'; --"],
  ["todos", 0, "role", "root"],
  ["todos", 0, "role", "user", ["todos", 0, "task_class"]],
  ["todos", 0, "task_class", "user_action"],
  ["todos", 0, "status", 1],
  ["todos", 0, "status", "running"],
  ["todos", 0, "text", ""],
  ["todos", 0, "text", "x".repeat(4001)],
  ["todos", 0, "text", `token ${TOKEN}`],
  ["todos", 0, "priority", 9],
  ["todos", 0, "position", "first"],
  ["todos", 0, "action_kind", "Rm -rf"],
  ["todos", 0, "depends_on", "null"],
  ["todos", 0, "depends_on", "{}"],
  ["todos", 0, "depends_on", "[7]"],
  ["todos", 0, "depends_on", '["todo_999999"]'],
  ["todos", 1, "depends_on", "[]", ["todo_dependencies", 0, "depends_on_id"]],
  ["todos", 0, "resume", "after:soon"],
  ["todos", 0, "resume", "todo_done:todo_999999"],
  ["todos", 0, "claimed_by", "A1"],
  ["todos", 0, "claim_epoch", -1],
  ["todos", 0, "claim_expires_at", "9"],
  ["todos", 0, "claim_expires_at", "2999-01-01T00:00:00.000Z"],
  ["turns", 0, "lease_expires_at", "2999-01-01T00:00:00.000Z"],
  ["todos", 0, "validation", '{"argv":"rm -rf","label":null,"timeout_ms":1}'],
  ["todos", 0, "validation", '{"argv":[],"label":null,"timeout_ms":1}'],
  ["todos", 0, "validation", '{"argv":["x"],"label":null,"timeout_ms":0}'],
  ["todos", 0, "validation", '{"argv":["x"],"label":null,"timeout_ms":1,"shell":true}'],
  ["todos", 0, "validation", "[]"],
  ["todos", 0, "held_by", "root"],
  ["todos", 0, "gate", GATE],
  ["todos", 3, "gate", null],
  ["todos", 3, "gate", "{}"],
  ["todos", 3, "gate", GATE.replace('"decision":null', '"decision":"yes"')],
  ["todos", 3, "gate", GATE.replace('"blocks":[]', '"blocks":"goal"')],
  ["todos", 3, "gate", GATE.replace('"blocks":[]', '"blocks":["everything"]')],
  ["todos", 3, "gate", GATE.replace('"blocks":[]', '"blocks":["todo_999999"]')],
  ["todos", 3, "status", "done"],
  ["todos", 4, "cadence_ms", null],
  ["todos", 4, "due_at", 12],
  ["todos", 0, "completion", "later"],
  ["todos", 0, "successor_todo_id", "todo_999999"],
  ["todos", 0, "created_by", "admin"],
  ["todo_dependencies", 0, "depends_on_id", "todo_999999", ["todos", 1, "depends_on"]],
  ["turns", 0, "turn_id", "turn_1"],
  ["turns", 0, "todo_id", "todo_999999"],
  ["turns", 0, "state", "shut"],
  ["turns", 0, "holder", "two words"],
  ["turns", 0, "lease_expires_at", "2026-02-31T00:00:00.000Z"],
  ["evidence", 0, "evidence_id", "evidence_"],
  ["evidence", 0, "outcome", "great"],
  ["evidence", 0, "turn_id", "turn_999999"],
  ["evidence", 0, "todo_id", "todo_999999"],
  ["evidence", 0, "text", `password: ${TOKEN}`],
  ["evidence", 0, "files", '[{"path":"x"}]'],
  ["evidence", 0, "files", "{}"],
  ["evidence", 0, "validation", '{"status":"fine"}'],
  ["context_attachments", 0, "profile", "Default"],
  ["context_attachments", 0, "status", "loose"],
  ["context_attachments", 0, "context_project", "desk"],
  ["context_attachments", 0, "binding", "two words"],
  ["context_attachments", 0, "objective", ""],
  ["context_attachments", 0, "inputs", "[]"],
  ["context_attachments", 0, "inputs", '{"customerId":7}'],
  ["context_attachments", 0, "inputs", JSON.stringify({ customerId: TOKEN })],
  ["context_attachments", 0, "trace_store", ""],
  ["event_compactions", 0, "compaction_id", "../x"],
  ["event_compactions", 0, "through_seq", 999],
  ["event_compactions", 0, "removed_count", 0],
  ["event_compactions", 0, "archive", "../../etc/passwd"],
  ["event_compactions", 0, "archive_digest", "sha256:"],
  ["events", 0, "seq", 0],
  ["events", 0, "type", "toString"],
  ["events", 0, "entity", "turn"],
  ["events", 0, "actor", '{"kind":"owner","via":"mail"}'],
  ["events", 0, "actor", '{"kind":"agent"}'],
  ["events", 0, "image", "[]"],
  ["events", 0, "image", '{"goal_id":"repo-goal"}'],
];

describe("a row that no command could have written is refused with its line and column, and nothing is written", () => {
  for (const [table, nth, column, value, elsewhere] of hostile) {
    test(`${table}.${column}, row ${nth}: ${JSON.stringify(value)?.slice(0, 70)}`, async () => {
      const rows = await exportRows(await openRichWorld());
      const place: Place = [table, nth, column];
      const named = elsewhere ?? place;
      const find = ([from, index]: Place): Line => {
        const found = rows.filter((line) => line.table === from)[index];
        if (found === undefined) throw new Error(`no row ${index} of ${from}`);
        return found;
      };
      const chosen = find(place);
      expect(chosen.row).toHaveProperty(column);
      const changed = rows.map((line) => (line === chosen ? { table, row: { ...line.row, [column]: value } } : line));
      const target = await createPlace().open("state.db");
      const before = await contentOf(target);
      for (const isDryRun of [true, false]) {
        const answer = await importProject(target, toFile(changed), { isDryRun, now: START });
        const details = { line: rows.indexOf(find(named)) + 2, column: named[2] };
        expect(answer).toMatchObject({ ok: false, code: "import_invalid", details });
        expect(JSON.stringify(answer)).not.toContain(TOKEN);
      }
      expect(await contentOf(target)).toEqual(before);
    });
  }
});

test("todos that wait for each other are refused with the line of one of them", async () => {
  const rows = await exportRows(await openRichWorld());
  const todos = rows.filter((line) => line.table === "todos");
  const [first, second, later] = [0, 1, 2].map((at) => String(todos[at]?.row["todo_id"]));
  const edge = rows.findIndex((line) => line.table === "todo_dependencies");
  const waitFor = (needed: string | undefined): readonly Line[] =>
    rows
      .map((line) =>
        line === todos[0] ? { ...line, row: { ...line.row, depends_on: JSON.stringify([needed]) } } : line,
      )
      .toSpliced(edge, 0, {
        table: "todo_dependencies",
        row: { goal_id: GOAL, todo_id: first, depends_on_id: needed },
      });
  for (const [needed, columns] of [
    [second, ["depends_on"]],
    [later, ["depends_on", "resume"]],
  ] as const) {
    const changed = waitFor(needed);
    const places = [needed, first].map((id) => changed.findIndex((line) => line.row["todo_id"] === id) + 2);
    const target = await createPlace().open("state.db");
    const before = await contentOf(target);
    for (const isDryRun of [true, false]) {
      const answer = await importProject(target, toFile(changed), { isDryRun, now: START });
      expect(answer).toMatchObject({ code: "import_invalid", message: expect.stringContaining("waits for itself") });
      const { line, column } = (answer.ok ? undefined : answer.details) ?? {};
      expect(places).toContain(line);
      expect(columns).toContain(column);
    }
    expect(await contentOf(target)).toEqual(before);
  }
});

test("an image that hides a credential is refused", async () => {
  const rows = await exportRows(await openRichWorld());
  const changed = rows.map((line) =>
    line.table === "events"
      ? { ...line, row: { ...line.row, image: String(line.row["image"]).replace('"first"', `"use ${TOKEN}"`) } }
      : line,
  );
  expect(changed).not.toEqual(rows);
  const target = await createPlace().open("state.db");
  const answer = await importProject(target, toFile(changed), { isDryRun: true, now: START });
  expect(answer).toMatchObject({ code: "import_invalid", details: { column: "image" } });
});

test("a reason that an earlier version stored empty is imported as it is", async () => {
  const rows = await exportRows(await openRichWorld());
  const changed = rows.map((line) =>
    line.table === "todos" || line.table === "goals" ? { ...line, row: { ...line.row, reason: "" } } : line,
  );
  const target = await createPlace().open("state.db");
  expect(await importProject(target, toFile(changed), { isDryRun: false, now: START })).toMatchObject({ ok: true });
});

async function expectRoundTrip(commands: readonly RandomCommand[]): Promise<void> {
  const world = await openWorld();
  for (const command of commands) await runCommand(world, command);
  const rows = await exportRows(world);
  const target = await createPlace().open("state.db");
  accepted(await importProject(target, toFile(rows), { isDryRun: false, now: world.ambient.now() }));
  expect(await exportRows({ ...world, project: target })).toEqual(rows);
}

test("whatever commands have written, its export is imported and exported again the same", async () => {
  await fc.assert(fc.asyncProperty(randomCommands, expectRoundTrip), { numRuns: 20, seed: 3 });
});
