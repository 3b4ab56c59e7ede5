import { ERROR_TABLE } from "@loopx/contracts";
import { printCommand } from "../command-line/print-command.ts";
import type { CommandResult } from "../output/command-result.ts";
import { joinLines, renderNext, renderQuantity, type NextStep } from "../packets/render-facts.ts";
import type { StopReason } from "./decide-step.ts";
import type { DriveEnd } from "./drive-lane.ts";
import type { DrivenTurn } from "./drive-turn.ts";
import type { Driver } from "./driver.ts";

/** Turns that a packet shows, the latest. */
const TURNS_SHOWN = 5;

/** What an owner has to do first. */
const NEEDS_OWNER = ERROR_TABLE.gate_needs_owner.exit;

/** 0 where nothing is wrong, 3 where an owner is needed, 130 when interrupted; of an answer that failed, its own. */
const EXIT_CODES: Readonly<Record<StopReason, number | "of the answer">> = {
  done: 0,
  max_turns: 0,
  wait: 0,
  paused: NEEDS_OWNER,
  ask_user: NEEDS_OWNER,
  throttled: NEEDS_OWNER,
  repair: "of the answer",
  refused: "of the answer",
  driven_elsewhere: ERROR_TABLE.turn_not_held.exit,
  failing: ERROR_TABLE.evidence_required.exit,
  interrupted: ERROR_TABLE.interrupted.exit,
};

const WORDS: Readonly<Record<StopReason, string>> = {
  done: "the goal is done",
  paused: "the goal is paused",
  ask_user: "an owner is asked",
  throttled: "the budget is used up",
  repair: "something has to be repaired first",
  refused: "the goal or the agent is not known here",
  wait: "there is nothing to do before a later time",
  driven_elsewhere: "another driver or agent holds a turn of this lane, and lives",
  max_turns: "all turns it was to take are taken",
  failing: "the command failed, or showed nothing, too many turns in a row",
  interrupted: "it was interrupted",
};

/** The answer of a drive: why it ended, what its turns came to, and the next command. */
export function renderDriveEnd(driver: Driver, drive: DriveEnd): CommandResult {
  const { stoppedBy, answer, turns } = drive;
  const exit = EXIT_CODES[stoppedBy];
  const exitCode = exit === "of the answer" ? (answer?.exitCode ?? ERROR_TABLE.internal.exit) : exit;
  const next = listNext(driver, drive);
  const failed = turns.filter(({ hasFailed }) => hasFailed).length;
  return {
    packet: {
      ok: exitCode === 0,
      schema_version: "loopx_drive_v0",
      goal_id: driver.goalId,
      agent_id: driver.agentId,
      stopped_by: stoppedBy,
      ...readReason(answer),
      turn_count: turns.length,
      failed_turn_count: failed,
      turns: turns.slice(-TURNS_SHOWN).map(toTurnPacket),
      next,
    },
    text: (style) =>
      joinLines(
        `${style.bold("drive ended")}: ${WORDS[stoppedBy]}`,
        `  ${renderQuantity(turns.length, "turn")}, ${failed} failed`,
        renderNext(next, style),
      ),
    exitCode,
  };
}

function toTurnPacket(turn: DrivenTurn): object {
  const { end } = turn;
  return {
    turn_id: turn.turnId,
    todo_id: turn.todoId,
    exit_code: end.exitCode,
    ...(end.signal === null ? {} : { signal: end.signal }),
    ...(end.endedBy === undefined ? {} : { ended_by: end.endedBy }),
    seconds: Math.round(turn.ranMs / 100) / 10,
    ...(turn.outcome === undefined ? {} : { outcome: turn.outcome }),
    evidence_by: turn.evidenceBy,
    charged_by: turn.chargedBy,
  };
}

/** The guard's own words, where it ended the drive. */
function readReason(answer: CommandResult | undefined): object {
  const packet: object = answer?.packet ?? {};
  return Object.fromEntries(
    Object.entries(packet).filter(([key]) => ["reason", "code", "message", "questions", "recheck_at"].includes(key)),
  );
}

function listNext({ goalId, agentId }: Driver, { stoppedBy, answer }: DriveEnd): readonly NextStep[] {
  const packet: object = answer?.packet ?? {};
  if ("next" in packet && Array.isArray(packet.next)) return packet.next as readonly NextStep[];
  if (stoppedBy === "failing") return [printCommand("quota status", { goalId, agentId }).shell];
  return [printCommand("status", { goalId }).shell];
}
