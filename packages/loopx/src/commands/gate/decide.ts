import { addMs, LoopxError, parseDuration, parseInstant, type Instant } from "@loopx/contracts";
import { decideGate, previewGate } from "@loopx/control-plane";
import { printCommand } from "../../command-line/print-command.ts";
import { GATE_TARGETS_SHOWN, toGatePacket } from "../../packets/gate-packet.ts";
import { joinLines, renderNext } from "../../packets/render-facts.ts";
import { unwrap } from "../../packets/unwrap.ts";
import { identifyCaller } from "../../project/identify-caller.ts";
import { withGoal } from "../../project/resolve-project.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Records an owner's verdict. */
export const run: CommandHandler<"gate decide"> = async ({ flags, globals, ambient, facts }) => {
  if (flags.until !== undefined && flags.decision !== "defer") {
    throw new LoopxError("invalid_value", {
      message: "--until goes with --decision=defer",
      details: { field: "until" },
    });
  }
  const askAgainAt = flags.until === undefined ? null : parseUntil(flags.until, ambient.now());
  const caller = await identifyCaller({ ambient, facts }, flags);
  return withGoal({ globals, ambient, goalId: flags.goalId }, "write", async (project, goalId) => {
    const request = {
      goalId,
      gateId: flags.gateId,
      caller,
      verdict: flags.decision,
      reason: flags.reason ?? null,
      askAgainAt,
      expectSeq: flags.expectSeq,
    };
    const isPreview = flags.dryRun;
    const decided = unwrap(await (isPreview ? previewGate : decideGate)(project.database, request, ambient));
    const affected = decided.affectedTodoIds;
    const next = [printCommand("status", { goalId }).shell];
    return {
      packet: {
        ok: true,
        schema_version: "loopx_gate_decide_v1",
        goal_id: goalId,
        ...(isPreview ? { dry_run: true } : {}),
        changed: decided.changed,
        gate: toGatePacket(decided.gate),
        ...(affected.length === 0 ? {} : { affected_todo_ids: affected.slice(0, GATE_TARGETS_SHOWN) }),
        ...(affected.length > GATE_TARGETS_SHOWN ? { affected_todo_count: affected.length } : {}),
        ...(decided.goal === null ? {} : { goal_revision: decided.goal.revision }),
        next,
      },
      text: (style) =>
        joinLines(
          `${isPreview ? "would be " : decided.changed ? "" : "already "}${decided.gate.gate?.decision ?? ""} ${style.bold(decided.gate.todo_id)}  ${decided.gate.text}`,
          affected.length === 0 ? "" : `  ${flags.decision === "reject" ? "blocked" : "freed"}: ${affected.join(", ")}`,
          decided.goal === null ? "" : `  the goal is now at revision ${decided.goal.revision}`,
          renderNext(next, style),
        ),
    };
  });
};

/** A time, or a duration from now, as `todo defer --resume=after:` takes them. */
function parseUntil(text: string, now: Instant): Instant {
  return /^(?:\d+[dhms])+$/.test(text) ? addMs(now, parseDuration(text, "until")) : parseInstant(text, "until");
}
