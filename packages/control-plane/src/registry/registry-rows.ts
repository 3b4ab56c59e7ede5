import type { Instant } from "@loopx/contracts";
import type { Transaction } from "@loopx/store";
import { listAgents } from "../agents/agent-rows.ts";
import { listBindingsOfGoal } from "../threads/thread-binding-rows.ts";

/** A project as this machine knows it. `root` is the real path where it was found. */
export interface RegisteredProject {
  readonly project_id: string;
  readonly root: string;
  readonly label: string;
  /** `created`: its store was created on this machine. `owner`: an owner connected it. */
  readonly trusted_by: "created" | "owner";
  readonly connected_at: Instant;
}

export interface RegisteredGoal {
  readonly goal_id: string;
  readonly project_id: string;
  readonly root: string;
  readonly label: string;
}

export async function findProjectById(tx: Transaction, projectId: string): Promise<RegisteredProject | undefined> {
  return tx.get<RegisteredProject>(
    "SELECT project_id, root, label, trusted_by, connected_at FROM projects WHERE project_id = ?",
    projectId,
  );
}

/** The projects this machine has seen at a root, latest first. */
export async function listProjectsAtRoot(tx: Transaction, root: string): Promise<readonly RegisteredProject[]> {
  return tx.all<RegisteredProject>(
    "SELECT project_id, root, label, trusted_by, connected_at FROM projects WHERE root = ? ORDER BY connected_at DESC",
    root,
  );
}

/** Whether this machine knows goals of a project at a root. */
export async function hasGoalsAtRoot(tx: Transaction, root: string): Promise<boolean> {
  const found = await tx.get(
    "SELECT 1 AS found FROM registered_goals g JOIN projects p ON p.project_id = g.project_id WHERE p.root = ? LIMIT 1",
    root,
  );
  return found !== undefined;
}

export async function saveProject(tx: Transaction, project: RegisteredProject): Promise<void> {
  await tx.run(
    "INSERT INTO projects (project_id, root, label, trusted_by, connected_at) VALUES (?, ?, ?, ?, ?) " +
      "ON CONFLICT (project_id) DO UPDATE SET root = excluded.root, label = excluded.label, " +
      "trusted_by = excluded.trusted_by, connected_at = excluded.connected_at",
    project.project_id,
    project.root,
    project.label,
    project.trusted_by,
    project.connected_at,
  );
}

export async function findRegisteredGoal(tx: Transaction, goalId: string): Promise<RegisteredGoal | undefined> {
  return tx.get<RegisteredGoal>(
    "SELECT g.goal_id, g.project_id, p.root, p.label FROM registered_goals g " +
      "JOIN projects p ON p.project_id = g.project_id WHERE g.goal_id = ?",
    goalId,
  );
}

export async function listRegisteredGoals(tx: Transaction): Promise<readonly RegisteredGoal[]> {
  return tx.all<RegisteredGoal>(
    "SELECT g.goal_id, g.project_id, p.root, p.label FROM registered_goals g " +
      "JOIN projects p ON p.project_id = g.project_id ORDER BY g.goal_id",
  );
}

/**
 * Makes the home's mirror of one goal say what the project store says, and counts the registry on.
 *
 * A goal id that is another project's stays so, untouched: a copied store must not take it away.
 */
export async function mirrorGoal(
  homeTx: Transaction,
  projectTx: Transaction,
  goal: { readonly goalId: string; readonly projectId: string; readonly now: Instant },
): Promise<void> {
  const registered = await homeTx.get<{ project_id: string }>(
    "SELECT project_id FROM registered_goals WHERE goal_id = ?",
    goal.goalId,
  );
  if (registered !== undefined && registered.project_id !== goal.projectId) return;
  await homeTx.run(
    "INSERT INTO registered_goals (goal_id, project_id, registered_at) VALUES (?, ?, ?) ON CONFLICT (goal_id) DO NOTHING",
    goal.goalId,
    goal.projectId,
    goal.now,
  );
  await homeTx.run("DELETE FROM registered_agents WHERE goal_id = ?", goal.goalId);
  await homeTx.run("DELETE FROM registered_bindings WHERE goal_id = ?", goal.goalId);
  for (const agent of await listAgents(projectTx, goal.goalId)) {
    await homeTx.run("INSERT INTO registered_agents (goal_id, agent_id) VALUES (?, ?)", goal.goalId, agent.agent_id);
  }
  for (const binding of await listBindingsOfGoal(projectTx, goal.goalId)) {
    await homeTx.run(
      "INSERT INTO registered_bindings (goal_id, host_surface, thread_id, agent_id) VALUES (?, ?, ?, ?)",
      goal.goalId,
      binding.host_surface,
      binding.thread_id,
      binding.agent_id,
    );
  }
  await homeTx.run("UPDATE registry SET sequence = sequence + 1");
}

/** The lanes that the home mirrors for a goal. */
export async function listRegisteredAgentIds(tx: Transaction, goalId: string): Promise<readonly string[]> {
  const rows = await tx.all<{ agent_id: string }>(
    "SELECT agent_id FROM registered_agents WHERE goal_id = ? ORDER BY agent_id",
    goalId,
  );
  return rows.map((row) => row.agent_id);
}

/** The lane that the home mirrors for one thread. */
export async function findRegisteredBinding(
  tx: Transaction,
  key: { readonly goal_id: string; readonly host_surface: string; readonly thread_id: string },
): Promise<string | undefined> {
  const row = await tx.get<{ agent_id: string }>(
    "SELECT agent_id FROM registered_bindings WHERE goal_id = ? AND host_surface = ? AND thread_id = ?",
    key.goal_id,
    key.host_surface,
    key.thread_id,
  );
  return row?.agent_id;
}
