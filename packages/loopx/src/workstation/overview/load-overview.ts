import type { AskRow, DoneRow, FailedRow, GoalRow, Overview, Page } from "@loopx/workstation/contract";
import { addMs, toEpochMs, type Ambient, type Instant } from "@loopx/contracts";
import type { Progress, Risk } from "@loopx/control-plane";
import { printCommand } from "../../command-line/print-command.ts";
import type { Globals } from "../../command-table/global-flags.ts";
import { ASK_KEY_SHAPE, type Ask } from "../../global/ask-row.ts";
import { printWarningStep } from "../../global/global-packet.ts";
import { GOAL_KEY_SHAPE, type GoalOutlook } from "../../global/goal-row.ts";
import { parseCursor, renderCursor, type OrderedHead, type OrderedRow } from "../../global/ordered-head.ts";
import { listRegisteredProjects, type RegisteredProject } from "../../global/registered-project.ts";
import { surveyProjects, type KeptProjects, type Survey, type SurveyQuery } from "../../global/survey.ts";
import { createTextView, ROW_TEXT, type TextView } from "../../packets/shown-text.ts";
import { toPriority } from "../../packets/todo-packet.ts";
import { findGoalStep, sayAsk, sayGoal, toAskStep } from "./say-why.ts";

/** Of each list, so that nearly everybody is answered by one look over the projects. */
const OVERVIEW_ROWS = 250;
/** Of what was done and what failed: the latest of each. */
const SINCE_ROWS = 8;

interface World {
  readonly globals: Pick<Globals, "registry">;
  readonly ambient: Ambient;
  readonly kept: KeptProjects;
}

/** The overview of every registered project, of what happened since a moment. Refuses as `surveyProjects` does. */
export async function loadOverview(since: Instant, world: World): Promise<Overview> {
  const { ambient, globals, kept } = world;
  const sinceMs = Math.max(0, toEpochMs(ambient.now()) - toEpochMs(since));
  const survey = await surveyProjects(
    { ...WHOLE, progressMs: sinceMs, riskMs: undefined, limit: OVERVIEW_ROWS, after: null, kept },
    globals,
    ambient,
  );
  const view = { text: createTextView(ROW_TEXT), projects: await loadProjects(world) };
  const { counts, heads, warnings } = survey;
  return {
    at: survey.at,
    project_count: counts.projects,
    open_goal_count: counts.openGoals,
    closed_goal_count: counts.closedGoals,
    lanes: survey.goalsByLane,
    ask_count: counts.asks,
    since: {
      since: addMs(survey.at, -sinceMs),
      done_count: counts.progress,
      done: heads.recent_progress
        .list()
        .slice(0, SINCE_ROWS)
        .map((row) => toDoneRow(row, view)),
      failed_count: counts.failures,
      failed: heads.failures
        .list()
        .slice(0, SINCE_ROWS)
        .map((row) => toFailedRow(row, view)),
    },
    asks: toPage(heads.asks, (row) => toAskRow(row, view)),
    goals: toPage(heads.goals, (row) => toGoalRow(row, view)),
    unread: warnings.map((warning) => ({
      project_label: warning.label,
      code: warning.code,
      command: printWarningStep(warning),
    })),
    connect_command: survey.hasProjects
      ? null
      : printCommand("bootstrap", { objective: "<what to reach>" }, { globals: { project: "." } }).shell,
  };
}

const WHOLE = { agentId: undefined, includes: new Set(["lanes", "risks"] as const) };

/** A further page of what waits for a person. Refuses a foreign cursor with `invalid_value`. */
export async function loadAsks(cursor: string, world: World): Promise<Page<AskRow>> {
  const survey = await surveyFrom({ list: "asks", key: parseCursor(cursor, ASK_KEY_SHAPE) }, world);
  const view = { text: createTextView(ROW_TEXT), projects: await loadProjects(world) };
  return toPage(survey.heads.asks, (row) => toAskRow(row, view));
}

/** A further page of the open goals. Refuses a foreign cursor with `invalid_value`. */
export async function loadGoals(cursor: string, world: World): Promise<Page<GoalRow>> {
  const survey = await surveyFrom({ list: "goals", key: parseCursor(cursor, GOAL_KEY_SHAPE) }, world);
  const view = { text: createTextView(ROW_TEXT), projects: await loadProjects(world) };
  return toPage(survey.heads.goals, (row) => toGoalRow(row, view));
}

function surveyFrom(after: SurveyQuery["after"], { globals, ambient, kept }: World): Promise<Survey> {
  const query = { ...WHOLE, progressMs: undefined, riskMs: undefined };
  return surveyProjects({ ...query, limit: OVERVIEW_ROWS, after, kept }, globals, ambient);
}

/** What rows are rendered with. */
interface View {
  readonly text: TextView;
  readonly projects: ReadonlyMap<string, RegisteredProject>;
}

async function loadProjects({ globals, ambient }: World): Promise<View["projects"]> {
  const projects = await listRegisteredProjects(globals, ambient);
  return new Map(projects.flatMap((project) => [...project.goalIds].map((goalId) => [goalId, project] as const)));
}

function toPage<Item, Row>(head: OrderedHead<Item>, render: (row: OrderedRow<Item>) => Row): Page<Row> {
  const found = head.list();
  const rows = found.slice(0, OVERVIEW_ROWS);
  const last = rows.at(-1);
  const hasMore = last !== undefined && found.length > rows.length;
  return { rows: rows.map(render), next_cursor: hasMore ? renderCursor(last.key) : null };
}

function toProject(goalId: string, { projects }: View): Pick<GoalRow, "project_id" | "project_label"> {
  const project = projects.get(goalId);
  return { project_id: project?.projectId ?? "", project_label: project?.label ?? "" };
}

function toAskRow({ goalId, item }: OrderedRow<Ask>, view: View): AskRow {
  return {
    todo_id: item.todo.todo_id,
    goal_id: goalId,
    ...toProject(goalId, view),
    kind: item.gate?.kind ?? "user_action",
    priority: toPriority(item.todo.priority),
    question: view.text.show(item.todo.text),
    why: sayAsk(item),
    next: toAskStep(goalId, item),
  };
}

function toGoalRow({ goalId, item }: OrderedRow<GoalOutlook>, view: View): GoalRow {
  return {
    goal_id: goalId,
    ...toProject(goalId, view),
    objective: view.text.show(item.goal.objective),
    status: item.goal.status === "paused" ? "paused" : "active",
    lane: item.lane,
    why: sayGoal(item),
    next: findGoalStep(item),
    agent_count: item.agentCount,
    runnable_count: item.runnableCount,
    blocked_count: item.blockedCount,
    claimed_count: item.claimedCount,
    undecided_gate_count: item.undecidedGateCount,
  };
}

function toDoneRow({ goalId, item }: OrderedRow<Progress>, view: View): DoneRow {
  return {
    goal_id: goalId,
    project_id: toProject(goalId, view).project_id,
    at: item.at,
    type: item.type,
    todo_id: item.todoId,
    title: item.text === null ? null : view.text.show(item.text),
  };
}

function toFailedRow({ goalId, item }: OrderedRow<Risk>, view: View): FailedRow {
  return {
    goal_id: goalId,
    project_id: toProject(goalId, view).project_id,
    kind: item.kind,
    todo_id: item.todoId,
    at: item.seenAt,
    label: item.label === null ? null : view.text.show(item.label),
  };
}
