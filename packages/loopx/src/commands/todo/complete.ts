import { basename } from "node:path";
import { fromRefusal, LoopxError } from "@loopx/contracts";
import {
  completeTodo,
  findCompletionRefusal,
  findTodo,
  type CompletedTodo,
  type FollowUp,
  type ValidationResult,
} from "@loopx/control-plane";
import { printCommand } from "../../command-line/print-command.ts";
import { digestFiles } from "../../evidence/digest-files.ts";
import { runValidation } from "../../evidence/run-validation.ts";
import { findValidationPlace } from "../../evidence/validation-place.ts";
import type { CommandResult } from "../../output/command-result.ts";
import { joinLines, renderNext } from "../../packets/render-facts.ts";
import { renderTodoLine, toTodoPacket } from "../../packets/todo-packet.ts";
import { unwrap } from "../../packets/unwrap.ts";
import { assertTrusted } from "../../project/assert-trusted.ts";
import { backupWhenOld } from "../../project/backups.ts";
import { identifyCaller } from "../../project/identify-caller.ts";
import type { OpenProject } from "../../project/open-project.ts";
import { withGoal } from "../../project/resolve-project.ts";
import type { CommandHandler, CommandInput } from "../command-handler.ts";

type Input = CommandInput<"todo complete">;

/** Completes a todo, after its own validation command has passed. No lock is held while that runs. */
export const run: CommandHandler<"todo complete"> = async (input) => {
  const { flags, globals, ambient, facts } = input;
  const caller = await identifyCaller({ ambient, facts }, flags);
  return withGoal({ globals, ambient, goalId: flags.goalId }, "write", async (project, goalId) => {
    const files = digestFiles(flags.evidenceFile, { cwd: ambient.cwd, root: project.root });
    const asked = {
      goalId,
      todoId: flags.todoId,
      caller,
      turnId: flags.turn ?? null,
      evidence: flags.evidence ?? null,
      files,
      followUp: toFollowUp(flags),
      validation: null,
    };
    const request = { ...asked, validation: await validate(project, asked, input) };
    const completed = unwrap(await completeTodo(project.database, request, ambient));
    if (completed.completedGoal !== null) await backupWhenOld(project, ambient);
    return renderCompleted(completed, flags);
  });
};

function toFollowUp(flags: Input["flags"]): FollowUp {
  if (flags.noFollowUp) return { kind: "no_follow_up" };
  if (flags.nextTodo !== undefined) return { kind: "next", text: flags.nextTodo };
  if (flags.successorTodoId !== undefined) return { kind: "successor", todoId: flags.successorTodoId };
  return { kind: "open_ended" };
}

async function validate(
  project: OpenProject,
  asked: Parameters<typeof completeTodo>[1],
  input: Input,
): Promise<{ readonly argv: readonly string[]; readonly result: ValidationResult } | null> {
  const todo = await project.database.read((tx) => findTodo(tx, asked.goalId, asked.todoId));
  if (todo?.validation == null || todo.status !== "open") return null;
  // What stands in the way anyway is said before the check runs, not after.
  const refused = await findCompletionRefusal(project.database, asked, input.ambient);
  if (refused !== undefined) throw fromRefusal(refused);
  await assertTrusted(project, input.ambient);
  if (!input.mayRunChecks) throw toCheckNotAllowed(asked, input.flags);
  const place = findValidationPlace(project.root, input.ambient);
  input.note(
    `running the todo's check in the ${place.kind}: ${todo.validation.label ?? basename(todo.validation.argv[0] ?? "")}`,
  );
  const result = await runValidation(todo.validation, place, input.onInterrupt);
  return { argv: todo.validation.argv, result };
}

function toCheckNotAllowed({ goalId }: Parameters<typeof completeTodo>[1], flags: Input["flags"]): LoopxError {
  return new LoopxError("check_not_allowed", {
    message: "this todo has a check of its own, and checks are not run from here",
    hint: `run it where your own commands run: ${printCommand("todo complete", { ...flags, goalId }).shell}`,
    details: { todo_id: flags.todoId },
  });
}

function renderCompleted(completed: CompletedTodo, flags: Input["flags"]): CommandResult {
  const { todo, alreadyDone, nextTodo, completedGoal } = completed;
  const next = listNext(completed, flags);
  return {
    packet: {
      ok: true,
      schema_version: "loopx_todo_complete_v1",
      goal_id: todo.goal_id,
      completed: !alreadyDone,
      already_done: alreadyDone,
      todo_id: todo.todo_id,
      completion: todo.completion,
      ...(nextTodo === null ? {} : { next_todo: toTodoPacket(nextTodo) }),
      ...(completedGoal === null ? {} : { goal_status: completedGoal.status }),
      next,
    },
    text: (style) =>
      joinLines(
        `${alreadyDone ? "already done" : "completed"} ${style.bold(todo.todo_id)}  ${renderTodoLine(todo)}`,
        nextTodo === null ? "" : `  follow-up ${nextTodo.todo_id}  ${renderTodoLine(nextTodo)}`,
        completedGoal === null ? "" : style.green(`  goal ${completedGoal.goal_id} is completed`),
        renderNext(next, style),
      ),
  };
}

function listNext({ todo }: CompletedTodo, flags: Input["flags"]): readonly string[] {
  if (flags.agentId === undefined) return [];
  const identity = { goalId: todo.goal_id, agentId: flags.agentId };
  if (flags.turn === undefined) return [printCommand("quota should-run", identity).shell];
  return [printCommand("quota spend", { ...identity, turn: flags.turn }).shell];
}
