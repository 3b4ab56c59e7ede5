import { addMs, LoopxError, toEpochMs, type Ambient, type Instant } from "@loopx/contracts";
import {
  loadProjectOverview,
  type GoalOverview,
  type KeptGoalFacts,
  type LaneOutlook,
  type LiveGate,
  type OverviewQuery,
  type Progress,
  type ProjectOverview,
  type Readiness,
  type Risk,
  type WorkItem,
} from "@loopx/control-plane";
import { printCommand } from "../command-line/print-command.ts";
import type { Globals } from "../command-table/global-flags.ts";
import { listAsks, toAskKey, type Ask } from "./ask-row.ts";
import { toGateKey } from "./gate-row.ts";
import { toGoalKey, toGoalOutlook, type GoalLane, type GoalOutlook } from "./goal-row.ts";
import { toLaneKey } from "./lane-row.ts";
import { createOrderedHead, type OrderedHead, type OrderKey } from "./ordered-head.ts";
import { toProgressKey } from "./progress-row.ts";
import {
  listRegisteredProjects,
  readRegisteredProject,
  type RegisteredProject,
  type SourceWarning,
} from "./registered-project.ts";
import { toRiskKey } from "./risk-row.ts";
import { toWorkKey } from "./work-row.ts";

/** The lists a survey keeps the head of. */
interface RowsByList {
  readonly gates: LiveGate;
  readonly todos: WorkItem;
  readonly risks: Risk;
  /** Of the risks those that are events, since the moment that progress is wanted from; latest first. */
  readonly failures: Risk;
  readonly lanes: LaneOutlook;
  readonly recent_progress: Progress;
  /** What waits for a person now. */
  readonly asks: Ask;
  readonly goals: GoalOutlook;
}

export type ListName = keyof RowsByList;

export interface SurveyQuery {
  readonly agentId: string | undefined;
  readonly includes: OverviewQuery["includes"];
  /** How far back progress is wanted; undefined for none. */
  readonly progressMs: number | undefined;
  /** How far back risks are wanted; undefined for all. */
  readonly riskMs: number | undefined;
  /** Rows a page may have. */
  readonly limit: number;
  /** Where the page begins, and of which list. */
  readonly after: { readonly list: ListName; readonly key: OrderKey } | null;
  /** What earlier surveys of this process read; without it everything is read. */
  readonly kept?: KeptProjects | undefined;
}

/** By the project's id: what was read of its goals. */
export type KeptProjects = Map<string, KeptGoalFacts>;

/** Counts over everything that could be read: each view takes its own from here, so no two views disagree. */
export interface SurveyCounts {
  readonly projects: number;
  readonly openGoals: number;
  readonly closedGoals: number;
  readonly gates: number;
  readonly undecidedGates: number;
  readonly todos: number;
  readonly runnableTodos: number;
  readonly deferredReadyTodos: number;
  readonly blockedTodos: number;
  readonly reviewTodos: number;
  readonly progress: number;
  readonly risks: number;
  readonly riskOccurrences: number;
  readonly failures: number;
  readonly goalsWithUnscannedTexts: number;
  readonly asks: number;
}

/** What one look over all registered projects found. */
export interface Survey {
  readonly at: Instant;
  /** False before the first goal is registered. */
  readonly hasProjects: boolean;
  readonly counts: SurveyCounts;
  readonly lanesByDecision: Readonly<Record<string, number>>;
  readonly risksByCategory: Readonly<Record<string, number>>;
  readonly goalsByLane: Readonly<Record<GoalLane, number>>;
  readonly heads: { readonly [List in ListName]: OrderedHead<RowsByList[List]> };
  readonly warnings: readonly SourceWarning[];
}

/**
 * Reads every registered project, one after another and each in one transaction. Writes nothing.
 *
 * A project that cannot be read is a warning. Refuses with `unknown_agent` an agent that is no lane of any goal that could
 * be read: nothing is shown for a name nobody has.
 */
