import type { GuidedStartFacts } from "../guided-start/guided-start-facts.ts";
import type { PrintCommand } from "../print-command.ts";
import { SURFACES, type HostSurface } from "../surfaces/surface.ts";
import { RERUN_RULE, printArguments, printRerunCommand, spellOut, type ChoiceRerun } from "./rerun.ts";

export interface HostSurfaceChoice extends ChoiceRerun {
  readonly host_surface: HostSurface;
  /** Where the name alone doesn't tell. */
  readonly description?: string;
}

/**
 * Asks which surface the agent runs on. Nothing is guessed: automation and visible goals are activated differently.
 *
 * The exact rerun command of a choice is `rerun_command`, one space and its `rerun_argument`. The task text stands in the
 * packet once for all choices instead of once for each; with detail every choice is spelled out as well.
 */
export interface HostSurfaceGate {
  readonly schema_version: "loopx_host_surface_selection_gate_v0";
  readonly state: "selection_required";
  readonly action_required: true;
  readonly reason: string;
  readonly required_cli_arg: "--host-surface=<host-surface>";
  readonly choices: readonly HostSurfaceChoice[];
  readonly rerun_command: string;
  readonly rerun_rule: string;
}

export function renderHostSurfaceGate(facts: GuidedStartFacts, print: PrintCommand): HostSurfaceGate {
  const rerunCommand = printRerunCommand(facts, print, { "host-surface": undefined });
  const choices = SURFACES.map(({ hostSurface, family, description }) => ({
    host_surface: hostSurface,
    ...((family === "codex" || family === "shell") && { description }),
    rerun_argument: printArguments(print, { "host-surface": hostSurface }),
  }));
  return {
    schema_version: "loopx_host_surface_selection_gate_v0",
    state: "selection_required",
    action_required: true,
    reason: "How the loop is activated depends on the exact host.",
    required_cli_arg: "--host-surface=<host-surface>",
    choices: facts.includeDetail ? choices.map((choice) => spellOut(choice, rerunCommand)) : choices,
    rerun_command: rerunCommand,
    rerun_rule: RERUN_RULE,
  };
}
