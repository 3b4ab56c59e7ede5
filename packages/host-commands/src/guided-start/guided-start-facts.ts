import type { RecordedActivation } from "../activation/activation-state.ts";
import type { ThreadBindingFact } from "../identity/identity.ts";
import type { HostSurface } from "../surfaces/surface.ts";
import type { GoalFact } from "./goal-selection.ts";

/** How the project stands to LoopX. Only `connected` and `not_connected` let a start go on. */
export type ProjectConnection =
  | "project_not_resolved"
  | "not_connected"
  | "connected"
  | "store_missing"
  | "store_unreadable"
  | "project_not_trusted";

/** Something the running command really did. A preview does none of these; the caller passes what it recorded. */
export type Effect = "registry_write" | "state_write" | "heartbeat" | "quota_spend";

/** What has to be known about a project before anything is said about it. */
export interface ProjectFacts {
  /** `--project` exactly as the caller typed it; undefined when it was left out. */
  readonly projectAsTyped: string | undefined;
  /** A public-safe name such as the folder's; undefined when no root was resolved. */
  readonly projectRootLabel: string | undefined;
  readonly connection: ProjectConnection;
  /** The command that mends a store which can't be used. */
  readonly repairCommand: string | undefined;
  readonly goals: readonly GoalFact[];
  readonly performedEffects: readonly Effect[];
}

/** What has to be known about the caller. */
export interface CallerFacts {
  readonly goalId: string | undefined;
  readonly agentId: string | undefined;
  readonly threadId: string | undefined;
  readonly hostSurface: HostSurface | undefined;
  /** Lanes of the selected goal. */
  readonly registeredAgents: readonly string[];
  /** The caller's thread in the selected goal. */
  readonly binding: ThreadBindingFact;
  /** What the lanes of the selected goal recorded of their loops. */
  readonly activations: readonly RecordedActivation[];
}

/** Everything `start-goal --guided` knows; it reads no more and writes nothing. */
export interface GuidedStartFacts extends ProjectFacts, CallerFacts {
  readonly newGoal: boolean;
  readonly newPeer: boolean;
  readonly proposedGoalId: string;
  /** The exact task text, at most 16 KiB, without NUL. */
  readonly goalText: string;
  readonly includeDetail: boolean;
}
