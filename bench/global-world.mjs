// A home with many registered projects, each with one goal, one lane and ten todos. Copied from one real project, each copy
// with ids of its own, since 200 projects made by commands would take minutes.
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { createBenchWorld, openStore } from "./bench-world.mjs";

/** The world of one real project and, in its registry, `count` projects in all. */
export function createGlobalWorld(node, place, count) {
  const world = createBenchWorld(node, place, { todos: 10, goals: 1, events: 0 });
  const { root, home } = world;
  const registry = openStore(join(home, ".codex", "loopx", "home.db"));
  const { project_id: projectId } = registry.prepare("SELECT project_id FROM projects").get();
  for (let at = 1; at < count; at += 1) {
    const copy = join(place, `project-${at}`);
    mkdirSync(copy);
    cpSync(join(root, ".loopx"), join(copy, ".loopx"), { recursive: true });
    const ids = { projectId: `${projectId}${at}`, goalId: `${world.goal}-${at}` };
    renameCopy(join(copy, ".loopx", "state.db"), world.goal, ids);
    registry.exec(
      `INSERT INTO projects SELECT '${ids.projectId}', '${copy.replaceAll("'", "''")}', label, trusted_by, connected_at FROM projects WHERE project_id = '${projectId}';` +
        `INSERT INTO registered_goals SELECT '${ids.goalId}', '${ids.projectId}', registered_at FROM registered_goals WHERE goal_id = '${world.goal}'`,
    );
  }
  registry.close();
  return world;
}

function renameCopy(path, goal, ids) {
  const store = openStore(path);
  const tables = ["goals", "agents", "todos", "todo_dependencies", "gate_targets", "turns", "evidence", "events"];
  const renames = tables.map((table) => `UPDATE ${table} SET goal_id = '${ids.goalId}' WHERE goal_id = '${goal}'`);
  store.exec([`UPDATE project SET project_id = '${ids.projectId}'`, ...renames].join(";"));
  store.close();
}
