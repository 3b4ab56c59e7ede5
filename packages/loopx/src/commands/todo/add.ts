import { LoopxError, parseAgentId, parseTodoId } from "@loopx/contracts";
import {
  addTodo,
  GATE_KINDS,
  newGate,
  parseResumeCondition,
  readPriorityPrefix,
  type AddedTodo,
  type Gate,
  type GateKind,
  type TaskClass,
  type TodoDraft,
  type TodoRole,
  type ValidationCommand,
} from "@loopx/control-plane";
import { printCommand } from "../../command-line/print-command.ts";
import type { CommandResult } from "../../output/command-result.ts";
import { GATE_TARGETS_SHOWN } from "../../packets/gate-packet.ts";
import { joinLines, renderNext } from "../../packets/render-facts.ts";
import { parsePriority, renderTodoLine, toTodoPacket } from "../../packets/todo-packet.ts";
import { unwrap } from "../../packets/unwrap.ts";
import { identifyCaller } from "../../project/identify-caller.ts";
import { loadLeaseTtl } from "../../project/lease-ttl.ts";
import { withGoal } from "../../project/resolve-project.ts";
import type { CommandHandler, CommandInput } from "../command-handler.ts";

type Flags = CommandInput<"todo add">["flags"];

/** Writes a todo, with the gate that a restricted action needs. */
export const run: CommandHandler<"todo add"> = async ({ flags, globals, ambient, facts }) => {
  const caller = await identifyCaller({ ambient, facts }, flags);
  const draft = toDraft(flags, (text) => parseResumeCondition(text, ambient.now()));
  return withGoal({ globals, ambient, goalId: flags.goalId }, "write", async (project, goalId) => {
    const leaseTtlMs = flags.claimedBy === undefined ? 0 : await loadLeaseTtl(project.database, undefined);
    const request = { goalId, caller, draft, claimedBy: flags.claimedBy ?? null, leaseTtlMs };
    return renderAdded(unwrap(await addTodo(project.database, request, ambient)));
  });
};

function toDraft(flags: Flags, parseResume: (text: string) => string): TodoDraft {
  const role = flags.role ?? roleOf(flags.taskClass);
  const taskClass = flags.taskClass ?? classOf(role);
  return {
    role,
    task_class: taskClass,
    text: flags.text,
    priority: flags.priority === undefined ? (readPriorityPrefix(flags.text) ?? 2) : parsePriority(flags.priority),
    action_kind: flags.actionKind === undefined ? null : parseActionKind(flags.actionKind),
    target_key: flags.targetKey === undefined ? null : parseTargetKey(flags.targetKey),
    depends_on: [...new Set(flags.dependsOn)],
    resume: flags.resume === undefined ? null : parseResume(flags.resume),
    validation: toValidation(flags),
    cadence_ms: toCadence(flags, taskClass),
    gate: taskClass === "user_gate" ? toGate(flags) : refuseGateFlags(flags),
  };
}

function roleOf(taskClass: TaskClass | undefined): TodoRole {
  return taskClass === "user_gate" || taskClass === "user_action" ? "user" : "agent";
}

function classOf(role: TodoRole): TaskClass {
  if (role === "agent") return "advancement_task";
  throw new LoopxError("missing_flag", {
    message: "a user todo needs --task-class",
    hint: "user_gate for a decision that holds work back, user_action for something only a person can do",
    details: { field: "task_class" },
  });
}

function parseActionKind(text: string): string {
  if (/^[a-z][a-z0-9_:./-]{0,79}$/.test(text)) return text;
  throw new LoopxError("invalid_value", {
    message: "action_kind takes lower-case letters, digits and _ : . / -, up to 80, beginning with a letter",
    details: { field: "action_kind" },
  });
}

/** The key of something elsewhere, in the spelling it has there: a context turn looks it up as it is. */
function parseTargetKey(text: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9_:./@-]{0,79}$/.test(text)) return text;
  throw new LoopxError("invalid_value", {
    message: "target_key takes letters, digits and _ : . / @ -, up to 80, beginning with a letter or digit",
    details: { field: "target_key" },
  });
}

