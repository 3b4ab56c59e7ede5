import { withHint, type ErrorCode, type LoopxError } from "@loopx/contracts";
import { printCommand } from "../command-line/print-command.ts";

/** The same refusal with what to do next in this goal, where the rule that refused could not say so. */
export function withNextStep(error: LoopxError, goalId: string): LoopxError {
  return error.hint === undefined ? withHint(error, findNextStep(error, goalId)) : error;
}

function findNextStep({ code, details = {} }: LoopxError, goalId: string): string | undefined {
  const find = NEXT_STEPS[code];
  return find?.(goalId, (name) => (typeof details[name] === "string" ? details[name] : undefined));
}

type FindStep = (goalId: string, detail: (name: string) => string | undefined) => string | undefined;

const SHOW_TODO: FindStep = (goalId, detail) => {
  const todoId = detail("todo_id");
  if (todoId === undefined) return printCommand("todo list", { goalId }).shell;
  return printCommand("todo show", { goalId, todoId }).shell;
};
const SHOW_TURNS: FindStep = (goalId) => printCommand("quota status", { goalId }).shell;

/** By code; a goal is known here. */
export const NEXT_STEPS: Readonly<Partial<Record<ErrorCode, FindStep>>> = {
  unknown_goal: () => printCommand("goal list", {}).shell,
  unknown_todo: (goalId) => printCommand("todo list", { goalId }).shell,
  unknown_turn: SHOW_TURNS,
  turn_not_held: SHOW_TURNS,
  turn_already_settled: SHOW_TURNS,
  lease_lost: SHOW_TURNS,
  binding_not_verified: (goalId, detail) => {
    const [threadId, agentId] = [detail("thread_id") ?? "<thread>", detail("agent_id") ?? "<agent>"];
    return printCommand("bind-agent-thread", {
      goalId,
      threadId,
      agentId,
      hostSurface: "<host-surface>",
      execute: true,
    }).shell;
  },
  context_not_attached: (goalId) => printCommand("context attached", { goalId }).shell,
  unknown_agent: (goalId) => printCommand("goal show", { goalId }).shell,
  todo_not_open: SHOW_TODO,
  todo_not_runnable: SHOW_TODO,
  todo_changed: SHOW_TODO,
  dependency_cycle: SHOW_TODO,
  goal_not_active: (goalId, detail) =>
    detail("status") === "paused"
      ? `an owner resumes it: ${printCommand("goal resume", { goalId }).shell}`
      : `see how it ended: ${printCommand("goal show", { goalId }).shell}; an owner lets it go on with goal resume`,
  todo_claimed_by_other: (goalId, detail) => {
    const until = detail("claim_expires_at");
    const when = until === undefined ? "" : `its lease ends at ${until}, unless the holder works on; `;
    return `${when}see what else there is: ${printCommand("todo list", { goalId, status: "open" }).shell}`;
  },
};
