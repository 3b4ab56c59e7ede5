import type { ThreadBinding } from "@loopx/control-plane";
import { printCommand } from "../command-line/print-command.ts";
import type { CommandResult } from "../output/command-result.ts";
import { joinLines, renderNext } from "./render-facts.ts";

interface BindingAnswer {
  readonly binding: ThreadBinding;
  readonly changed: boolean;
  readonly isPreview: boolean;
}

/** The answer of a bind or unbind; the read-back counts only for a bind that was carried out. */
export function renderBinding(
  command: "bind-agent-thread" | "unbind-agent-thread",
  { binding, changed, isPreview }: BindingAnswer,
): CommandResult {
  const isBind = command === "bind-agent-thread";
  const { goal_id: goalId, thread_id: threadId, host_surface: hostSurface, agent_id: agentId } = binding;
  const again = printCommand(command, { goalId, threadId, hostSurface, agentId, execute: true }).shell;
  const ask = printCommand("quota should-run", { goalId, agentId, threadId }).shell;
  const next = isPreview ? [again] : isBind ? [binding.is_verified ? ask : again] : [];
  const isIncomplete = isBind && !isPreview && !binding.is_verified;
  return {
    packet: {
      ok: !isIncomplete,
      dry_run: isPreview,
      changed,
      written: changed && !isPreview,
      binding: {
        schema_version: "loopx_thread_agent_binding_v0",
        goal_id: goalId,
        thread_id: threadId,
        host_surface: hostSurface,
        agent_id: agentId,
        status: binding.status,
      },
      ...(isBind && !isPreview
        ? { global_sync: { ok: binding.is_verified }, registration_readback: { verified: binding.is_verified } }
        : {}),
      next,
    },
    text: (style) =>
      joinLines(
        `${describe({ binding, changed, isPreview })}: ${style.bold(threadId)} (${hostSurface}) ${isBind ? "→" : "from"} ${agentId}`,
        isBind && !isPreview ? `  read back from project and home: ${binding.is_verified ? "yes" : "NO"}` : "",
        renderNext(next, style),
      ),
    exitCode: isIncomplete ? 1 : 0,
  };
}

function describe({ binding, changed, isPreview }: BindingAnswer): string {
  if (!changed) return `already ${binding.status}`;
  return isPreview ? `would be ${binding.status}` : binding.status;
}
