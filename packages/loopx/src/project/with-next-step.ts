import { LoopxError, type ErrorCode } from "@loopx/contracts";
import { printCommand } from "../command-line/print-command.ts";

/** The same refusal with what to do next in this goal, where the rule that refused could not say so. */
export function withNextStep(error: LoopxError, goalId: string): LoopxError {
  const hint = error.hint === undefined ? findNextStep(error, goalId) : undefined;
  if (hint === undefined) return error;
  const { code, message, details } = error;
  return new LoopxError(code, { message, hint, ...(details === undefined ? {} : { details }), cause: error });
}

function findNextStep({ code, details = {} }: LoopxError, goalId: string): string | undefined {
  const find = STEPS[code];
  return find?.(goalId, (name) => (typeof details[name] === "string" ? details[name] : undefined));
}

type FindStep = (goalId: string, detail: (name: string) => string | undefined) => string | undefined;

const STEPS: Readonly<Partial<Record<ErrorCode, FindStep>>> = {
  unknown_goal: () => printCommand("goal list", {}).shell,
  unknown_todo: (goalId) => printCommand("todo list", { goalId }).shell,
  unknown_turn: (goalId) => printCommand("quota status", { goalId }).shell,
  unknown_agent: (goalId) => printCommand("goal show", { goalId }).shell,
  todo_not_open: (goalId, detail) => {
    const todoId = detail("todo_id");
    return todoId === undefined ? undefined : printCommand("todo show", { goalId, todoId }).shell;
  },
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
