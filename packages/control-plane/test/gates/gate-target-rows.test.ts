import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeRow } from "../../src/events/entity-table.ts";
import { newGate } from "../../src/index.ts";
import { TODOS } from "../../src/todos/todo-rows.ts";
import { accepted, openWorld, PROJECT_SCHEMA, type World } from "../control-plane-world.ts";
import { randomCommands, runCommand } from "../random-commands.ts";
import { rowsOf } from "../store-content.ts";

/** What the rows must be, told from the todos alone. */
async function expectedTargets(world: World): Promise<readonly object[]> {
  const todos = (await rowsOf(world.project, "todos")).map((row) => decodeRow(TODOS, row));
  return todos.flatMap(({ goal_id, todo_id, gate, status, priority, position }) => {
    const { kind, decision, ask_again_at, blocks = [] } = status === "superseded" ? {} : (gate ?? {});
    return blocks.map((target) => ({
      goal_id,
      gate_id: todo_id,
      target,
      kind,
      decision,
      ask_again_at,
      priority,
      position,
    }));
  });
}

const byKey = (rows: readonly object[]): readonly string[] => rows.map((row) => JSON.stringify(row)).toSorted();

describe("the targets of gates", () => {
  test("are after any commands what the gates themselves say, and so when an older store is migrated", async () => {
    let seen = 0;
    const check = async (commands: readonly Parameters<typeof runCommand>[1][]): Promise<void> => {
      const world = await openWorld();
      for (const command of commands) {
        await runCommand(world, command);
        expect(byKey(await rowsOf(world.project, "gate_targets"))).toEqual(byKey(await expectedTargets(world)));
      }
      const before = await rowsOf(world.project, "gate_targets");
      seen += before.length;
      await world.project.write(async (tx) => {
        const later = ["gate_targets", "activations", "decision_reviews", "another_part", "context_attachments"];
        for (const undo of [...later, "event_compactions"]) await tx.run(`DROP TABLE ${undo}`);
        for (const undo of ["DROP INDEX todos_work", "PRAGMA user_version = 1"]) await tx.run(undo);
        await tx.run("DELETE FROM schema_migrations WHERE number > 1");
      });
      const migrated = await world.open("state.db");
      expect(await rowsOf(migrated, "gate_targets")).toEqual(before);
      expect(await rowsOf(migrated, "schema_migrations")).toHaveLength(PROJECT_SCHEMA.length);
    };
    await fc.assert(fc.asyncProperty(randomCommands, check), { numRuns: 15, seed: 3 });
    expect(seen).toBeGreaterThan(15);
  });

  test("a gate that is superseded with its todo holds nothing any more", async () => {
    const world = await openWorld();
    const { id } = await world.add("publish");
    await world.add("may I?", { role: "user", task_class: "user_gate", gate: newGate("decision", [id]) });
    expect(await rowsOf(world.project, "gate_targets")).toHaveLength(1);
    accepted(await world.complete(id, { caller: { actor: { kind: "owner", via: "terminal" }, threadId: null } }));
    expect(await rowsOf(world.project, "gate_targets")).toEqual([]);
  });
});
