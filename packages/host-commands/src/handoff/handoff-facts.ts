import type { HostSurface } from "../surfaces/surface.ts";

/** What a host and this machine know when a message is parsed. */
export interface HandoffFacts {
  /** The runtime surface, which bindings and `--host-surface` use; undefined where the host can't tell. */
  readonly hostSurface: HostSurface | undefined;
  /** Where in the host the message was typed; a label, never a key. */
  readonly uiSurface: string;
  /** The project: undefined when no root was resolved. */
  readonly project: HandoffProject | undefined;
  /** The goal that a start here would plan for, where there is exactly one. */
  readonly goalId: string | undefined;
  /** The lane that the thread is bound to. */
  readonly agentId: string | undefined;
  readonly threadId: string | undefined;
}

export interface HandoffProject {
  /** A public-safe name such as the folder's. */
  readonly label: string;
  /** `--project` for the command: `.` or another relative path, never an absolute one. */
  readonly argument: string;
  /** The argument counts from the root, because the message was typed elsewhere. */
  readonly runsInRoot?: true;
}
