import { formatDuration, fromRefusal, isLoopxError } from "@loopx/contracts";
import {
  checkOwner,
  compactGoal,
  findGoal,
  listGoals,
  planCompaction,
  type CompactionPlan,
  type CompactionPolicy,
} from "@loopx/control-plane";
import type { Database } from "@loopx/store";
import { printCommand } from "../../command-line/print-command.ts";
import type { CommandResult } from "../../output/command-result.ts";
import { renderTable } from "../../output/render-table.ts";
import type { TextStyle } from "../../output/text-style.ts";
import { joinLines, OWNER_RUNS_THESE, renderNext, renderQuantity } from "../../packets/render-facts.ts";
import { unwrap } from "../../packets/unwrap.ts";
import { openArchive } from "../../project/archives.ts";
import { identifyCaller } from "../../project/identify-caller.ts";
import type { OpenProject } from "../../project/open-project.ts";
import { withProject } from "../../project/resolve-project.ts";
import type { CommandHandler, CommandInput } from "../command-handler.ts";

type Flags = CommandInput<"gc">["flags"];

const DEFAULT_OLDER_THAN_MS = 90 * 86_400_000;

/** Archives and removes events that a policy lets go; a preview only without `--execute`. */
export const run: CommandHandler<"gc"> = async ({ flags, globals, ambient, facts }) => {
  const { actor } = await identifyCaller({ ambient, facts }, flags);
  const refused = flags.execute ? checkOwner(actor, "compact the events of a goal") : undefined;
  if (refused !== undefined) throw fromRefusal(refused);
  const policy = toPolicy(flags);
  const access = flags.execute ? "write" : "read";
  return withProject({ globals, ambient, goalId: flags.goalId }, access, async (project) => {
    const { goalIds, plans } = await planAll(project.database, flags.goalId, { policy, now: ambient.now() });
    if (!flags.execute) return renderGc({ flags, policy, goalIds, goals: plans.map(toPreviewed), space: undefined });
    const archive = flags.noArchive || plans.length === 0 ? null : openArchive(project.projectId, ambient);
    const goals: GoalReport[] = [];
    for (const plan of plans) {
      const request = { goalId: plan.goalId, actor, policy, archive };
      goals.push(toCompacted(plan, unwrap(await compactGoal(project.database, request, ambient)).compactions));
    }
    const space = goals.length === 0 ? undefined : await returnSpace(project);
    return renderGc({ flags, policy, goalIds, goals, space });
  });
};

function toPolicy({ olderThan, keepEvents }: Flags): CompactionPolicy {
  const byDefault = keepEvents === undefined ? DEFAULT_OLDER_THAN_MS : null;
  return { olderThanMs: olderThan ?? byDefault, keepEvents: keepEvents ?? null };
}

async function planAll(
  database: Database,
  goalId: string | undefined,
  by: { readonly policy: CompactionPolicy; readonly now: Parameters<typeof planCompaction>[2] },
): Promise<{ readonly goalIds: readonly string[]; readonly plans: readonly CompactionPlan[] }> {
  return database.read(async (tx) => {
    const goals = goalId === undefined ? await listGoals(tx) : [await findGoal(tx, goalId)];
    const goalIds = goals.flatMap((goal) => (goal === undefined ? [] : [goal.goal_id]));
    const plans: CompactionPlan[] = [];
    for (const each of goalIds) {
      const plan = await planCompaction(tx, { goalId: each, policy: by.policy }, by.now);
      if (plan !== undefined) plans.push(plan);
    }
    return { goalIds, plans };
  });
}

interface GoalReport {
  readonly goal_id: string;
  /** Before. */
  readonly events: number;
  readonly removed_events: number;
  readonly removed_bytes: number;
  /** The state is answered as of this event and later ones. */
  readonly earliest_seq: number;
  readonly earliest_at: string;
  readonly archives?: readonly string[];
}

function toPreviewed(plan: CompactionPlan): GoalReport {
  return {
    goal_id: plan.goalId,
    events: plan.eventCount,
    removed_events: plan.removedCount,
    removed_bytes: plan.removedBytes,
    earliest_seq: plan.throughSeq,
    earliest_at: plan.throughAt,
  };
}

type Compactions = Extract<Awaited<ReturnType<typeof compactGoal>>, { ok: true }>["compactions"];

function toCompacted(plan: CompactionPlan, compactions: Compactions): GoalReport {
  const last = compactions.at(-1);
  return {
    goal_id: plan.goalId,
    events: plan.eventCount,
    removed_events: compactions.reduce((sum, each) => sum + each.removed_count, 0),
    removed_bytes: compactions.reduce((sum, each) => sum + each.removed_bytes, 0),
    earliest_seq: last?.through_seq ?? plan.throughSeq,
    earliest_at: last?.through_at ?? plan.throughAt,
    archives: compactions.flatMap(({ archive }) => (archive === null ? [] : [archive])),
  };
}

