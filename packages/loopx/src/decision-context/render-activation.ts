import type { Activation, LoadedProfile } from "@loopx/decision-context";
import { neutraliseForTerminal } from "@loopx/contracts";
import type { TextStyle } from "../output/text-style.ts";
import { joinLines, renderFacts } from "../packets/render-facts.ts";

/** What a status means for people. */
export const ACTIVATION_MEANINGS: Readonly<Record<Activation["status"], string>> = {
  disabled: "decision context is off: no profile was given, or the profile says so",
  profile_invalid: "the profile cannot be used",
  agent_not_enabled: "the profile does not name this agent",
  provider_unavailable: "the profile names a source adapter that this LoopX does not have; recall is not affected",
  available: "decision context is on for this agent",
};

/** An activation for people, with what is wrong with the profile. */
export function renderActivation(activation: Activation, loaded: LoadedProfile, style: TextStyle): string {
  const problems = loaded.kind === "invalid" ? loaded.problems : [];
  const status = activation.available ? style.green(activation.status) : style.yellow(activation.status);
  return joinLines(
    `${status}  ${ACTIVATION_MEANINGS[activation.status]}`,
    renderFacts(
      [
        ["active state id", activation.goal_id],
        ["agent", activation.agent_id],
        ["reason", activation.reason_code],
        ["sources", activation.available ? String(activation.source_count) : null],
        [
          "recall",
          activation.available ? (activation.context_provider_configured ? "configured" : "not configured") : null,
        ],
      ],
      style,
    ),
    ...problems.map(({ pointer, message }) => neutraliseForTerminal(`${pointer || "the profile"} ${message}`)),
  );
}
