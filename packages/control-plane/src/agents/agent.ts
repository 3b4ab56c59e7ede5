import type { Instant } from "@loopx/contracts";

/** A registered lane of a goal. Lanes are peers; there is no leader. */
export interface Agent {
  readonly goal_id: string;
  readonly agent_id: string;
  readonly registered_at: Instant;
}

/**
 * Who caused a change, as the event records it.
 *
 * `owner` was proven by an interactive terminal without host markers, an owner token or the Workstation.
 * `process` is a caller that named no lane: it may add and tighten, never loosen.
 */
export type Actor =
  | { readonly kind: "agent"; readonly agent_id: string }
  | { readonly kind: "owner"; readonly via: "terminal" | "token" | "workstation"; readonly token_id?: string }
  | { readonly kind: "process"; readonly host?: string };

/** `agent:ID`, `owner:VIA` or `process`: the compact form in rows and packets. */
export function renderActor(actor: Actor): string {
  switch (actor.kind) {
    case "agent":
      return `agent:${actor.agent_id}`;
    case "owner":
      return `owner:${actor.via}`;
    case "process":
      return actor.host === undefined ? "process" : `process:${actor.host}`;
  }
}