type Space =
  | { readonly bytes_before: number; readonly bytes_after: number }
  | { readonly not_returned: "store_busy" | "store_full" }
  | undefined;

/** The events are gone already: a disk too full, or a store in too much use, is said and tried another time. */
async function returnSpace({ database }: OpenProject): Promise<Space> {
  try {
    const returned = await database.returnFreeSpace();
    return returned && { bytes_before: returned.bytesBefore, bytes_after: returned.bytesAfter };
  } catch (error) {
    if (isLoopxError(error) && (error.code === "store_busy" || error.code === "store_full")) {
      return { not_returned: error.code };
    }
    throw error;
  }
}

interface Report {
  readonly flags: Flags;
  readonly policy: CompactionPolicy;
  readonly goalIds: readonly string[];
  readonly goals: readonly GoalReport[];
  readonly space: Space;
}

function renderGc({ flags, policy, goalIds, goals, space }: Report): CommandResult {
  const { execute: isExecuted, ownerTokenFile: _token, ...asked } = flags;
  const next = isExecuted || goals.length === 0 ? [] : [printCommand("gc", { ...asked, execute: true }).shell];
  return {
    packet: {
      ok: true,
      schema_version: "loopx_gc_v1",
      dry_run: !isExecuted,
      policy: {
        older_than: policy.olderThanMs === null ? null : formatDuration(policy.olderThanMs),
        keep_events: policy.keepEvents,
        archive: !flags.noArchive,
      },
      goals,
      unchanged_goals: goalIds.length - goals.length,
      ...(space === undefined ? {} : { space }),
      next,
    },
    text: (style) =>
      joinLines(
        renderSummary({ goals, isExecuted, policy }, style),
        goals.length === 0 ? "" : renderGoals(goals, style),
        isExecuted ? renderArchives(goals, flags.noArchive) : sayWhatIsLost(goals, flags.noArchive),
        renderSpace(space),
        renderNext(next, style, OWNER_RUNS_THESE),
      ),
  };
}

function renderSummary(
  of: { readonly goals: readonly GoalReport[]; readonly isExecuted: boolean; readonly policy: CompactionPolicy },
  style: TextStyle,
): string {
  const { goals, isExecuted, policy } = of;
  const kept = [
    ...(policy.olderThanMs === null ? [] : [`of the last ${formatDuration(policy.olderThanMs)}`]),
    ...(policy.keepEvents === null ? [] : [`the last ${policy.keepEvents} of each goal`]),
  ].join(" and ");
  if (goals.length === 0) return `nothing to remove: events ${kept} stay`;
  const count = goals.reduce((sum, goal) => sum + goal.removed_events, 0);
  const what = style.bold(renderQuantity(count, "event"));
  return `${isExecuted ? "removed" : "would remove"} ${what}; events ${kept} stay, and what tells the state since`;
}

function renderGoals(goals: readonly GoalReport[], style: TextStyle): string {
  return renderTable(
    [
      { title: "GOAL" },
      { title: "EVENTS", align: "right" },
      { title: "GO", align: "right" },
      { title: "KIB", align: "right" },
      { title: "HISTORY IS ANSWERED FROM" },
    ],
    goals.map((goal) => [
      goal.goal_id,
      String(goal.events),
      String(goal.removed_events),
      String(Math.ceil(goal.removed_bytes / 1024)),
      `event ${goal.earliest_seq}, ${goal.earliest_at}`,
    ]),
    style,
  );
}

function sayWhatIsLost(goals: readonly GoalReport[], isUnarchived: boolean): string {
  if (goals.length === 0) return "";
  return `the state before that is not answered any more; ${isUnarchived ? "no copy is kept" : "the events go to an archive first"}`;
}

function renderArchives(goals: readonly GoalReport[], isUnarchived: boolean): string {
  if (goals.length === 0) return "";
  if (isUnarchived) return "no copy was kept";
  const names = goals.flatMap(({ archives = [] }) => archives);
  return [`${renderQuantity(names.length, "archive")} in the LoopX home's archives`, ...names]
    .map((line, at) => (at === 0 ? line : `  ${line}`))
    .join("\n");
}

function renderSpace(space: Space): string {
  if (space === undefined) return "";
  if ("not_returned" in space) {
    const why = space.not_returned === "store_full" ? "the disk is too full" : "the store is in use";
    return `the file keeps its size for now: ${why}; later rows take the space`;
  }
  return `the store takes ${Math.ceil(space.bytes_after / 1024)} KiB, before ${Math.ceil(space.bytes_before / 1024)} KiB`;
}
