import type { Transaction } from "@loopx/store";
import { expect, test } from "vitest";
import { findLiveTodoByText } from "../../src/todos/todo-rows.ts";
import { GOAL, openWorld } from "../control-plane-world.ts";

/** The same transaction, which also keeps how the engine goes about each statement. */
function withPlans(tx: Transaction, plans: string[]): Transaction {
  return {
    ...tx,
    get: async (sql, ...parameters) => {
      const steps = await tx.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...parameters);
      plans.push(...steps.map((step) => step.detail));
      return tx.get(sql, ...parameters);
    },
  };
}

test("the todo of a text is looked for among those that are not finished, however many are", async () => {
  const world = await openWorld();
  const held = await world.add("held", { resume: "manual" });
  const plans: string[] = [];
  const written = { role: "agent", text: "held" } as const;
  const found = await world.project.read((tx) => findLiveTodoByText(withPlans(tx, plans), GOAL, written));
  expect(found?.todo_id).toBe(held.id);
  expect(plans).toEqual([
    "SEARCH todos USING INDEX todos_same_text (goal_id=? AND role=? AND <expr>=?)",
    "SEARCH todos USING INDEX todos_live (goal_id=?)",
  ]);
});
