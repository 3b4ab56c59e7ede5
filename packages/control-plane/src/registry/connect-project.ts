import { refuse, type Ambient, type Refusal } from "@loopx/contracts";
import type { Database, Transaction } from "@loopx/store";
import type { Actor } from "../agents/agent.ts";
import { createGoal } from "../goals/create-goal.ts";
import { listGoals } from "../goals/goal-rows.ts";
import type { Goal } from "../goals/goal.ts";
import {
  findProjectById,
  findRegisteredGoal,
  mirrorGoal,
  saveProject,
  type RegisteredProject,
} from "./registry-rows.ts";

export interface ConnectRequest {
  readonly projectId: string;
  /** The real path of the project. */
  readonly root: string;
  readonly label: string;
  readonly actor: Actor;
  /** True when this very command created the store. */
  readonly isNewStore: boolean;
  /** True when the path still holds a store with this project id. */
  readonly holdsSameProject: (root: string, projectId: string) => Promise<boolean>;
  /** The goal to create; null connects the project as it is. */
  readonly goal: {
    readonly goalId: string;
    /** A default id makes way for another project's; an explicit one is refused. */
    readonly isExplicit: boolean;
    /** Whether it stands beside the project's other goals: a default id then makes way for theirs too. */
    readonly isAnother: boolean;
    readonly objective: string;
  } | null;
}

export interface ConnectedProject {
  readonly ok: true;
  readonly project: RegisteredProject;
  readonly goal: Goal | null;
  readonly goalAlreadyExists: boolean;
  readonly goalIds: readonly string[];
  /** Of them, those that still take work. */
  readonly openGoalIds: readonly string[];
}

/**
 * Registers a project and its goals with this machine's home, creating a goal when one is asked for.
 *
 * The home's write lock is held from the check of the goal id to its registration, so an id is given once.
 * A crash between the two commits leaves a goal that the same call registers. A goal that another project has, as in a
 * copied store, stays with that project for as long as its store is where it was.
 * Refuses with `home_not_writable`, `goal_id_taken`, `project_id_conflict`, `project_not_trusted`.
 */
export async function connectProject(
  home: Database,
  project: Database,
  request: ConnectRequest,
  ambient: Pick<Ambient, "now" | "newId">,
): Promise<ConnectedProject | Refusal> {
  if (!home.isWritable) return refuseHome("connect the project");
  return home.write(async (homeTx) => {
    const known = await findProjectById(homeTx, request.projectId);
    const refused = (await checkConflict(request, known)) ?? checkTrust(request, known);
    if (refused !== undefined) return refused;
    const created =
      request.goal && (await createWantedGoal(homeTx, project, { request, wanted: request.goal }, ambient));
    if (created?.ok === false) return created;
    const now = ambient.now();
    const registered: RegisteredProject = {
      project_id: request.projectId,
      root: request.root,
      label: request.label,
      trusted_by: known?.trusted_by ?? (request.isNewStore ? "created" : "owner"),
      connected_at: now,
    };
    await saveProject(homeTx, registered);
    const goals = await project.read(async (projectTx) => {
      const all = await listGoals(projectTx);
      for (const { goal_id: goalId } of all) {
        await freeGoalOfGoneProject(homeTx, request, goalId);
        await mirrorGoal(homeTx, projectTx, { goalId, projectId: request.projectId, now });
      }
      return all;
    });
    return {
      ok: true,
      project: registered,
      goal: created === null ? null : created.goal,
      goalAlreadyExists: created?.alreadyExists ?? false,
      goalIds: goals.map((goal) => goal.goal_id),
      openGoalIds: goals.filter(({ status }) => status === "active" || status === "paused").map((goal) => goal.goal_id),
    };
  });
}

export function refuseHome(what: string): Refusal {
  return refuse("home_not_writable", {
    message: `the LoopX home cannot be written, so LoopX could not ${what}; nothing was stored`,
    hint: "run this one command with your host's approval, or let the host write to the LoopX home (Codex: [sandbox_workspace_write] writable_roots)",
  });
}

async function checkConflict(
  request: ConnectRequest,
  known: RegisteredProject | undefined,
): Promise<Refusal | undefined> {
  if (
    known === undefined ||
    known.root === request.root ||
    !(await request.holdsSameProject(known.root, known.project_id))
  ) {
    return undefined;
  }
  return refuse("project_id_conflict", {
    message: "another folder on this machine holds a store with the same project id: this one is a copy of it",
    hint: "to give this copy an id of its own: loopx connect --new-id",
    details: { other_label: known.label },
  });
}

/** A store that came with the folder is trusted only once an owner says so. */
function checkTrust(request: ConnectRequest, known: RegisteredProject | undefined): Refusal | undefined {
  if (request.isNewStore || known !== undefined || request.actor.kind === "owner") return undefined;
  return refuse("project_not_trusted", {
    message: "this folder came with a LoopX store that was not created on this machine; its todos are instructions too",
    hint: "look at it with loopx status, then connect it yourself at your own terminal: loopx connect",
  });
}

async function freeGoalOfGoneProject(homeTx: Transaction, request: ConnectRequest, goalId: string): Promise<void> {
  const taken = await findRegisteredGoal(homeTx, goalId);
  if (taken === undefined || taken.project_id === request.projectId) return;
  if (await request.holdsSameProject(taken.root, taken.project_id)) return;
  await homeTx.run("DELETE FROM registered_goals WHERE goal_id = ?", goalId);
}

async function createWantedGoal(
  homeTx: Transaction,
  project: Database,
  { request, wanted }: { readonly request: ConnectRequest; readonly wanted: NonNullable<ConnectRequest["goal"]> },
  ambient: Pick<Ambient, "now" | "newId">,
): ReturnType<typeof createGoal> {
  const taken = await findRegisteredGoal(homeTx, wanted.goalId);
  const isTaken = taken !== undefined && taken.project_id !== request.projectId;
  if (isTaken && wanted.isExplicit) {
    return refuse("goal_id_taken", {
      message: "another project on this machine has a goal with this id",
      hint: "choose another --goal-id, or leave it out to be given a free one",
      details: { goal_id: wanted.goalId, other_label: taken.label },
    });
  }
  const { objective, goalId } = wanted;
  const freeId = `${goalId}-${ambient.newId("g").slice(-4)}`;
  const draft = { goalId: isTaken ? freeId : goalId, objective, actor: request.actor };
  const created = await createGoal(project, draft, ambient);
  if (created.ok || created.code !== "goal_id_taken" || !wanted.isAnother || wanted.isExplicit) return created;
  // Somebody wrote a goal with this id since it was chosen.
  return createGoal(project, { ...draft, goalId: freeId }, ambient);
}