const VALIDATION_TIMEOUT_MS = 120_000;

function toValidation(flags: Flags): ValidationCommand | null {
  const { validationCommand: argv, validationLabel, validationTimeout } = flags;
  if (argv !== undefined) {
    return { argv, label: validationLabel ?? null, timeout_ms: validationTimeout ?? VALIDATION_TIMEOUT_MS };
  }
  if (validationLabel === undefined && validationTimeout === undefined) return null;
  throw new LoopxError("missing_flag", {
    message: "--validation-label and --validation-timeout go with --validation-command",
    hint: `add --validation-command='["npm","test"]'`,
    details: { field: "validation_command" },
  });
}

function toCadence({ cadence }: Flags, taskClass: TaskClass): number | null {
  if (cadence === undefined || taskClass === "monitor") return cadence ?? null;
  throw new LoopxError("invalid_value", {
    message: "--cadence goes with --task-class=monitor",
    details: { field: "cadence" },
  });
}

function toGate(flags: Flags): Gate {
  const blocks = flags.blocks.length === 0 ? ["goal"] : [...new Set(flags.blocks.map(parseTarget))];
  return newGate(parseGateKind(flags.gateKind ?? "decision"), blocks);
}

function parseGateKind(text: string): GateKind {
  const kinds = GATE_KINDS.filter((kind) => kind !== "objective_edit");
  const kind = kinds.find((each) => each === text);
  if (kind !== undefined) return kind;
  throw new LoopxError("invalid_value", {
    message: `--gate-kind takes one of ${kinds.join(", ")}`,
    details: { field: "gate_kind" },
  });
}

function parseTarget(text: string): string {
  if (text === "goal") return text;
  if (text.startsWith("agent:")) return `agent:${parseAgentId(text.slice("agent:".length), "blocks")}`;
  return parseTodoId(text, "blocks");
}

function refuseGateFlags(flags: Flags): null {
  if (flags.gateKind === undefined && flags.blocks.length === 0) return null;
  throw new LoopxError("invalid_value", {
    message: "--gate-kind and --blocks go with --task-class=user_gate",
    details: { field: flags.gateKind === undefined ? "blocks" : "gate_kind" },
  });
}

function renderAdded({ todo, gate, alreadyExists }: AddedTodo): CommandResult {
  const blocks = todo.gate?.blocks ?? [];
  const shown = todo.gate === null ? gate : todo;
  const next = shown === null ? [] : [printCommand("gate show", { goalId: todo.goal_id, gateId: shown.todo_id }).shell];
  return {
    packet: {
      ok: true,
      schema_version: "loopx_todo_add_v1",
      goal_id: todo.goal_id,
      added: !alreadyExists,
      already_exists: alreadyExists,
      todo: toTodoPacket(todo),
      ...(blocks.length === 0 ? {} : { blocks: blocks.slice(0, GATE_TARGETS_SHOWN) }),
      ...(blocks.length > GATE_TARGETS_SHOWN ? { blocks_count: blocks.length } : {}),
      ...(gate === null ? {} : { needs_gate: { gate_id: gate.todo_id, kind: gate.gate?.kind } }),
      ...(next.length === 0 ? {} : { next }),
    },
    text: (style) =>
      joinLines(
        `${alreadyExists ? "already there" : "added"} ${style.bold(todo.todo_id)}  ${renderTodoLine(todo)}`,
        describeBlocked(blocks),
        gate === null ? "" : `  not runnable before an owner approves gate ${gate.todo_id}`,
        renderNext(next, style),
      ),
  };
}

function describeBlocked(blocks: readonly string[]): string {
  if (blocks.length === 0) return "";
  const held = blocks.map((target) => (target === "goal" ? "the whole goal" : target));
  return `  holds back ${held.join(", ")} until an owner decides`;
}
