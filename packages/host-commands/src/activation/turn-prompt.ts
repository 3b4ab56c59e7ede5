import { renderContextFrame } from "./context-frame.ts";

/** What an agent gets that a driver starts for one turn: what to do with the guard's packet, the packet, and its context. */
export function renderTurnPrompt(lane: { readonly goalId: string; readonly agentId: string }, packet: object): string {
  const { shown, context } = takeContext(packet);
  return [
    `You are agent ${lane.agentId} on LoopX goal ${lane.goalId}. One turn was opened for you; its packet is the JSON below.`,
    "Work on its todo only; on decision replan, write todos or say none follow. Stop for approval before destructive git, credentials, private material, production or publication.",
    "Then run its next commands in order, <> words filled in, one of each list: refresh-state with evidence, todo complete if done, quota spend.",
    "Ask for no other turn: end once this one is charged. No evidence, no spend. Never decide your own gate or edit LoopX state by hand.",
    ...(context === undefined ? [] : ["What is true now stands behind the packet, in a frame of its own."]),
    "",
    JSON.stringify(shown),
    ...(context === undefined ? [] : ["", context]),
  ].join("\n");
}

/** The text of a packet's context stands behind it as text, once. */
function takeContext(packet: object): { readonly shown: object; readonly context: string | undefined } {
  const beside: unknown = "context" in packet ? packet.context : undefined;
  if (typeof beside !== "object" || beside === null || !("rendered" in beside))
    return { shown: packet, context: undefined };
  const { rendered, ...context } = beside;
  const traceId = "trace_id" in context ? String(context.trace_id) : "";
  return { shown: { ...packet, context }, context: renderContextFrame(traceId, String(rendered)) };
}
