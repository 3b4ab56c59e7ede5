/**
 * Proposes an id for a lane that is about to be registered: the agent type and the first free number.
 *
 * Equal inputs give equal proposals, so a packet can name the lane in every command it prints. Two sessions may be offered
 * the same id at once: `register-agent --require-new` lets one of them have it.
 */
export function proposeAgentId(agentType: string, registeredAgents: readonly string[]): string {
  const taken = new Set(registeredAgents);
  let number = 1;
  while (taken.has(`${agentType}-${number}`)) number += 1;
  return `${agentType}-${number}`;
}
