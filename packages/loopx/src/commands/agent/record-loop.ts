import { LoopxError } from "@loopx/contracts";
import { recordActivation, type Activation } from "@loopx/control-plane";
import { printCommand } from "../../command-line/print-command.ts";
import type { CommandResult } from "../../output/command-result.ts";
import { joinLines, renderNext } from "../../packets/render-facts.ts";
import { unwrap } from "../../packets/unwrap.ts";
import { identifyCaller } from "../../project/identify-caller.ts";
import { withGoal } from "../../project/resolve-project.ts";
import type { CommandInput } from "../command-handler.ts";

/** A loop that was set up, as its lane says. */
export interface LoopRecord {
  readonly goalId: string;
  readonly agentId: string;
  readonly hostSurface: string;
  readonly threadId: string | null;
  readonly loopDriver: string | null;
  /** Of the body that was installed. */
  readonly taskBodyDigest: string;
  /** Of the body that this version prints. */
  readonly currentDigest: string;
}

/**
 * Records a loop; a preview without `--execute`.
 *
 * Refuses with `invalid_value` and whatever `recordActivation` refuses.
 */
export async function recordLoop(input: CommandInput<"agent-onboard">, record: LoopRecord): Promise<CommandResult> {
  const { flags, globals, ambient, facts } = input;
  if (!/^sha256:[0-9a-f]{64}$/.test(record.taskBodyDigest)) {
    throw new LoopxError("invalid_value", {
      message: "--task-body-digest is sha256: and 64 hexadecimal digits",
      hint: "take task_body_digest from loopx heartbeat-prompt",
      details: { field: "task_body_digest" },
    });
  }
  const { currentDigest: _current, ...stored } = record;
  if (!flags.execute) return renderRecord(input, record, undefined);
  const { goalId, agentId, threadId } = record;
  const caller = await identifyCaller({ ambient, facts }, { agentId, threadId: threadId ?? undefined });
  return withGoal({ globals, ambient, goalId }, "write", async (project) => {
    const recorded = unwrap(await recordActivation(project.database, { ...stored, caller }, ambient));
    return renderRecord(input, record, recorded);
  });
}

function renderRecord(
  { flags }: CommandInput<"agent-onboard">,
  record: LoopRecord,
  recorded: { readonly activation: Activation; readonly changed: boolean } | undefined,
): CommandResult {
  const { goalId, agentId, threadId, loopDriver, currentDigest, ...rest } = record;
  const state = rest.taskBodyDigest === currentDigest ? "current" : "stale";
  const lane = { goalId, agentId, threadId: threadId ?? undefined };
  const again = printCommand("agent-onboard", {
    ...flags,
    ...lane,
    taskBodyDigest: rest.taskBodyDigest,
    execute: true,
  });
  const guard = printCommand("quota should-run", lane);
  const next = [recorded === undefined ? again.shell : guard.shell];
  return {
    packet: {
      ok: true,
      schema_version: "loopx_activation_record_v0",
      dry_run: recorded === undefined,
      written: recorded?.changed ?? false,
      goal_id: goalId,
      agent_id: agentId,
      host_surface: rest.hostSurface,
      ...(threadId === null ? {} : { thread_id: threadId }),
      ...(loopDriver === null ? {} : { loop_driver: loopDriver }),
      task_body_digest: rest.taskBodyDigest,
      state,
      ...(recorded === undefined ? {} : { recorded_at: recorded.activation.recorded_at }),
      next,
    },
    text: (style) =>
      joinLines(
        `${recorded === undefined ? "would record" : recorded.changed ? "recorded" : "recorded before"}: the loop of ${style.bold(agentId)} on ${rest.hostSurface}`,
        state === "stale" ? "  its task body is another than the current one" : "",
        renderNext(next, style),
      ),
  };
}