export async function surveyProjects(
  query: SurveyQuery,
  globals: Pick<Globals, "registry">,
  ambient: Ambient,
): Promise<Survey> {
  const at = ambient.now();
  const registered = await listRegisteredProjects(globals, ambient);
  const overviewQuery = {
    agentId: query.agentId ?? null,
    includes: query.includes,
    progressSince: query.progressMs === undefined ? null : addMs(at, -query.progressMs),
  };
  const tally = createTally(query, at);
  const warnings: SourceWarning[] = [];
  forgetOthers(query.kept, registered);
  for (const project of registered) {
    const kept = query.kept && keepProject(query.kept, project);
    const read = await readRegisteredProject(project, ambient, (tx) =>
      loadProjectOverview(tx, { ...overviewQuery, goalIds: project.goalIds, kept }, at),
    );
    if (read.ok) addProject(tally, read.result, at);
    else warnings.push(read.warning);
  }
  const survey = { at, hasProjects: registered.length > 0, warnings, ...tally };
  if (query.agentId !== undefined && survey.counts.openGoals + survey.counts.closedGoals === 0) {
    throw toUnknownAgentError(query.agentId, warnings.length);
  }
  return survey;
}

function keepProject(kept: KeptProjects, { projectId }: RegisteredProject): KeptGoalFacts {
  const known = kept.get(projectId) ?? new Map();
  kept.set(projectId, known);
  return known;
}

/** What is no longer registered is not kept. */
function forgetOthers(kept: KeptProjects = new Map(), registered: readonly RegisteredProject[]): void {
  const goalIds = new Map(registered.map((project) => [project.projectId, project.goalIds] as const));
  for (const [projectId, goals] of kept) {
    const still = goalIds.get(projectId);
    if (still === undefined) kept.delete(projectId);
    for (const goalId of goals.keys()) if (still?.has(goalId) !== true) goals.delete(goalId);
  }
}

function toUnknownAgentError(agentId: string, unreadCount: number): LoopxError {
  return new LoopxError("unknown_agent", {
    message: `the agent is a lane of no goal ${unreadCount === 0 ? "on this machine" : "that could be read"}`,
    hint: `see the lanes there are: ${printCommand("global-summary", {}).shell}`,
    details: { agent_id: agentId, unread_project_count: unreadCount },
  });
}

/** What is counted and kept while projects are read. */
interface Tally extends Pick<Survey, "heads"> {
  readonly counts: { -readonly [Name in keyof SurveyCounts]: number };
  readonly lanesByDecision: Record<string, number>;
  readonly risksByCategory: Record<string, number>;
  readonly goalsByLane: Record<GoalLane, number>;
  /** Risks that were seen before are left out. */
  readonly riskSince: Instant | null;
  /** Failures are counted from here; null for none. */
  readonly failedSince: Instant | null;
}

function createTally({ after, limit, riskMs, progressMs }: SurveyQuery, at: Instant): Tally {
  const headOf = <Item>(list: ListName): OrderedHead<Item> =>
    createOrderedHead<Item>(limit, after?.list === list ? after.key : null);
  return {
    counts: { ...NOTHING },
    lanesByDecision: {},
    risksByCategory: {},
    goalsByLane: { needs_you: 0, in_progress: 0, watching: 0, held: 0 },
    heads: {
      gates: headOf("gates"),
      todos: headOf("todos"),
      risks: headOf("risks"),
      failures: headOf("failures"),
      lanes: headOf("lanes"),
      recent_progress: headOf("recent_progress"),
      asks: headOf("asks"),
      goals: headOf("goals"),
    },
    riskSince: riskMs === undefined ? null : addMs(at, -riskMs),
    failedSince: progressMs === undefined ? null : addMs(at, -progressMs),
  };
}

function addProject(tally: Tally, { openGoals, closedGoals }: ProjectOverview, at: Instant): void {
  tally.counts.projects += 1;
  tally.counts.closedGoals += closedGoals.length;
  for (const overview of openGoals) addGoal(tally, overview, at);
  for (const { goalId, progress } of closedGoals) addProgress(tally, goalId, progress);
}

