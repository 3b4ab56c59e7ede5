import { refuse, type ErrorCode, type Refusal } from "@loopx/contracts";
import type { Transaction } from "@loopx/store";
import { renderActor } from "../agents/agent.ts";
import type { EntityKind } from "./event.ts";
import { findLatestEvent } from "./history.ts";

/** What a caller decides on: an entity as it was after one event. */
export interface SeenState {
  readonly goalId: string;
  readonly entity: EntityKind;
  readonly entityId: string;
  /** The last event that the caller saw of it, or any later one of its goal; undefined decides on whatever is there. */
  readonly seq: number | undefined;
}

/** Refuses with `code` when somebody changed the entity after what the caller saw, and says who did what. */
export async function checkSeen(tx: Transaction, seen: SeenState, code: ErrorCode): Promise<Refusal | undefined> {
  if (seen.seq === undefined) return undefined;
  const latest = await findLatestEvent(tx, seen);
  if (latest === undefined || latest.seq <= seen.seq) return undefined;
  const { gate } = latest.image as { readonly gate?: { readonly decision?: string | null } | null };
  const decision = latest.type === "gate_decided.v1" ? gate?.decision : undefined;
  const by = renderActor(latest.actor);
  return refuse(code, {
    message: `it changed after what you saw: ${decision ?? latest.type} by ${by} at ${latest.at}`,
    hint: `look at it again: loopx history --goal-id=${seen.goalId}`,
    details: {
      seq: latest.seq,
      type: latest.type,
      by,
      at: latest.at,
      ...(decision == null ? {} : { decision }),
    },
  });
}
