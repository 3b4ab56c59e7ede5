import type { Transaction } from "@loopx/store";

/** Written into `registry.global.json`, so that we know our own file and never replace another program's. */
export const REGISTRY_SCHEMA = "loopx_global_registry_v1";

export interface RegistryProjection {
  readonly schema_version: typeof REGISTRY_SCHEMA;
  /** Grows with every change; a reader of two copies takes the higher. */
  readonly sequence: number;
  readonly goals: readonly {
    readonly goal_id: string;
    readonly project_id: string;
    readonly root: string;
    readonly label: string;
    readonly agent_ids: readonly string[];
    readonly thread_bindings: readonly {
      readonly host_surface: string;
      readonly thread_id: string;
      readonly agent_id: string;
    }[];
  }[];
}

/** The committed registry as the file holds it. */
export async function loadRegistryProjection(tx: Transaction): Promise<RegistryProjection> {
  const counter = await tx.get<{ sequence: number }>("SELECT sequence FROM registry LIMIT 1");
  const goals = await tx.all<{ goal_id: string; project_id: string; root: string; label: string }>(
    "SELECT g.goal_id, g.project_id, p.root, p.label FROM registered_goals g " +
      "JOIN projects p ON p.project_id = g.project_id ORDER BY g.goal_id",
  );
  const agents = await tx.all<{ goal_id: string; agent_id: string }>(
    "SELECT goal_id, agent_id FROM registered_agents ORDER BY goal_id, agent_id",
  );
  const bindings = await tx.all<{ goal_id: string; host_surface: string; thread_id: string; agent_id: string }>(
    "SELECT goal_id, host_surface, thread_id, agent_id FROM registered_bindings ORDER BY goal_id, host_surface, thread_id",
  );
  const agentsOf = groupByGoal(agents);
  const bindingsOf = groupByGoal(bindings);
  return {
    schema_version: REGISTRY_SCHEMA,
    sequence: counter?.sequence ?? 0,
    goals: goals.map((goal) => ({
      ...goal,
      agent_ids: (agentsOf.get(goal.goal_id) ?? []).map((agent) => agent.agent_id),
      thread_bindings: (bindingsOf.get(goal.goal_id) ?? []).map(({ host_surface, thread_id, agent_id }) => ({
        host_surface,
        thread_id,
        agent_id,
      })),
    })),
  };
}

function groupByGoal<Row extends { readonly goal_id: string }>(rows: readonly Row[]): ReadonlyMap<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.goal_id);
    if (group === undefined) groups.set(row.goal_id, [row]);
    else group.push(row);
  }
  return groups;
}
