import { countLiveTodos, findTodo, recordEvidence, type Evidence, type ValidationResult } from "@loopx/control-plane";
import type { Database } from "@loopx/store";
import { printCommand } from "../../command-line/print-command.ts";
import { digestFiles } from "../../evidence/digest-files.ts";
import { joinLines, oneOf, renderNext, type NextStep } from "../../packets/render-facts.ts";
import { printCompletions } from "../../packets/print-completions.ts";
import { unwrap } from "../../packets/unwrap.ts";
import { identifyCaller } from "../../project/identify-caller.ts";
import { loadLeaseTtl } from "../../project/lease-ttl.ts";
import { withGoal } from "../../project/resolve-project.ts";
import { syncState } from "./sync-state.ts";
import type { CommandHandler, CommandInput } from "../command-handler.ts";

type Flags = CommandInput<"refresh-state">["flags"];

/** Records what a turn did. */
export const run: CommandHandler<"refresh-state"> = async ({ flags, globals, ambient, facts }) => {
  const caller = await identifyCaller({ ambient, facts }, flags);
  return withGoal({ globals, ambient, goalId: flags.goalId }, "write", async (project, goalId) => {
    if (isBare(flags)) return syncState(project, { goalId, agentId: flags.agentId }, ambient);
    const request = {
      goalId,
      caller,
      agentId: flags.agentId,
      turnId: flags.turn ?? null,
      todoId: flags.todoId ?? null,
      outcome: flags.outcome ?? "progress",
      text: flags.evidence ?? "",
      files: digestFiles(flags.evidenceFile, { cwd: ambient.cwd, root: project.root }),
      validation: toValidation(flags),
      leaseTtlMs: await loadLeaseTtl(project.database, undefined),
    };
    const recorded = unwrap(await recordEvidence(project.database, request, ambient));
    const { evidence } = recorded;
    const isReached = evidence.outcome === "primary_outcome";
    const reached = isReached ? await findReached(project.database, evidence) : undefined;
    const next = listNext(flags, reached);
    return {
      packet: {
        ok: true,
        schema_version: "loopx_refresh_state_v1",
        goal_id: goalId,
        recorded: !recorded.alreadyRecorded,
        already_recorded: recorded.alreadyRecorded,
        evidence_id: evidence.evidence_id,
        outcome: evidence.outcome,
        ...(evidence.files.length === 0
          ? {}
          : { files: evidence.files.slice(0, 3), file_count: evidence.files.length }),
        ...(recorded.settlementIdentity === null ? {} : { settlement_identity: recorded.settlementIdentity }),
        next,
      },
      text: (style) =>
        joinLines(
          `${recorded.alreadyRecorded ? "already recorded" : "recorded"} ${style.bold(evidence.evidence_id)}  ${evidence.outcome}`,
          renderNext(next, style),
        ),
    };
  });
};

/** Nothing to record: the caller only wants the state in place before it goes on. */
function isBare(flags: Flags): boolean {
  const { turn, outcome, evidence, evidenceFile, validationStatus } = flags;
  return [turn, outcome, evidence, validationStatus].every((value) => value === undefined) && evidenceFile.length === 0;
}

/** What the caller says of a check it ran itself; a check that did not run is no pass. */
function toValidation(flags: Flags): ValidationResult | null {
  if (flags.validationStatus === undefined) return null;
  return {
    status: flags.validationStatus,
    label: flags.validationLabel ?? null,
    exit_code: null,
    timed_out: false,
    ran_in: null,
    output: null,
  };
}

/** The todo that is still to be completed, and whether nothing is left beside it. */
interface Reached {
  readonly todoId: string;
  readonly isLast: boolean;
}

async function findReached(database: Database, evidence: Evidence): Promise<Reached | undefined> {
  const { goal_id: goalId, todo_id: todoId } = evidence;
  if (todoId === null) return undefined;
  return database.read(async (tx) => {
    const todo = await findTodo(tx, goalId, todoId);
    if (todo?.status !== "open") return undefined;
    return { todoId, isLast: (await countLiveTodos(tx, goalId, todoId)) === 0 };
  });
}

/** Charging the turn before its todo is completed would hand the todo out again. */
function listNext({ goalId, agentId, turn }: Flags, reached: Reached | undefined): readonly NextStep[] {
  const identity = { goalId, agentId };
  if (turn === undefined) return [printCommand("quota should-run", identity).shell];
  const spend = printCommand("quota spend", { ...identity, turn }).shell;
  if (reached === undefined) return [spend];
  return [...oneOf(printCompletions({ ...identity, todoId: reached.todoId, turn }, reached.isLast)), spend];
}
