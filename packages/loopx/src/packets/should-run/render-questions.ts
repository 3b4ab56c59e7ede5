import { cutText } from "@loopx/contracts";
import type { Decision, NextTurn, Todo } from "@loopx/control-plane";
import { printCommand } from "../../command-line/print-command.ts";
import { QUESTION_SHOWN, type Asking, type DecisionBody } from "./decision-body.ts";

/** Questions a packet spells out; the rest are counted. */
const QUESTIONS_SHOWN = 3;

/** What an owner is asked, and the commands that answer. */
export function renderQuestions(
  next: NextTurn,
  decision: Extract<Decision, { kind: "ask_user" }>,
  asking: Asking,
): DecisionBody {
  const { goalId } = asking;
  const asked = next.asked.slice(0, QUESTIONS_SHOWN);
  const total = Math.max(decision.todoIds.length, next.asked.length) + (decision.moreCount ?? 0);
  const printed = asked.map((todo) => printAnswer(todo, goalId));
  if (decision.reason === "replan_exhausted") {
    printed.push(printCommand("todo add", { goalId, role: "agent", text: "<todo text>" }).shell);
  }
  return {
    fields: {
      reason: decision.reason,
      ...(asked.length === 0 ? {} : { questions: asked.map((todo) => toQuestion(todo, decision.reason)) }),
      ...(total > asked.length ? { more_questions: total - asked.length } : {}),
      decided_by: "owner",
    },
    facts: [
      ["why", ASK_REASONS[decision.reason]],
      ...asked.map((todo) => [todo.todo_id, toQuestion(todo, decision.reason).question] as const),
    ],
    next: printed,
    isForOwner: true,
  };
}

const ASK_REASONS: Readonly<Record<Extract<Decision, { kind: "ask_user" }>["reason"], string>> = {
  gate: "an owner must decide first",
  user_action: "an owner must do something first",
  blocked: "everything left is blocked",
  gate_rejected: "an owner rejected the gate that holds the whole goal",
  context_blocked: "the work needs facts that are not to be had, and time alone mends that not",
  replan_exhausted: "planning brought nothing new: an owner must say what comes next",
};

interface Question {
  readonly todo_id: string;
  readonly kind?: string;
  readonly question: string;
}

function toQuestion(todo: Todo, reason: string): Question {
  const text = reason === "blocked" && todo.reason !== null ? `${todo.text} — blocked: ${todo.reason}` : todo.text;
  return {
    todo_id: todo.todo_id,
    ...(todo.gate === null ? {} : { kind: todo.gate.kind }),
    question: cutText(text, QUESTION_SHOWN).text,
  };
}

function printAnswer(todo: Todo, goalId: string): string {
  if (todo.gate !== null) {
    // A question is answered in words; whatever else a gate holds back is let through or not.
    const answer = todo.gate.kind === "decision" ? { reason: "<answer>" } : {};
    const verdict = { goalId, gateId: todo.todo_id, decision: "<approve|reject|defer>", ...answer } as const;
    return printCommand("gate decide", verdict).shell;
  }
  if (todo.task_class === "user_action") return printCommand("todo complete", { goalId, todoId: todo.todo_id }).shell;
  return printCommand("todo update", { goalId, todoId: todo.todo_id, status: "open" }).shell;
}
