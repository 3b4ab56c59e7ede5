import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createWorld, type World } from "../support/cli-world.ts";
import { findContradictions, listRows, loadProjectState } from "../support/project-state.ts";
import { readField, readText } from "../support/read-field.ts";
import * as checks from "./race-checks.ts";
import { expectAllAnswered, inWorkingGoal } from "./race-checks.ts";

describe("many processes on one goal", () => {
  test("fifty adds of distinct texts keep fifty todos with ids of their own", () => checks.keepsFiftyDistinctTodos());
  test("fifty adds of one text add it once", () => checks.addsOneOfFiftyIdenticalTodos());
  test("fifty agents that claim one todo have one winner", () => checks.letsOneOfFiftyAgentsClaim());
  test("fifty askers of one identity get one turn", () => checks.opensOneTurnForOneIdentity());
  test("twenty agents over five todos run five turns, no todo in two", () => checks.givesNoTodoToTwoTurns());
  test("twenty records, completions and spends of one turn count once each", () => checks.settlesOneTurnOnce());

  test("twenty registrations and bindings at once are all kept and verified", () =>
    inWorkingGoal(10, undefined, async ({ world, goalId, agents }) => {
      const register = (index: number): string[] => [
        ...["register-agent", `--goal-id=${goalId}`, `--agent-id=late-${index}`, "--execute"],
      ];
      const bind = (index: number): string[] => [
        ...["bind-agent-thread", `--goal-id=${goalId}`, `--thread-id=thread-${index}`, "--host-surface=codex-app"],
        ...[`--agent-id=${agents[index % 10]}`, "--execute"],
      ];
      const results = await world.spawnMany(20, (index) => (index < 10 ? register(index) : bind(index)));
      expectAllAnswered(results);
      expect(results.map(({ json }) => readField(json, "registration_readback", "verified"))).toEqual(
        Array.from({ length: 20 }, () => true),
      );
      const state = await loadProjectState(world);
      expect(listRows(state, "agents")).toHaveLength(20);
      expect(listRows(state, "thread_bindings").filter((row) => row["is_verified"] === 1)).toHaveLength(10);
      expect(findContradictions(state)).toEqual([]);
      const [goal] = listRegistered(world);
      expect(readField(goal, "agent_ids")).toHaveLength(20);
      expect(readField(goal, "thread_bindings")).toHaveLength(10);
    }));

  test("three readers beside four writers never see a part of a change", () =>
    inWorkingGoal(1, undefined, async ({ world, goalId }) => {
      const addMany = async (writer: number): Promise<void> => {
        for (let part = 0; part < 12; part += 1) {
          await world.call(["todo", "add", `--goal-id=${goalId}`, `--text=Writer ${writer} part ${part}`]);
        }
      };
      await world.call(["todo", "add", `--goal-id=${goalId}`, "--text=The first"]);
      let isWriting = true;
      const readMany = async (readCount: () => Promise<number>): Promise<number[]> => {
        const counts: number[] = [];
        while (isWriting) counts.push(await readCount());
        counts.push(await readCount());
        return counts;
      };
      const readers = [
        readMany(async () => Number(readField(await world.call(["status"]), "todo_counts", "open"))),
        readMany(async () => {
          const listed = readField(await world.call(["todo", "list", "--limit=100"]), "todos");
          return Array.isArray(listed) ? listed.length : Number.NaN;
        }),
        readMany(async () => {
          const state = await loadProjectState(world);
          expect(findContradictions(state)).toEqual([]);
          return listRows(state, "todos").length;
        }),
      ];
      // Observed before the writers are waited for, or a reader that fails early would be an unhandled rejection.
      const reading = Promise.all(readers);
      const writing = Promise.all([1, 2, 3, 4].map(addMany)).finally(() => (isWriting = false));
      const [counts] = await Promise.all([reading, writing]);
      for (const seen of counts) {
        expect(seen).toEqual(seen.toSorted((left, right) => left - right));
        expect(seen[0]).toBeGreaterThan(0);
        expect(seen.length).toBeGreaterThan(3);
      }
      // A listing is cut to a page; the other two count all.
      expect([counts[0]?.at(-1), counts[2]?.at(-1)]).toEqual([49, 49]);
    }));
});

describe("many processes on one home", () => {
  test("twenty bootstraps of twenty projects are all registered", () =>
    inWorld(async (world) => {
      const roots = Array.from({ length: 20 }, (_, index) => world.addProject(`part ${index} 项目`));
      await expectAllRegistered(world, roots);
    }));

  test("twenty projects whose folders have one name get goal ids of their own", () =>
    inWorld(async (world) => {
      const roots = Array.from({ length: 20 }, (_, index) => world.addProject(`owner-${index}/importer`));
      await expectAllRegistered(world, roots);
    }));

  test("twenty bootstraps of one project make one goal", () =>
    inWorld(async (world) => {
      const results = await world.spawnMany(20, () => ["bootstrap", "--objective=Ship it"]);
      expectAllAnswered(results);
      expect(new Set(results.map(({ json }) => readText(json, "goal", "goal_id"))).size).toBe(1);
      expect(results.filter(({ json }) => readField(json, "goal_created") === true)).toHaveLength(1);
      const state = await loadProjectState(world);
      expect(listRows(state, "goals")).toHaveLength(1);
      expect(findContradictions(state)).toEqual([]);
      expect(listRegistered(world)).toHaveLength(1);
    }));
});

async function inWorld(check: (world: World) => Promise<void>): Promise<void> {
  const world = createWorld();
  try {
    await check(world);
  } finally {
    world.remove();
  }
}

async function expectAllRegistered(world: World, roots: readonly string[]): Promise<void> {
  const results = await world.spawnMany(
    roots.length,
    (index) => ["bootstrap", `--objective=Ship part ${index}`],
    (index) => ({ cwd: roots[index] ?? world.project }),
  );
  expectAllAnswered(results);
  const reported = results.map(({ json }) => readText(json, "goal", "goal_id"));
  expect(new Set(reported).size).toBe(roots.length);
  const registered = listRegistered(world);
  expect(registered.map((goal) => readText(goal, "goal_id")).toSorted()).toEqual(reported.toSorted());
  expect(registered.map((goal) => readText(goal, "root")).toSorted()).toEqual(roots.toSorted());
  // Found through the home by its id alone, from outside of every project.
  const shown = await world.spawnMany(
    roots.length,
    (index) => ["goal", "show", `--goal-id=${reported[index]}`],
    () => ({
      cwd: world.home,
    }),
  );
  expectAllAnswered(shown);
  expect(await world.call(["doctor"], { cwd: roots[0] ?? world.project })).toMatchObject({ ok: true });
}

function listRegistered(world: World): readonly unknown[] {
  const registry: unknown = JSON.parse(readFileSync(join(world.loopxHome, "registry.global.json"), "utf8"));
  const goals = readField(registry, "goals");
  return Array.isArray(goals) ? goals : [];
}
