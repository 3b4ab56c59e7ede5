import { isLoopxError, LoopxError, type Ambient } from "@loopx/contracts";
import { listGoals, parseObjective, type Actor, type ConnectedProject, type Goal } from "@loopx/control-plane";
import { printCommand } from "../../command-line/print-command.ts";
import type { CommandResult } from "../../output/command-result.ts";
import { toGoalPacket } from "../../packets/goal-packet.ts";
import { joinLines, renderNext } from "../../packets/render-facts.ts";
import { connectRoot, type ConnectOptions, migrateToConnect, toDefaultGoalId } from "../../project/connect.ts";
import { identifyCaller } from "../../project/identify-caller.ts";
import { assertStoreNotGone } from "../../project/missing-store.ts";
import { withHomeToRead } from "../../project/open-home.ts";
import { openProject } from "../../project/open-project.ts";
import { findProjectFolder } from "../../project/project-folder.ts";
import { hasStore, isOnServer, STORE_LABEL, STORE_REFERENCE_LABEL, toRootLabel } from "../../project/project-roots.ts";
import { findMeantGoal } from "../../project/meant-goal.ts";
import type { CommandHandler, CommandInput } from "../command-handler.ts";

type Input = CommandInput<"bootstrap">;

/** Connects a project and creates its goal; connecting twice changes nothing. */
export const run: CommandHandler<"bootstrap"> = async (input) => {
  const { flags, ambient, facts } = input;
  if (flags.objective !== undefined) parseObjective(flags.objective, "objective");
  const root = findProjectFolder(input);
  const { actor } = await identifyCaller({ ambient, facts }, { ownerTokenFile: flags.ownerTokenFile });
  const goals = hasStore(root) ? await readGoals(root, flags.dryRun ? undefined : actor, ambient) : [];
  const wanted = chooseGoal(goals, flags);
  const kept = wanted.objective === undefined ? findKeptObjective(goals, flags) : undefined;
  if (flags.dryRun) {
    if (!flags.newId) await withHomeToRead(ambient, (home) => assertStoreNotGone(home, root));
    const file = parseServer(flags) === undefined ? STORE_LABEL : STORE_REFERENCE_LABEL;
    return renderPreview(root, { newFile: hasStore(root) ? undefined : file, kept, ...wanted });
  }
  const connected = await connectRoot(
    { root, actor, newId: flags.newId, server: parseServer(flags), ...wanted },
    ambient,
  );
  return renderConnected(connected, kept);
};

function parseServer({ store, storePassword, projectId }: Input["flags"]): ConnectOptions["server"] {
  if (store !== undefined) return { url: store, password: storePassword, projectId };
  if (storePassword === undefined && projectId === undefined) return undefined;
  throw new LoopxError("missing_flag", {
    message: "--store-password and --project-id say more of --store, which is not given",
    hint: "add '--store=postgresql://USER@HOST/DATABASE'",
    details: { field: "store" },
  });
}

interface Wanted {
  readonly goalId: string | undefined;
  readonly objective: string | undefined;
  /** The id that a goal beside those that are there gets when none is given. */
  readonly anotherGoalId?: string | undefined;
}

/**
 * Without `--new-goal` a project that has a goal keeps it: the objective of a connected goal is never changed here.
 * A second default id makes way for the first.
 */
function chooseGoal(goals: readonly Goal[], { goalId, objective, newGoal }: Input["flags"]): Wanted {
  const [first] = goals;
  if (first === undefined) return { goalId, objective };
  const named = goals.find((goal) => goal.goal_id === goalId);
  if (named !== undefined && !newGoal) return { goalId: undefined, objective: undefined };
  if (goalId !== undefined) return { goalId, objective };
  if (!newGoal || objective === undefined) return { goalId: undefined, objective: undefined };
  const same = goals.find((goal) => goal.objective === objective && goal.status === "active");
  if (same !== undefined) return { goalId: undefined, objective: undefined };
  return { goalId: undefined, anotherGoalId: nextGoalId(goals), objective };
}

/** A goal that keeps its objective although another was given. */
interface KeptObjective {
  readonly goalId: string;
  readonly given: string;
}

function findKeptObjective(goals: readonly Goal[], flags: Input["flags"]): KeptObjective | undefined {
  const { goalId, objective: given } = flags;
  if (given === undefined || goals.some((goal) => goal.objective === given)) return undefined;
  const goal = goalId === undefined ? findMeantGoal(goals) : goals.find((each) => each.goal_id === goalId);
  return goal === undefined ? undefined : { goalId: goal.goal_id, given };
}

/** Above this an objective isn't repeated: who gave it has it. */
const REPEATED_CHARACTERS = 400;

