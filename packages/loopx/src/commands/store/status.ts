import { LoopxError } from "@loopx/contracts";
import {
  countTodosByStatus,
  listAgents,
  listGoals,
  listLiveGates,
  listTodos,
  loadTurnUse,
  parseTodoCursor,
  type Goal,
  type Page,
  type Todo,
} from "@loopx/control-plane";
import { printCommand } from "../../command-line/print-command.ts";
import type { CommandResult } from "../../output/command-result.ts";
import type { TextStyle } from "../../output/text-style.ts";
import { toGatePacket } from "../../packets/gate-packet.ts";
import { renderBudget, toGoalPacket } from "../../packets/goal-packet.ts";
import { joinLines, renderFacts, renderNext } from "../../packets/render-facts.ts";
import { renderTodoLine, toTodoPacket } from "../../packets/todo-packet.ts";
import type { OpenProject } from "../../project/open-project.ts";
import { withProject } from "../../project/resolve-project.ts";
import type { CommandHandler, CommandInput } from "../command-handler.ts";
import { renderCounts } from "../goal/show.ts";

const GATES_SHOWN = 3;
const TODOS_SHOWN = 5;
const GOALS_SHOWN = 10;

/** Shows the project: its goals, what waits for an owner, and the work at the head of the list. */
export const run: CommandHandler<"status"> = async (input) => {
  const { flags, globals, ambient } = input;
  return withProject({ globals, ambient, goalId: flags.goalId }, "read", async (project) => {
    const goals = await project.database.read(listGoals);
    const shown = goals.filter((goal) => flags.goalId === undefined || goal.goal_id === flags.goalId);
    const [only, ...others] = shown;
    if (only === undefined && flags.goalId !== undefined) throw toUnknownGoalError(flags.goalId);
    if (only === undefined || others.length > 0) return renderGoals(project, shown);
    return renderGoal(project, await loadGoalStatus(project, only, flags));
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
  readonly counts: Readonly<Partial<Record<string, number>>>;
  readonly used: number;
  readonly gates: readonly Todo[];
  readonly page: Page<Todo>;
}

async function loadGoalStatus(
  project: OpenProject,
  goal: Goal,
  flags: CommandInput<"status">["flags"],
): Promise<GoalStatus> {
  const filter = { role: "agent", status: null, taskClass: null, agentId: flags.agentId ?? null } as const;
  const cursor = flags.cursor === undefined ? null : readCursor(flags.cursor);
  const { goal_id: goalId } = goal;
  return project.database.read(async (tx) => ({
    goal,
    agents: (await listAgents(tx, goalId)).map((agent) => agent.agent_id),
    counts: await countTodosByStatus(tx, goalId),
    used: (await loadTurnUse(tx, goalId, null)).total,
    gates: await listLiveGates(tx, goalId, GATES_SHOWN),
    page: await listTodos(tx, goalId, { filter, limit: flags.limit ?? TODOS_SHOWN, cursor }),
  }));
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
      : goals.slice(0, 1).map((goal) => printCommand("status", { goalId: goal.goal_id }).shell);
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
        `${style.bold(project.label)}: ${goals.length === 0 ? "no goal yet" : `${goals.length} goals`}`,
        ...goals.map((goal) => `  ${goal.goal_id}  ${goal.status}`),
        renderNext(next, style),
      ),
  };
}

const AGENTS_SHOWN = 10;

function renderGoal(project: OpenProject, status: GoalStatus): CommandResult {
  const { goal, agents, counts, used, gates, page } = status;
  const goalId = goal.goal_id;
  const next = listNext(status);
  return {
    packet: {
      ok: true,
      schema_version: "loopx_status_v1",
      project_root_label: project.label,
      goal: toGoalPacket(goal),
      used_turns: used,
      agents: agents.slice(0, AGENTS_SHOWN),
      agent_count: agents.length,
      todo_counts: counts,
      gates: gates.map(toGatePacket),
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
            ["budget", `${used} used, ${renderBudget(goal)}`],
            ["agents", agents.join(", ") || "none yet"],
            ["todos", renderCounts(counts)],
          ],
          style,
        ),
        renderSection(
          "waits for you",
          gates.map((gate) => `${gate.todo_id}  ${renderTodoLine(gate)}`),
          style,
        ),
        renderSection(
          "work",
          page.items.map((todo) => `${todo.todo_id}  ${todo.status.padEnd(8)}  ${renderTodoLine(todo)}`),
          style,
        ),
        renderNext(next, style),
      ),
  };
}

function renderSection(title: string, lines: readonly string[], style: TextStyle): string {
  return lines.length === 0 ? "" : `\n${style.dim(title)}\n${lines.map((line) => `  ${line}`).join("\n")}`;
}

function listNext({ goal, agents, gates, page }: GoalStatus): readonly string[] {
  const goalId = goal.goal_id;
  const [gate] = gates;
  const [agentId] = agents;
  if (gate !== undefined) return [printCommand("gate show", { goalId, gateId: gate.todo_id }).shell];
  if (goal.status === "paused") return [printCommand("goal resume", { goalId }).shell];
  if (goal.status !== "active") return [printCommand("history", { goalId }).shell];
  if (agentId === undefined) {
    return [printCommand("register-agent", { goalId, agentId: "<agent-id>", execute: true }).shell];
  }
  if (page.total === 0)
    return [printCommand("todo add", { goalId, role: "agent", text: "<todo text>", agentId }).shell];
  return [printCommand("quota should-run", { goalId, agentId }).shell];
}
