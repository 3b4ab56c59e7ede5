import { LoopxError, parseInstant } from "@loopx/contracts";
import {
  findSeqAt,
  listCompactions,
  listEvents,
  loadGoal,
  loadLastSeq,
  loadStateAt,
  renderActor,
  type Compaction,
  type EntityAt,
  type StoredEvent,
} from "@loopx/control-plane";
import type { Database } from "@loopx/store";
import { printCommand } from "../../command-line/print-command.ts";
import type { CommandResult } from "../../output/command-result.ts";
import { renderTable } from "../../output/render-table.ts";
import { joinLines, renderNext } from "../../packets/render-facts.ts";
import { unwrap } from "../../packets/unwrap.ts";
import { withGoal } from "../../project/resolve-project.ts";
import type { CommandHandler } from "../command-handler.ts";

const PAGE = 20;
const COMPACTIONS_SHOWN = 5;

/** Shows a goal's events, newest first, or with `--at` everything as it was then. */
export const run: CommandHandler<"history"> = async ({ flags, globals, ambient }) =>
  withGoal({ globals, ambient, goalId: flags.goalId }, "read", async ({ database }, goalId) => {
    await database.read(async (tx) => unwrap(await loadGoal(tx, goalId)));
    if (flags.at !== undefined) return renderState(goalId, await loadStateThen(database, goalId, flags.at));
    const beforeSeq = flags.cursor === undefined ? null : parseSeq(flags.cursor, "cursor");
    const limit = flags.limit ?? PAGE;
    return database.read(async (tx) => {
      const events = await listEvents(tx, goalId, { beforeSeq, limit: limit + 1 });
      const compactions = await listCompactions(tx, goalId, COMPACTIONS_SHOWN);
      return renderEvents(goalId, { events: events.slice(0, limit), hasMore: events.length > limit, compactions });
    });
  });

function parseSeq(text: string, field: "at" | "cursor"): number {
  const seq = /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  if (seq !== undefined) return seq;
  throw new LoopxError("invalid_value", {
    message: `--${field} takes the number of an event${field === "at" ? " or a time" : ""}`,
    hint:
      field === "at"
        ? "for example --at=120 or --at=2030-01-31T09:00:00Z"
        : "take it from next_cursor, or leave it out",
    details: { field },
  });
}

interface StateThen {
  readonly seq: number;
  readonly entities: readonly EntityAt[];
}

async function loadStateThen(database: Database, goalId: string, at: string): Promise<StateThen> {
  const isSeq = /^\d+$/.test(at);
  return database.read(async (tx) => {
    const seq = isSeq ? parseSeq(at, "at") : await findSeqAt(tx, goalId, parseInstant(at, "at"));
    const last = await loadLastSeq(tx, goalId);
    if (seq > last) {
      throw new LoopxError("invalid_value", {
        message: `the goal's last event is ${last}`,
        hint: `loopx history --goal-id=${goalId} --at=${last}`,
        details: { field: "at", last_seq: last },
      });
    }
    return { seq, entities: await loadStateAt(tx, goalId, seq) };
  });
}

function renderState(goalId: string, { seq, entities }: StateThen): CommandResult {
  return {
    packet: {
      ok: true,
      schema_version: "loopx_history_at_v1",
      goal_id: goalId,
      at_seq: seq,
      entities: entities.map((event) => ({ entity: event.entity, as_of_seq: event.seq, image: event.image })),
    },
    text: (style) =>
      joinLines(
        `${goalId} as of event ${seq}`,
        renderTable(
          [{ title: "WHAT" }, { title: "ID" }, { title: "STATE" }, { title: "TEXT" }],
          entities.map((event) => [
            event.entity,
            event.entity_id,
            readText(event.image, ["status", "state", "outcome"]),
            readText(event.image, ["text", "objective"]).slice(0, 120),
          ]),
          style,
        ),
      ),
  };
}

/** The first of these fields that the image has. */
function readText(image: StoredEvent["image"], fields: readonly string[]): string {
  const value = fields.map((field) => image[field]).find((each) => typeof each === "string");
  return typeof value === "string" ? value : "";
}

function renderEvents(
  goalId: string,
  page: {
    readonly events: readonly StoredEvent[];
    readonly hasMore: boolean;
    readonly compactions: readonly Compaction[];
  },
): CommandResult {
  const { events, hasMore, compactions } = page;
  const cursor = hasMore ? String(events.at(-1)?.seq ?? 0) : undefined;
  const next = cursor === undefined ? [] : [printCommand("history", { goalId, cursor }).shell];
  return {
    packet: {
      ok: true,
      schema_version: "loopx_history_v1",
      goal_id: goalId,
      events: events.map((event) => ({
        seq: event.seq,
        at: event.at,
        type: event.type,
        actor: renderActor(event.actor),
        entity_id: event.entity_id,
      })),
      ...(cursor === undefined ? {} : { next_cursor: cursor }),
      ...(compactions.length === 0 ? {} : { compactions: compactions.map(toShownCompaction) }),
    },
    text: (style) =>
      events.length === 0
        ? "nothing happened yet"
        : joinLines(
            renderTable(
              [{ title: "#", align: "right" }, { title: "AT" }, { title: "WHAT" }, { title: "BY" }, { title: "ON" }],
              events.map((event) => [
                String(event.seq),
                event.at,
                event.type,
                renderActor(event.actor),
                event.entity_id,
              ]),
              style,
            ),
            ...compactions.map((compaction) => style.dim(describeCompaction(compaction))),
            renderNext(next, style),
          ),
  };
}

function toShownCompaction(compaction: Compaction): object {
  const { goal_id: _goal, compaction_id: _id, older_than_ms: _age, keep_events: _count, ...shown } = compaction;
  return shown;
}

function describeCompaction(compaction: Compaction): string {
  const { from_seq, through_seq, removed_count, compacted_at, archive } = compaction;
  const place = archive === null ? "not archived" : `archived in ${archive}`;
  return `events ${from_seq} to ${through_seq} were compacted on ${compacted_at}: ${removed_count} removed, ${place}`;
}