function addGoal(tally: Tally, overview: GoalOverview, at: Instant): void {
  const goalId = overview.goal.goal_id;
  tally.counts.openGoals += 1;
  if (overview.hasUnscannedTexts) tally.counts.goalsWithUnscannedTexts += 1;
  for (const gate of overview.gates) addGate(tally, goalId, gate);
  for (const item of overview.work) addWork(tally, goalId, item);
  for (const lane of overview.lanes) addLane(tally, goalId, lane);
  for (const risk of overview.risks) {
    addRisk(tally, goalId, risk);
    addFailure(tally, goalId, risk);
  }
  addProgress(tally, goalId, overview.progress);
  for (const item of listAsks(overview)) addAsk(tally, goalId, item);
  const outlook = toGoalOutlook(overview, at);
  tally.goalsByLane[outlook.lane] += 1;
  tally.heads.goals.add({ key: toGoalKey(outlook), goalId, item: outlook });
}

function addAsk({ counts, heads }: Tally, goalId: string, item: Ask): void {
  counts.asks += 1;
  heads.asks.add({ key: toAskKey(goalId, item), goalId, item });
}

function addGate({ counts, heads }: Tally, goalId: string, item: LiveGate): void {
  counts.gates += 1;
  if (item.isUndecided) counts.undecidedGates += 1;
  heads.gates.add({ key: toGateKey(goalId, item), goalId, item });
}

const COUNT_OF = {
  runnable: "runnableTodos",
  deferred_ready: "deferredReadyTodos",
  blocked: "blockedTodos",
} as const satisfies Readonly<Record<Readiness, keyof SurveyCounts>>;

function addWork({ counts, heads }: Tally, goalId: string, item: WorkItem): void {
  counts.todos += 1;
  counts[COUNT_OF[item.readiness]] += 1;
  if (item.isReview) counts.reviewTodos += 1;
  heads.todos.add({ key: toWorkKey(goalId, item), goalId, item });
}

function addLane({ lanesByDecision, heads }: Tally, goalId: string, item: LaneOutlook): void {
  const { kind } = item.decision;
  lanesByDecision[kind] = (lanesByDecision[kind] ?? 0) + 1;
  heads.lanes.add({ key: toLaneKey(goalId, item), goalId, item });
}

function addRisk({ counts, heads, risksByCategory, riskSince }: Tally, goalId: string, item: Risk): void {
  if (riskSince !== null && item.seenAt !== null && item.seenAt < riskSince) return;
  counts.risks += 1;
  counts.riskOccurrences += item.occurrenceCount;
  risksByCategory[item.category] = (risksByCategory[item.category] ?? 0) + 1;
  heads.risks.add({ key: toRiskKey(goalId, item), goalId, item });
}

/** A check that failed or a turn that outlived its lease since then: what a text holds is no event. */
function addFailure({ counts, heads, failedSince }: Tally, goalId: string, item: Risk): void {
  const { category, seenAt, sourceId } = item;
  if (category !== "failing_check" && category !== "stale_run") return;
  if (failedSince === null || seenAt === null || seenAt < failedSince) return;
  counts.failures += 1;
  heads.failures.add({ key: [-toEpochMs(seenAt), goalId, sourceId], goalId, item });
}

function addProgress({ counts, heads }: Tally, goalId: string, progress: readonly Progress[]): void {
  counts.progress += progress.length;
  for (const item of progress) heads.recent_progress.add({ key: toProgressKey(goalId, item), goalId, item });
}

const NOTHING = {
  projects: 0,
  openGoals: 0,
  closedGoals: 0,
  gates: 0,
  undecidedGates: 0,
  todos: 0,
  runnableTodos: 0,
  deferredReadyTodos: 0,
  blockedTodos: 0,
  reviewTodos: 0,
  progress: 0,
  risks: 0,
  riskOccurrences: 0,
  failures: 0,
  goalsWithUnscannedTexts: 0,
  asks: 0,
};
