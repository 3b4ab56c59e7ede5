/** What an agent gets that a driver starts for one turn: what to do with the guard's packet, then the packet. */
export function renderTurnPrompt(lane: { readonly goalId: string; readonly agentId: string }, packet: object): string {
  return [
    `You are agent ${lane.agentId} on LoopX goal ${lane.goalId}. One turn was opened for you; its packet is the JSON below.`,
    "Work on its todo only; on decision replan, write todos or say none follow. Stop for approval before destructive git, credentials, private material, production or publication.",
    "Then run its next commands in order, <> words filled in, one of each list: refresh-state with evidence, todo complete if done, quota spend.",
    "Ask for no other turn: end once this one is charged. No evidence, no spend. Never decide your own gate or edit LoopX state by hand.",
    "",
    JSON.stringify(packet),
  ].join("\n");
}
