import { cutText, LIMITS, LoopxError, type Instant } from "@loopx/contracts";
import {
  countOpenForOwner,
  countOpenTurns,
  countTodosByStatus,
  isTerminal,
  listActivations,
  listAgents,
  listGoals,
  listLiveGates,
  listOpenActions,
  listTodos,
  loadTurnUse,
  parseTodoCursor,
  type Goal,
  type Page,
  type Todo,
} from "@loopx/control-plane";
import { printCommand } from "../../command-line/print-command.ts";
import { describeAgentLoop, listAgentLoops, type AgentLoop } from "../../packets/agent-loops.ts";
import type { CommandResult } from "../../output/command-result.ts";
import type { TextStyle } from "../../output/text-style.ts";
import { toGatePacket } from "../../packets/gate-packet.ts";
import { renderTurnUse, toGoalPacket } from "../../packets/goal-packet.ts";
import { joinLines, renderFacts, renderNext, renderQuantity } from "../../packets/render-facts.ts";
import { renderTodoLine, toTodoPacket } from "../../packets/todo-packet.ts";
import type { OpenProject } from "../../project/open-project.ts";
import { findMeantGoal, isOpenGoal } from "../../project/meant-goal.ts";
import { withProject } from "../../project/resolve-project.ts";
import type { CommandHandler, CommandInput } from "../command-handler.ts";
import { renderCounts } from "../goal/show.ts";

const ASKED_SHOWN = 3;
/** So many gates are told apart by what they wait for, and so many actions counted; further ones are as good as out of sight. */
const ASKED_LOOKED_AT = 50;
const BLOCKED = { role: "agent", status: "blocked", taskClass: null, agentId: null } as const;
const TODOS_SHOWN = 5;
const GOALS_SHOWN = 10;

/** Shows the project: its goals, what waits for an owner, and the work at the head of the list. */
export const run: CommandHandler<"status"> = async (input) => {
  const { flags, globals, ambient } = input;
  if (flags.hostSurfaceMap) {
    const { renderHostSurfaceMap } = await import("../../host-surface-map/render-host-surface-map.ts");
    return renderHostSurfaceMap(input);
  }
  return withProject({ globals, ambient, goalId: flags.goalId }, "read", async (project) => {
    const goals = await project.database.read(listGoals);
    const goal =
      flags.goalId === undefined ? findMeantGoal(goals) : goals.find((each) => each.goal_id === flags.goalId);
    if (goal === undefined && flags.goalId !== undefined) throw toUnknownGoalError(flags.goalId);
    if (goal === undefined) return renderGoals(project, goals);
    const otherCount = flags.goalId === undefined ? goals.length - 1 : 0;
    return renderGoal(project, { ...(await loadGoalStatus(project, goal, flags)), otherCount, now: ambient.now() });
  });
};

function toUnknownGoalError(goalId: string): LoopxError {
  return new LoopxError("unknown_goal", {
    message: "no goal has this id in this project",
    hint: "loopx goal list",
    details: { goal_id: goalId },
  });
}

interface GoalStatus {
  readonly goal: Goal;
  readonly agents: readonly string[];
  readonly loops: readonly AgentLoop[];
  readonly counts: Readonly<Partial<Record<string, number>>>;
  /** Of the open ones, an owner's. */
  readonly forOwner: number;
  readonly use: { readonly total: number; readonly openCount: number };
  readonly gates: readonly Todo[];
  /** What only the owner can do. */
  readonly actions: readonly Todo[];
  /** Whoever can may open them again; an agent that cannot asks its owner. */
  readonly blocked: readonly Todo[];
  readonly page: Page<Todo>;
}

interface ShownStatus extends GoalStatus {
  /** Goals besides the one that is shown because none was named. */
  readonly otherCount: number;
  readonly now: Instant;
}

async function loadGoalStatus(
  project: OpenProject,
  goal: Goal,
  flags: CommandInput<"status">["flags"],
): Promise<GoalStatus> {
  const filter = { role: "agent", status: null, taskClass: null, agentId: flags.agentId ?? null } as const;
  const cursor = flags.cursor === undefined ? null : readCursor(flags.cursor);
  const { goal_id: goalId } = goal;
  return project.database.read(async (tx) => {
    const agents = (await listAgents(tx, goalId)).map((agent) => agent.agent_id);
    return {
      goal,
      agents,
      loops: listAgentLoops(agents, await listActivations(tx, goalId)),
      counts: await countTodosByStatus(tx, goalId),
      forOwner: await countOpenForOwner(tx, goalId),
      use: { total: (await loadTurnUse(tx, goalId, null)).total, openCount: await countOpenTurns(tx, goalId) },
      gates: await listLiveGates(tx, goalId, ASKED_LOOKED_AT),
      actions: await listOpenActions(tx, goalId, ASKED_LOOKED_AT),
      blocked: (await listTodos(tx, goalId, { filter: BLOCKED, limit: ASKED_LOOKED_AT, cursor: null })).items,
      page: await listTodos(tx, goalId, { filter, limit: flags.limit ?? TODOS_SHOWN, cursor }),
    };
  });
}

