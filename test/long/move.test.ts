import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createOwnerToken } from "../support/create-owner-token.ts";
import { findContradictions, loadProjectState } from "../support/project-state.ts";
import { readField, readText } from "../support/read-field.ts";
import { addTodo, createWorkingGoal, type WorkingGoal } from "../support/working-goal.ts";

const server = inject("postgres");
const KILLS = 16;

describe.skipIf(!("url" in server))("a move that is killed", () => {
  const url = new URL("url" in server ? server.url : "postgresql://nobody@127.0.0.1/none");
  const env = { MOVE_PASSWORD: decodeURIComponent(url.password) };
  url.password = "";
  let goal: WorkingGoal;
  let token: string;
  const added: string[] = [];
  beforeAll(async () => {
    goal = await createWorkingGoal(1);
    token = `--owner-token-file=${await createOwnerToken(goal.world)}`;
    for (let count = 0; count < 20; count += 1) added.push(await addTodo(goal, `todo ${count}`));
  });
  afterAll(() => goal.world.remove());

  const places = {
    postgres: [`--to=${url.href}`, "--store-password=env:MOVE_PASSWORD"],
    sqlite: ["--to=file"],
  } as const;

  test("at any moment leaves one store that is the project's, or goes on when it is called again", async () => {
    const { world } = goal;
    const move = async (to: "postgres" | "sqlite", killAfterMs?: number): Promise<number | null> => {
      const words = ["store", "copy", ...places[to], "--execute", token];
      const began = performance.now();
      await world.run(words, { env, ...(killAfterMs === undefined ? {} : { killAfterMs }) });
      return performance.now() - began;
    };
    const wholeMs = (await move("postgres")) ?? 0;
    let to: "postgres" | "sqlite" = "sqlite";
    const found = new Set<string>();
    for (let kill = 0; kill < KILLS; kill += 1) {
      // Spread over the time that a whole one takes, its start left out.
      await move(to, wholeMs * (0.3 + (0.8 * (kill + 1)) / KILLS));
      const { exitCode, json } = await world.run(["store", "status"], { env });
      const state = exitCode === 0 ? readText(json, "engine") : readText(json, "error", "code");
      found.add(state === to ? "moved" : state === "store_moved" ? "on its way" : "not moved");
      expect(["postgres", "sqlite", "store_moved"]).toContain(state);
      if (state !== to) await move(to);
      expect(await world.call(["store", "status"], { env })).toMatchObject({ engine: to, sound: true });
      added.push(
        readText(
          await world.call(["todo", "add", `--goal-id=${goal.goalId}`, "--agent-id=agent-1", `--text=after ${kill}`], {
            env,
          }),
          "todo",
          "todo_id",
        ),
      );
      to = to === "postgres" ? "sqlite" : "postgres";
    }
    // Kills that all came too late or too early would show nothing.
    expect(found.size).toBeGreaterThan(1);
    const last = await world.call(["status"], { env });
    expect(readField(last, "todo_counts", "open")).toBe(added.length);
    if (to === "postgres") expect(findContradictions(await loadProjectState(world))).toEqual([]);
  });
});