function printEdit({ goalId, given }: KeptObjective): string {
  const objective = given.length > REPEATED_CHARACTERS ? "<the new objective>" : given;
  return printCommand("goal edit", { goalId, objective }).shell;
}

function describeKept(kept: KeptObjective | undefined): string {
  return kept === undefined ? "" : `  the objective of ${kept.goalId} was not changed: bootstrap never changes one`;
}

function nextGoalId(goals: readonly Goal[]): string | undefined {
  const taken = new Set(goals.map((goal) => goal.goal_id));
  const [first] = goals;
  const stem = first?.goal_id ?? "project-goal";
  for (let count = 2; ; count += 1) if (!taken.has(`${stem}-${count}`)) return `${stem}-${count}`;
}

/** `migrator`: who may bring an older store up to date on the way; nobody does for a preview. */
async function readGoals(root: string, migrator: Actor | undefined, ambient: Ambient): Promise<readonly Goal[]> {
  try {
    const project = await openProject(root, "read", ambient);
    const goals = await project.database.read(listGoals);
    await project.database.close();
    return goals;
  } catch (error) {
    if (!isLoopxError(error)) throw error;
    if (error.code === "project_not_connected") return [];
    if (error.code !== "store_needs_migration" || migrator === undefined) throw error;
    await migrateToConnect({ root, actor: migrator }, ambient);
    return readGoals(root, undefined, ambient);
  }
}

interface Plan extends Wanted {
  /** What makes a folder without a store a project. */
  readonly newFile: string | undefined;
  readonly kept: KeptObjective | undefined;
}

function renderPreview(root: string, plan: Plan): CommandResult {
  const goalId =
    plan.objective === undefined ? undefined : (plan.goalId ?? plan.anotherGoalId ?? toDefaultGoalId(root));
  const writes = [
    ...(plan.newFile === undefined ? [] : [plan.newFile, ".loopx/.gitignore"]),
    ...(goalId === undefined ? [] : [`goal ${goalId}`]),
    "home registry entry",
  ];
  return {
    packet: {
      ok: true,
      schema_version: "loopx_bootstrap_v1",
      dry_run: true,
      written: false,
      project_root_label: toRootLabel(root),
      would_write: writes,
      ...(plan.kept === undefined ? {} : { objective_changed: false, next: [printEdit(plan.kept)] }),
    },
    text: (style) =>
      joinLines(
        `would connect ${toRootLabel(root)} and write:`,
        ...writes.map((line) => `  ${line}`),
        plan.kept === undefined ? "" : `the objective of ${plan.kept.goalId} would not change`,
        renderNext(plan.kept === undefined ? [] : [printEdit(plan.kept)], style),
      ),
  };
}

function renderConnected(connected: ConnectedProject, kept: KeptObjective | undefined): CommandResult {
  const { project, goal, goalAlreadyExists, goalIds, openGoalIds } = connected;
  const goalId = goal?.goal_id ?? kept?.goalId ?? openGoalIds[0];
  const steps =
    goalId === undefined
      ? [printCommand("bootstrap", { objective: "<what to reach>" }, { globals: { project: "." } }).shell]
      : [
          printCommand("register-agent", { goalId, agentId: "<agent-id>", execute: true }).shell,
          printCommand("todo add", { goalId, role: "agent", text: "<todo text>" }).shell,
        ];
  const next = kept === undefined ? steps : [printEdit(kept), ...steps];
  return {
    packet: {
      ok: true,
      schema_version: "loopx_bootstrap_v1",
      dry_run: false,
      written: true,
      project_root_label: project.label,
      // By it another machine joins; where a file is the store nobody else needs it.
      ...(isOnServer(project.root) ? { project_id: project.project_id } : {}),
      ...(goal === null ? { goal_ids: goalIds.slice(0, 20) } : { goal: toGoalPacket(goal) }),
      ...(goal === null ? {} : { goal_created: !goalAlreadyExists }),
      ...(kept === undefined ? {} : { objective_changed: false }),
      next,
    },
    text: (style) =>
      joinLines(
        `connected ${style.bold(project.label)}`,
        goal === null
          ? `  goals: ${goalIds.join(", ") || "none yet"}`
          : `  goal ${goal.goal_id}${goalAlreadyExists ? " was there already" : ""}`,
        describeKept(kept),
        ...sayPlace(project),
        renderNext(next, style),
      ),
  };
}

function sayPlace({ root, project_id: projectId }: ConnectedProject["project"]): readonly string[] {
  if (!isOnServer(root)) return ["  state lives in .loopx, which git ignores"];
  return [
    `  state lives on the server that ${STORE_REFERENCE_LABEL} names`,
    `  another machine joins by connect with the same --store and --project-id=${projectId}`,
  ];
}
