import { cutText, ERROR_TABLE, LIMITS, toEpochMs, type Instant, type LoopxError } from "@loopx/contracts";
import { REPLAN, type Decision, type NextTurn, type Todo } from "@loopx/control-plane";
import { printCommand } from "../command-line/print-command.ts";
import type { CommandResult } from "../output/command-result.ts";
import type { TextStyle } from "../output/text-style.ts";
import { joinLines, oneOf, OWNER_RUNS_THESE, renderFacts, renderNext, type NextStep } from "./render-facts.ts";
import { toPriority } from "./todo-packet.ts";

const SCHEMA = "loopx_should_run_v1";
/** Questions a packet spells out; the rest are counted. */
const QUESTIONS_SHOWN = 3;
/** Graphemes of each question and of the objective. */
const QUESTION_SHOWN = 160;
const LABEL_SHOWN = 80;

interface Asking {
  readonly goalId: string;
  readonly agentId: string;
  readonly now: Instant;
}

/** The one packet of `quota should-run`: `decision` and what it needs, each fact once. */
export function renderShouldRun(next: NextTurn, asking: Asking): CommandResult {
  const { decision } = next;
  const shouldRun = decision.kind === "run" || decision.kind === "replan";
  const body = renderDecision(next, asking);
  const packet = {
    ok: decision.kind !== "repair",
    schema_version: SCHEMA,
    decision: decision.kind,
    should_run: shouldRun,
    goal_id: asking.goalId,
    agent_id: asking.agentId,
    ...(shouldRun ? { goal: toGoal(next) } : {}),
    ...body.fields,
    ...(next.releasedTurnId === null ? {} : { released_turn_id: next.releasedTurnId }),
    ...(body.next.length === 0 ? {} : { next: body.next }),
  };
  return {
    packet,
    text: (style) => renderText({ decision: decision.kind, shouldRun }, body, style),
    exitCode: decision.kind === "repair" ? ERROR_TABLE.turn_already_settled.exit : 0,
  };
}

function toGoal({ goal }: NextTurn): object {
  const objective = cutText(goal.objective, QUESTION_SHOWN);
  return {
    revision: goal.revision,
    objective: objective.text,
    ...(objective.isTruncated ? { objective_truncated: true } : {}),
  };
}

interface Body {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly facts: readonly (readonly [string, string | null])[];
  readonly next: readonly NextStep[];
  /** Only an owner can run what comes next: a text says so. */
  readonly isForOwner?: true;
}

function renderDecision(next: NextTurn, asking: Asking): Body {
  const { decision } = next;
  const { goalId } = asking;
  switch (decision.kind) {
    case "run":
      return renderRun(next, decision, asking);
    case "replan":
      return renderReplan(next, asking);
    case "ask_user":
      return renderQuestions(next, decision, asking);
    case "wait":
      return renderWait(decision.reason, decision.until, asking);
    case "throttled":
      return {
        ...renderWait(decision.reason, decision.until, asking),
        next: [printCommand("goal budget", { goalId, totalTurns: "<turns>" }).shell],
        isForOwner: true,
      };
    case "repair":
      return renderUnsettled(decision, asking);
    case "paused":
      return {
        fields: { reason: "goal_paused" },
        facts: [["why", "the goal is paused until an owner resumes it"]],
        next: [printCommand("goal resume", { goalId }).shell],
        isForOwner: true,
      };
    case "done":
      return { fields: { reason: decision.reason }, facts: [["why", decision.reason.replaceAll("_", " ")]], next: [] };
  }
}

function renderRun(next: NextTurn, decision: Extract<Decision, { kind: "run" }>, asking: Asking): Body {
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
  const completed = { ...identity, todoId: todo.todo_id, turn };
  const complete = next.isLastWork
    ? [{ nextTodo: "<what follows>" }, { noFollowUp: true }].map(
        (followUp) => printCommand("todo complete", { ...completed, ...followUp }).shell,
      )
    : [printCommand("todo complete", completed).shell];
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

function renderReplan(next: NextTurn, asking: Asking): Body {
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

function renderQuestions(next: NextTurn, decision: Extract<Decision, { kind: "ask_user" }>, asking: Asking): Body {
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

/** Where no time is known: an owner or another agent has to change something first. */
const UNKNOWN_RECHECK_SECONDS = 1_800;

function renderWait(reason: string, until: Instant | null, { now }: Asking): Body {
  const seconds =
    until === null ? UNKNOWN_RECHECK_SECONDS : Math.max(1, Math.ceil((toEpochMs(until) - toEpochMs(now)) / 1000));
  return {
    fields: { reason, recheck_after_seconds: seconds, ...(until === null ? {} : { recheck_at: until }) },
    facts: [
      ["why", reason.replaceAll("_", " ")],
      ["ask again", until ?? `in ${seconds} s, or when an owner has changed something`],
    ],
    next: [],
  };
}

function renderUnsettled(decision: Extract<Decision, { kind: "repair" }>, asking: Asking): Body {
  const identity = { goalId: asking.goalId, agentId: asking.agentId };
  if (decision.code === "turn_not_settled") {
    return {
      fields: {
        code: decision.code,
        message: "the last turn has evidence but was not charged",
        turn_id: decision.turnId,
      },
      facts: [["why", "the last turn has evidence but was not charged"]],
      next: [printCommand("quota spend", { ...identity, turn: decision.turnId ?? "<turn>" }).shell],
    };
  }
  const message = "the last turns all ended without evidence: record what happened before the next one";
  return {
    fields: { code: decision.code, message },
    facts: [["why", message]],
    next: [printCommand("refresh-state", { ...identity, outcome: "blocked", evidence: "<what happened>" }).shell],
  };
}

/** A state that cannot be acted on, or a caller that is not known: an answer all the same, never `run`. */
export function renderShouldRunFailure(error: LoopxError, asking: Omit<Asking, "now">): CommandResult {
  const isUnknown = UNKNOWN_CODES.includes(error.code);
  const kind = isUnknown ? "refused" : "repair";
  const hint = error.hint;
  return {
    packet: {
      ok: false,
      schema_version: SCHEMA,
      decision: kind,
      should_run: false,
      goal_id: asking.goalId,
      agent_id: asking.agentId,
      code: error.code,
      message: error.message,
      ...(hint === undefined ? {} : hint.startsWith("loopx ") ? { next: [hint] } : { hint }),
      ...(error.details === undefined ? {} : { details: error.details }),
    },
    text: (style) =>
      renderText(
        { decision: kind, shouldRun: false },
        {
          fields: {},
          facts: [["why", error.message]],
          next: hint === undefined ? [] : [hint],
        },
        style,
      ),
    exitCode: ERROR_TABLE[error.code].exit,
  };
}

const UNKNOWN_CODES: readonly string[] = [
  "unknown_goal",
  "unknown_agent",
  "project_not_connected",
  "project_not_resolved",
];

function renderText(
  head: { readonly decision: string; readonly shouldRun: boolean },
  body: Body,
  style: TextStyle,
): string {
  const title = head.shouldRun ? style.green(head.decision) : style.yellow(head.decision);
  return joinLines(
    style.bold(title),
    renderFacts(body.facts, style),
    renderNext(body.next, style, body.isForOwner === true ? OWNER_RUNS_THESE : "next"),
  );
}
