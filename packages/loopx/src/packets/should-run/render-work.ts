import { cutText, LIMITS } from "@loopx/contracts";
import { REPLAN, type Decision, type NextTurn, type Todo } from "@loopx/control-plane";
import { printCommand } from "../../command-line/print-command.ts";
import { printCompletions } from "../print-completions.ts";
import { oneOf } from "../render-facts.ts";
import { toPriority } from "../todo-packet.ts";
import { LABEL_SHOWN, QUESTION_SHOWN, type Asking, type DecisionBody } from "./decision-body.ts";

/** The todo to work on, the turn it is done in, and how that turn is settled. */
export function renderRun(next: NextTurn, decision: Extract<Decision, { kind: "run" }>, asking: Asking): DecisionBody {
  const { todo } = next;
  if (todo === null) return { fields: {}, facts: [], next: [] };
  const shown = cutText(todo.text, LIMITS.todoTextShown);
  const identity = { goalId: asking.goalId, agentId: asking.agentId };
  const turn = next.turn?.turn_id ?? "<turn>";
  const record = printCommand("refresh-state", {
    ...identity,
    turn,
    outcome: "<progress|primary_outcome|no_change|blocked>",
    evidence: "<what was done and how it was checked>",
  });
  const complete = printCompletions({ ...identity, todoId: todo.todo_id, turn }, next.isLastWork);
  const spend = printCommand("quota spend", { ...identity, turn });
  const read = shown.isTruncated
    ? [printCommand("todo show", { goalId: asking.goalId, todoId: todo.todo_id }).shell]
    : [];
  return {
    fields: {
      turn: toTurn(next, decision.turn),
      todo: {
        todo_id: todo.todo_id,
        priority: toPriority(todo.priority),
        task_class: todo.task_class,
        text: shown.text,
        ...(shown.isTruncated ? { text_truncated: true } : {}),
        ...(todo.action_kind === null ? {} : { action_kind: todo.action_kind }),
        ...(todo.validation === null
          ? {}
          : { check: cutText(todo.validation.label ?? "validation command", LABEL_SHOWN).text }),
        selected_by: decision.selectedBy,
      },
      ...(next.answers.length === 0 ? {} : { answers: next.answers.map(toAnswer) }),
    },
    facts: [
      ["todo", `${toPriority(todo.priority)}  ${shown.text}`],
      ["id", todo.todo_id],
      ["turn", `${turn} until ${next.turn?.lease_expires_at ?? ""}`],
      ["chosen by", decision.selectedBy.replaceAll("_", " ")],
      ["check", todo.validation === null ? null : JSON.stringify(todo.validation.argv)],
      ...next.answers.map(renderAnswer),
    ],
    next: [...read, ...(next.hasEvidence ? [] : [record.shell]), ...oneOf(complete), spend.shell],
  };
}

/** An owner's answer to a question; the question is there to know which. */
function toAnswer(gate: Todo): object {
  return {
    gate_id: gate.todo_id,
    question: cutText(gate.text, LABEL_SHOWN).text,
    decision: gate.gate?.decision,
    reason: cutText(gate.reason ?? "", QUESTION_SHOWN).text,
  };
}

function renderAnswer(gate: Todo): readonly [string, string] {
  const reason = cutText(gate.reason ?? "", QUESTION_SHOWN).text;
  return ["owner said", `${reason} (${gate.gate?.decision ?? ""}: ${cutText(gate.text, LABEL_SHOWN).text})`];
}

function toTurn(next: NextTurn, state: "open" | "resume"): object {
  return {
    turn_id: next.turn?.turn_id,
    state: state === "open" ? "opened" : "resumed",
    lease_expires_at: next.turn?.lease_expires_at,
    evidence: next.hasEvidence ? "recorded" : "none",
  };
}

/** The turn to plan in. */
export function renderReplan(next: NextTurn, asking: Asking): DecisionBody {
  const identity = { goalId: asking.goalId, agentId: asking.agentId };
  const turn = next.turn?.turn_id ?? "<turn>";
  const plan = printCommand("todo add", {
    ...identity,
    role: "agent",
    text: "<todo text>",
    priority: "<P0|P1|P2>",
  }).shell;
  const finish = printCommand("goal complete", identity).shell;
  return {
    fields: {
      reason: next.hasPlanned ? "todos_written" : "nothing_runnable_left",
      turn: toTurn(next, next.decision.kind === "replan" ? next.decision.turn : "open"),
      todo: { todo_id: REPLAN },
    },
    facts: [
      [
        "why",
        next.hasPlanned
          ? "the todos that this turn planned are written: record and charge it, and they run"
          : next.hasOpenTodos
            ? "no work is left for an agent: write the next todos, or record that there are none"
            : "no work is left: write the next todos, or say that nothing follows",
      ],
      ["turn", `${turn} until ${next.turn?.lease_expires_at ?? ""}`],
    ],
    next: [
      ...(next.hasPlanned ? [] : oneOf([plan, ...(next.hasOpenTodos ? [] : [finish])])),
      printCommand("refresh-state", {
        ...identity,
        turn,
        outcome: "<progress|no_change>",
        evidence: "<what was planned and why>",
      }).shell,
      printCommand("quota spend", { ...identity, turn }).shell,
    ],
  };
}