function readCursor(text: string): NonNullable<ReturnType<typeof parseTodoCursor>> {
  const cursor = parseTodoCursor(text);
  if (cursor !== undefined) return cursor;
  throw new LoopxError("invalid_value", {
    message: "--cursor takes what the page before gave as next_cursor",
    details: { field: "cursor" },
  });
}

function renderGoals(project: OpenProject, goals: readonly Goal[]): CommandResult {
  const next =
    goals.length === 0
      ? [printCommand("bootstrap", { objective: "<what to reach>" }, { globals: { project: "." } }).shell]
      : [goals.find(isOpenGoal) ?? goals[0]].flatMap((goal) =>
          goal === undefined ? [] : [printCommand("status", { goalId: goal.goal_id }).shell],
        );
  return {
    packet: {
      ok: true,
      schema_version: "loopx_status_v1",
      project_root_label: project.label,
      goals: goals.slice(0, GOALS_SHOWN).map(toGoalPacket),
      goal_count: goals.length,
      next,
    },
    text: (style) =>
      joinLines(
        `${style.bold(project.label)}: ${goals.length === 0 ? "no goal yet" : renderQuantity(goals.length, "goal")}`,
        ...renderGoalRows(goals),
        renderNext(next, style),
      ),
  };
}

function renderGoalRows(goals: readonly Goal[]): readonly string[] {
  const width = Math.max(0, ...goals.map((goal) => goal.goal_id.length));
  return goals.map((goal) => `  ${goal.goal_id.padEnd(width)}  ${goal.status}`);
}

const AGENTS_SHOWN = 10;
const LOOPS_SHOWN = 5;

function describeLoops(loops: readonly AgentLoop[]): string | null {
  const shown = loops.slice(0, LOOPS_SHOWN).map(describeAgentLoop);
  const more = loops.length > shown.length ? `\n${loops.length - shown.length} more` : "";
  return shown.length === 0 ? null : `${shown.join("\n")}${more}`;
}

function renderGoal(project: OpenProject, status: ShownStatus): CommandResult {
  const { goal, agents, loops, counts, forOwner, use, actions, blocked, page, otherCount } = status;
  const goalId = goal.goal_id;
  const gates = sortGates(status);
  const next = listNext(status, gates);
  const finished = page.items.filter(isTerminal);
  const live = page.items.filter((todo) => !isTerminal(todo));
  return {
    packet: {
      ok: true,
      schema_version: "loopx_status_v1",
      project_root_label: project.label,
      goal: toGoalPacket(goal),
      ...(otherCount === 0 ? {} : { other_goal_count: otherCount }),
      used_turns: use.total,
      ...(use.openCount === 0 ? {} : { open_turns: use.openCount }),
      agents: agents.slice(0, AGENTS_SHOWN),
      agent_count: agents.length,
      ...(isOpenGoal(goal) && loops.length > 0 ? { agent_loops: loops.slice(0, LOOPS_SHOWN) } : {}),
      todo_counts: counts,
      ...(forOwner === 0 ? {} : { todos_for_owner: forOwner }),
      gates: [...gates.waiting, ...gates.rejected, ...gates.putOff].slice(0, ASKED_SHOWN).map(toGatePacket),
      ...(actions.length === 0 ? {} : { user_actions: actions.slice(0, ASKED_SHOWN).map(toTodoPacket) }),
      ...(blocked.length === 0 ? {} : { blocked_todo_ids: blocked.slice(0, ASKED_SHOWN).map((todo) => todo.todo_id) }),
      todos: page.items.map(toTodoPacket),
      ...(page.nextCursor === null ? {} : { next_cursor: page.nextCursor }),
      next,
    },
    text: (style) =>
      joinLines(
        style.bold(goal.objective.split("\n")[0] ?? ""),
        "",
        renderFacts(
          [
            ["active state id", goalId],
            ["status", `${goal.status}, revision ${goal.revision}`],
            ["budget", renderTurnUse(goal, use)],
            ["agents", agents.join(", ") || "none yet"],
            ["loops", isOpenGoal(goal) ? describeLoops(loops) : null],
            ["todos", renderCounts(counts, forOwner)],
            ["other goals", otherCount === 0 ? null : `${otherCount}, none of them open: loopx goal list`],
          ],
          style,
        ),
        renderAsked("waits for an owner", [gates.waiting, actions], style),
        renderAsked("blocked, waits for whoever can open it again", [blocked], style),
        renderAsked("rejected", [gates.rejected], style),
        renderAsked("put off", [gates.putOff], style),
        renderSection("work", renderTodos(live), style),
        renderSection("finished", renderTodos(finished), style),
        page.nextCursor === null ? "" : style.dim(`\n${page.items.length} of ${page.total}`),
        renderNext(next, style),
      ),
  };
}

