import { ERROR_TABLE, isLoopxError, quoteForShell, type Ambient } from "@loopx/contracts";
import { findRegisteredGoal, listActivations, listAgents, listBindingsOfThread, listGoals } from "@loopx/control-plane";
import {
  decideGoalSelection,
  parseHostSurface,
  surfaceOf,
  type CallerFacts,
  type GoalFact,
  type HostSurface,
  type ProjectConnection,
  type ProjectFacts,
  type ThreadBindingFact,
} from "@loopx/host-commands";
import type { Globals } from "../../command-table/global-flags.ts";
import { assertTrusted } from "../../project/assert-trusted.ts";
import { toDefaultGoalId } from "../../project/connect.ts";
import { toRecordedActivation } from "../../project/recorded-activation.ts";
import { findThreadId } from "../../project/identify-caller.ts";
import { withHomeToRead } from "../../project/open-home.ts";
import { openProject, type OpenProject } from "../../project/open-project.ts";
import { hasStore, toRootLabel } from "../../project/project-roots.ts";

/** What a start asks about, as typed. */
export interface StartQuery {
  readonly root: string | undefined;
  readonly globals: Globals;
  readonly ambient: Ambient;
  readonly flags: {
    readonly hostSurface?: string | undefined;
    readonly goalId?: string | undefined;
    readonly agentId?: string | undefined;
    readonly threadId?: string | undefined;
    readonly newGoal?: boolean;
  };
}

export type StartFacts = ProjectFacts & CallerFacts & { readonly proposedGoalId: string };

/** Reads what the packets of a start need: the project, its goals, and the caller's lane in the selected one. */
export async function loadStartFacts(query: StartQuery): Promise<StartFacts> {
  const { root, ambient, flags, globals } = query;
  const hostSurface = flags.hostSurface === undefined ? undefined : parseHostSurface(flags.hostSurface);
  const caller = {
    goalId: flags.goalId,
    agentId: flags.agentId,
    threadId: findSurfaceThread(ambient, flags.threadId, hostSurface),
    hostSurface,
    registeredAgents: [],
    binding: { status: "unavailable" } as ThreadBindingFact,
    activations: [],
  };
  const base = {
    projectAsTyped: globals.project,
    projectRootLabel: root === undefined ? undefined : toRootLabel(root),
    repairCommand: undefined,
    goals: [],
    performedEffects: [],
    proposedGoalId: root === undefined ? "project-goal" : await proposeGoalId(root, ambient),
    ...caller,
  };
  if (root === undefined) return { ...base, connection: "project_not_resolved" };
  if (!hasStore(root)) return { ...base, ...(await describeAbsence(root, query)) };
  try {
    const project = await openProject(root, "read", ambient);
    try {
      await assertTrusted(project, ambient);
      return { ...base, connection: "connected", ...(await loadCaller(project, caller, query)) };
    } finally {
      await project.database.close();
    }
  } catch (error) {
    if (!isLoopxError(error)) throw error;
    const connection = toBrokenConnection(error.code);
    if (connection === undefined) throw error;
    const repairCommand = connection === "not_connected" ? undefined : toRepairCommand(error.hint, globals.project);
    return { ...base, connection, repairCommand };
  }
}

/** A hint that is a command, for the project as the caller named it; one in prose names no command. */
function toRepairCommand(hint: string | undefined, project: string | undefined): string | undefined {
  if (hint?.startsWith("loopx ") !== true) return undefined;
  return project === undefined ? hint : `${hint} ${quoteForShell(`--project=${project}`)}`;
}

/** Only a surface that is documented to carry it takes the thread id of the environment. */
function findSurfaceThread(
  ambient: Ambient,
  named: string | undefined,
  hostSurface: HostSurface | undefined,
): string | undefined {
  if (named !== undefined) return named;
  if (hostSurface === undefined || !surfaceOf(hostSurface).readsCodexThreadId) return undefined;
  return findThreadId(ambient, undefined) ?? undefined;
}

async function describeAbsence(
  root: string,
  { ambient, globals }: Pick<StartQuery, "ambient" | "globals">,
): Promise<{ readonly connection: ProjectConnection; readonly repairCommand: string | undefined }> {
  const isKnown = await withHomeToRead(ambient, async (home) => {
    const rows = await home?.read((tx) => tx.all("SELECT project_id FROM projects WHERE root = ?", root));
    return rows !== undefined && rows.length > 0;
  });
  return isKnown
    ? {
        connection: "store_missing",
        repairCommand: toRepairCommand("loopx restore --execute", globals.project),
      }
    : { connection: "not_connected", repairCommand: undefined };
}

function toBrokenConnection(code: keyof typeof ERROR_TABLE): ProjectConnection | undefined {
  if (code === "project_not_trusted") return "project_not_trusted";
  if (code === "project_not_connected") return "not_connected";
  if (code === "store_missing") return "store_missing";
  return ERROR_TABLE[code].category === "store" ? "store_unreadable" : undefined;
}

async function proposeGoalId(root: string, ambient: Ambient): Promise<string> {
  const wanted = toDefaultGoalId(root);
  const taken = await withHomeToRead(ambient, async (home) => home?.read((tx) => findRegisteredGoal(tx, wanted)));
  if (taken === undefined) return wanted;
  return `${wanted}-${ambient.newId("g").slice(-4)}`;
}

async function loadCaller(
  project: OpenProject,
  caller: CallerFacts,
  query: StartQuery,
): Promise<Pick<StartFacts, "goals" | "registeredAgents" | "binding" | "activations">> {
  return project.database.read(async (tx) => {
    const goals: GoalFact[] = (await listGoals(tx)).map((goal) => ({
      goalId: goal.goal_id,
      objective: goal.objective,
      status: goal.status,
    }));
    const selection = decideGoalSelection({
      isConnected: true,
      goals,
      goalId: caller.goalId,
      newGoal: query.flags.newGoal ?? false,
      proposedGoalId: "project-goal",
    });
    if (selection.kind !== "existing_goal") {
      const status = caller.threadId === undefined ? "unavailable" : "missing";
      return { goals, registeredAgents: [], binding: { status }, activations: [] };
    }
    const agents = await listAgents(tx, selection.goalId);
    const bindings = caller.threadId === undefined ? [] : await listBindingsOfThread(tx, caller.threadId);
    const own = bindings.filter(
      (binding) => binding.goal_id === selection.goalId && binding.host_surface === caller.hostSurface,
    );
    return {
      goals,
      registeredAgents: agents.map((agent) => agent.agent_id),
      binding: toBindingFact(caller.threadId, own[0]),
      activations: (await listActivations(tx, selection.goalId)).map(toRecordedActivation),
    };
  });
}

function toBindingFact(
  threadId: string | undefined,
  binding: { readonly agent_id: string; readonly is_verified: boolean } | undefined,
): ThreadBindingFact {
  if (threadId === undefined) return { status: "unavailable" };
  if (binding === undefined) return { status: "missing" };
  return { status: "bound", agentId: binding.agent_id, isVerified: binding.is_verified };
}
