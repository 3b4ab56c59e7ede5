import type { PrintCommand } from "../print-command.ts";
import { surfaceOf, type ActivationMethod, type HostSurface } from "../surfaces/surface.ts";
import { hostWordsOf } from "./host-words.ts";
import { renderTaskBody, type ActivationTarget } from "./task-body.ts";

/** How the loop that wakes the agent is set up on one surface. The host acts, LoopX can't: hence the missing-tool gate. */
export interface HostActivation {
  readonly schema_version: "loopx_host_loop_activation_v1";
  readonly host_surface: HostSurface;
  readonly activation_method: ActivationMethod;
  /** The text that the loop carries: what an agent does each turn. */
  readonly task_body: string;
  readonly steps: readonly string[];
  /** What to say when the host lacks the means; never "done". */
  readonly missing_host_tool_gate: string;
}

/**
 * The activation of one surface for one lane.
 *
 * The task body is at most 1,900 characters for ids up to 40 characters, and for the longest ids still under the 4,000 that
 * the hosts' `/goal` takes.
 */
export function renderActivation(
  hostSurface: HostSurface,
  target: ActivationTarget,
  print: PrintCommand,
): HostActivation {
  const words = hostWordsOf(hostSurface);
  return {
    schema_version: "loopx_host_loop_activation_v1",
    host_surface: hostSurface,
    activation_method: surfaceOf(hostSurface).activationMethod,
    task_body: renderTaskBody(target, words.loopRule, print),
    steps: words.steps,
    missing_host_tool_gate: words.missingHostTool,
  };
}
