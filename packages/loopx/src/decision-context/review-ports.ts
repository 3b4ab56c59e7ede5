import { parseInstant, type Ambient } from "@loopx/contracts";
import {
  checkReviewer,
  findDecisionReview,
  loadGateVerdict,
  openDecisionGate,
  recordReview,
  type Caller,
  type Todo,
} from "@loopx/control-plane";
import type { OpenedGate, ReviewPorts } from "@loopx/decision-context";

/** Gates and events of the control plane, as decision context asks for them, for one caller. */
export function createReviewPorts(caller: Caller, ambient: Pick<Ambient, "now" | "newId">): ReviewPorts {
  const now = ambient.now();
  return {
    gates: {
      open: async (tx, gate) => {
        const opened = await openDecisionGate(tx, { ...gate, caller }, { now, newTodoId: () => ambient.newId("todo") });
        return opened.ok ? toOpenedGate(opened.gate) : opened;
      },
      load: async (tx, { goalId, scope }) => {
        const loaded = await loadGateVerdict(tx, goalId, scope);
        return loaded.ok ? toOpenedGate(loaded.gate) : loaded;
      },
    },
    events: {
      check: (tx, goalId) => checkReviewer(tx, goalId, caller),
      find: findDecisionReview,
      append: (tx, type, review) => {
        const image = { ...review, recorded_at: parseInstant(review.recorded_at, "recorded_at") };
        return recordReview(tx, { caller, now, type, review: image });
      },
    },
  };
}

const DISPOSITIONS = { approved: "approve", rejected: "reject", deferred: "defer" } as const;

function toOpenedGate({ todo_id, gate }: Todo): OpenedGate {
  const decision = gate?.decision ?? null;
  const decidedAt = gate?.decided_at ?? null;
  const verdict =
    decision === null || decidedAt === null
      ? null
      : { gateTodoId: todo_id, disposition: DISPOSITIONS[decision], decidedAt };
  return { ok: true, gateTodoId: todo_id, verdict };
}
