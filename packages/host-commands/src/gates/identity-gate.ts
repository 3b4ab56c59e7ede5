import type { GuidedStartFacts } from "../guided-start/guided-start-facts.ts";
import type { GatedIdentityState, IdentityChoice, IdentityDecision } from "../identity/identity.ts";
import type { PrintCommand } from "../print-command.ts";
import { fitChoices } from "./fit-choices.ts";
import { RERUN_RULE, printArguments, printRerunCommand, spellOut, type ChoiceRerun, type ChosenFlag } from "./rerun.ts";

export interface IdentityGateChoice extends Partial<ChoiceRerun> {
  readonly mode: "keep_bound_agent" | "takeover_existing_agent" | "register_fresh_agent" | "unbind_thread";
  readonly agent_id?: string;
  /** To be run before the rerun; an unbinding is never implied by another flag. */
  readonly first_command?: string;
}

/** Asks which lane acts. Choosing an existing lane is an explicit takeover; `--agent-id` alone never moves a bound thread. */
export interface IdentityGate {
  readonly schema_version: "loopx_host_loop_identity_selection_v0";
  readonly state: GatedIdentityState;
  readonly activation_allowed: false;
  readonly action_required: true;
  readonly reason: string;
  readonly required_cli_arg: "--agent-id=<agent-id> or --new-peer";
  readonly registered_agent_count: number;
  readonly choices: readonly IdentityGateChoice[];
  readonly rerun_command: string;
  readonly rerun_rule: string;
  /** Lists every lane. */
  readonly list_command: string;
}

/** Why a lane has to be chosen first, for people. */
export const IDENTITY_REASONS: Readonly<Record<GatedIdentityState, string>> = {
  thread_binding_conflict: "This thread is bound to more than one agent of the goal.",
  thread_binding_invalid: "This thread is bound to an agent that is not registered.",
  thread_already_bound: "This thread already has a lane, so it can't become a new peer.",
  thread_bound_to_other_agent: "This thread is bound to another agent than the one named.",
  invalid_selection: "The named agent does not fit: --agent-id takes a registered lane, --new-peer a new id.",
  thread_binding_selection_required: "Lanes exist and this thread is bound to none of them.",
  selection_required: "Lanes exist and the host gave no stable thread id.",
};

export function renderIdentityGate(
  decision: Extract<IdentityDecision, { choices: readonly IdentityChoice[] }>,
  facts: GuidedStartFacts & { readonly goalId: string },
  print: PrintCommand,
): IdentityGate {
  const choices = decision.choices.map((choice) => renderChoice(choice, facts, print));
  const rerunCommand = printRerunCommand(facts, print, { "agent-id": undefined, "new-peer": undefined });
  // The fresh lane is offered last, so it is set aside before the list of lanes is cut.
  const fresh = choices.filter((choice) => choice.mode === "register_fresh_agent");
  const lanes = choices.filter((choice) => choice.mode !== "register_fresh_agent");
  const shown = [...fitChoices(lanes), ...fresh];
  return {
    schema_version: "loopx_host_loop_identity_selection_v0",
    state: decision.state,
    activation_allowed: false,
    action_required: true,
    reason: IDENTITY_REASONS[decision.state],
    required_cli_arg: "--agent-id=<agent-id> or --new-peer",
    registered_agent_count: facts.registeredAgents.length,
    choices: facts.includeDetail ? shown.map((choice) => spellOut(choice, rerunCommand)) : shown,
    rerun_command: rerunCommand,
    rerun_rule: RERUN_RULE,
    list_command: print("status", { "goal-id": facts.goalId }),
  };
}

function renderChoice(
  choice: IdentityChoice,
  facts: GuidedStartFacts & { readonly goalId: string },
  print: PrintCommand,
): IdentityGateChoice {
  const withArgument = (flags: Partial<Record<ChosenFlag, string | boolean | undefined>>) => ({
    rerun_argument: printArguments(print, flags),
  });
  switch (choice.kind) {
    case "keep_bound_agent":
      return { mode: "keep_bound_agent", agent_id: choice.agentId, ...withArgument({ "agent-id": choice.agentId }) };
    case "take_over_agent":
      return {
        mode: "takeover_existing_agent",
        agent_id: choice.agentId,
        ...withArgument({ "agent-id": choice.agentId }),
      };
    case "register_fresh_agent":
      return { mode: "register_fresh_agent", ...withArgument({ "new-peer": true, "agent-id": choice.agentId }) };
    case "unbind_thread": {
      const { agentId, newPeer } = choice.andThen;
      const hasArgument = newPeer || agentId !== undefined;
      return {
        mode: "unbind_thread",
        agent_id: choice.boundAgentId,
        first_command: print("unbind-agent-thread", {
          "goal-id": facts.goalId,
          "thread-id": facts.threadId,
          "host-surface": facts.hostSurface,
          "agent-id": choice.boundAgentId,
          execute: true,
        }),
        ...(hasArgument && withArgument({ "new-peer": newPeer, "agent-id": agentId })),
      };
    }
    default:
      return choice satisfies never;
  }
}
