import type { Instant } from "@loopx/contracts";

/** Stands for what only the todo of a turn says: its `target_key`. */
export const FROM_TARGET_KEY = "todo.target_key";

/** What a goal's turns ask runtime context for, under the name of the profile. */
export interface ContextAttachment {
  readonly goal_id: string;
  readonly profile: string;
  readonly status: "attached" | "detached";
  /** Folder of the Context Project: below the goal's root where it begins with `./`, else absolute. */
  readonly context_project: string;
  /** Name of a binding in the LoopX home, or a file as above. */
  readonly binding: string;
  readonly objective: string;
  readonly consumer: string;
  /** Each a value, or `todo.target_key`. */
  readonly inputs: Readonly<Record<string, string>>;
  /** Folder of the trace store, as above; null keeps no trace. */
  readonly trace_store: string | null;
  readonly changed_at: Instant;
}
