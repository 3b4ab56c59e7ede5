import type { PrintCommand } from "../print-command.ts";
import { surfaceOf, type ActivationMethod, type HostSurface } from "../surfaces/surface.ts";
import { decideActivationState, type ActivationState, type RecordedActivation } from "./activation-state.ts";
import { hostWordsOf } from "./host-words.ts";
import { printRecord } from "./print-activation.ts";
import { renderTaskBody, type ActivationTarget } from "./task-body.ts";

/** How the loop that wakes the agent is set up on one surface. The host acts, LoopX can't: hence the missing-tool gate. */
export interface HostActivation {
  readonly activation_method: ActivationMethod;
  readonly state: ActivationState;
  /** The text that the loop carries: what an agent does each turn. */
  readonly task_body: string;
  readonly steps: readonly string[];
  /** What to say when the host lacks the means; never "done". */
  readonly missing_host_tool_gate: string;
  /** Says that the loop was set up with this body; not there while the record says so already. */
  readonly record_command?: string;
}

/** A lane whose loop is looked at, with what is recorded of it. */
export interface LaneActivation {
  readonly hostSurface: HostSurface;
  readonly target: ActivationTarget;
  readonly record: RecordedActivation | undefined;
}

const CHECK_FIRST = "A loop with task_body is on record: look whether it runs, and set it up again only if not.";

/** The activation of one surface for one lane, with the whole task body. */
export function renderActivation({ hostSurface, target, record }: LaneActivation, print: PrintCommand): HostActivation {
  const words = hostWordsOf(hostSurface);
  const body = renderTaskBody(hostSurface, target, print);
  const state = decideActivationState(record, { hostSurface, taskBodyDigest: body.digest });
  const isOnRecord = state === "current";
  return {
    activation_method: surfaceOf(hostSurface).activationMethod,
    state,
    task_body: body.text,
    steps: isOnRecord ? [CHECK_FIRST, ...words.steps] : words.steps,
    missing_host_tool_gate: words.missingHostTool,
    ...(!isOnRecord && { record_command: printRecord({ hostSurface, target }, print) }),
  };
}
