import type { ProjectConnection, ProjectFacts } from "../guided-start/guided-start-facts.ts";

/** Says what has to be mended before a goal can be started here. Nothing was written. */
export interface ProjectGate {
  readonly schema_version: "loopx_project_gate_v0";
  readonly state: Exclude<ProjectConnection, "connected" | "not_connected">;
  readonly action_required: true;
  readonly reason: string;
  readonly help: string;
  readonly command?: string;
}

/** What people read in each state. */
export const PROJECT_GATE_WORDS = {
  project_not_resolved: {
    reason: "No project root could be resolved from here.",
    help: "Open the project's folder, or name it: repeat the command with --project=<project root>. The file system root and the home directory are never a project.",
  },
  store_missing: {
    reason: "The project is registered but its store is gone.",
    help: "Restore the store from its backup, then repeat the command.",
  },
  store_unreadable: {
    reason: "The project's store can't be read.",
    help: "Repair the store, then repeat the command.",
  },
  project_not_trusted: {
    reason: "The project's store was not created on this machine.",
    help: "Its owner connects it at a terminal, then repeat the command.",
  },
} as const;

/** The setup or repair gate of a project; undefined when a start can go on. */
export function findProjectGate(facts: ProjectFacts): ProjectGate | undefined {
  if (facts.connection === "connected" || facts.connection === "not_connected") return undefined;
  return {
    schema_version: "loopx_project_gate_v0",
    state: facts.connection,
    action_required: true,
    ...PROJECT_GATE_WORDS[facts.connection],
    ...(facts.repairCommand !== undefined && { command: facts.repairCommand }),
  };
}
