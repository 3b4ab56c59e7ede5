import type { Activation } from "@loopx/control-plane";
import { checkRecordedActivation, type ActivationState } from "@loopx/host-commands";
import { printForHosts } from "../command-line/print-for-hosts.ts";
import { toRecordedActivation } from "../project/recorded-activation.ts";

/** What is on record of the loop that wakes a lane. A record says what was set up, not that it still runs. */
export interface AgentLoop {
  readonly agent_id: string;
  readonly state: ActivationState;
  readonly host_surface?: string;
  readonly recorded_at?: string;
}

/** The loops of a goal's lanes: first those that need a look. */
export function listAgentLoops(agentIds: readonly string[], activations: readonly Activation[]): readonly AgentLoop[] {
  const loops = agentIds.map((agentId): AgentLoop => {
    const record = activations.find(({ agent_id: ofAgent }) => ofAgent === agentId);
    if (record === undefined) return { agent_id: agentId, state: "missing" };
    return {
      agent_id: agentId,
      state: checkRecordedActivation(toRecordedActivation(record), printForHosts),
      host_surface: record.host_surface,
      recorded_at: record.recorded_at,
    };
  });
  return [
    ...loops.filter(({ state }) => state === "stale"),
    ...loops.filter(({ state }) => state === "missing"),
    ...loops.filter(({ state }) => state === "current"),
  ];
}

/** One loop for people. */
export function describeAgentLoop({ agent_id: agentId, state, host_surface: surface }: AgentLoop): string {
  if (surface === undefined) return `${agentId}: no record that one was set up`;
  return `${agentId}: ${state === "stale" ? "stale: its task body is not the current one" : "on record"} (${surface})`;
}