interface SortedGates {
  readonly waiting: readonly Todo[];
  readonly rejected: readonly Todo[];
  readonly putOff: readonly Todo[];
}

function sortGates({ gates, now }: ShownStatus): SortedGates {
  const isPutOff = (todo: Todo): boolean => {
    const again = todo.gate?.ask_again_at ?? null;
    return todo.gate?.decision === "deferred" && (again === null || again > now);
  };
  const rejected = gates.filter((todo) => todo.gate?.decision === "rejected");
  const putOff = gates.filter(isPutOff);
  return { waiting: gates.filter((todo) => !rejected.includes(todo) && !putOff.includes(todo)), rejected, putOff };
}

/** The first of each list, so that many questions do not hide what is to be done. */
function renderAsked(title: string, lists: readonly (readonly Todo[])[], style: TextStyle): string {
  const shown = lists.flatMap((asked) => asked.slice(0, ASKED_SHOWN));
  const lines = shown.map((todo) => `${todo.todo_id}  ${renderTodoLine(todo)}${describeBlock(todo)}`);
  const total = lists.flat().length;
  const cut = total > shown.length ? ` (${shown.length} of ${total})` : "";
  return renderSection(`${title}${cut}`, lines, style);
}

function describeBlock(todo: Todo): string {
  if (todo.status !== "blocked" || todo.reason === null) return "";
  const shown = cutText(todo.reason.replaceAll(/\s+/g, " "), LIMITS.todoTextShown);
  return `: ${shown.text}${shown.isTruncated ? "…" : ""}`;
}

/** The statuses in one column, as wide as the longest of them. */
function renderTodos(todos: readonly Todo[]): readonly string[] {
  const width = Math.max(0, ...todos.map((todo) => todo.status.length));
  return todos.map((todo) => `${todo.todo_id}  ${todo.status.padEnd(width)}  ${renderTodoLine(todo)}`);
}

function renderSection(title: string, lines: readonly string[], style: TextStyle): string {
  return lines.length === 0 ? "" : `\n${style.dim(title)}\n${lines.map((line) => `  ${line}`).join("\n")}`;
}

function listNext(status: ShownStatus, gates: SortedGates): readonly string[] {
  const { goal, actions, page } = status;
  const goalId = goal.goal_id;
  const moreGates = gates.waiting.length > ASKED_SHOWN ? [printCommand("gate list", { goalId }).shell] : [];
  const moreTodos = page.nextCursor === null ? [] : [printCommand("todo list", { goalId }).shell];
  const [action] = isOpenGoal(goal) ? actions : [];
  const done = action === undefined ? [] : [printCommand("todo complete", { goalId, todoId: action.todo_id }).shell];
  return [...listStep(status, gates), ...done, ...moreGates, ...moreTodos];
}

function listStep({ goal, agents, page }: ShownStatus, { waiting }: SortedGates): readonly string[] {
  const goalId = goal.goal_id;
  const [gate] = waiting;
  const [agentId] = agents;
  if (!isOpenGoal(goal)) return [printCommand("history", { goalId }).shell];
  if (gate !== undefined) return [printCommand("gate show", { goalId, gateId: gate.todo_id }).shell];
  if (goal.status === "paused") return [printCommand("goal resume", { goalId }).shell];
  if (agentId === undefined) {
    return [printCommand("register-agent", { goalId, agentId: "<agent-id>", execute: true }).shell];
  }
  if (page.total === 0)
    return [printCommand("todo add", { goalId, role: "agent", text: "<todo text>", agentId }).shell];
  return [printCommand("quota should-run", { goalId, agentId }).shell];
}
