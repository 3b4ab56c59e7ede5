/**
 * What an event of `GET /api/events` is about. `overview`: something of any project. `goal:ID`: a project with this goal.
 * `traces`: a trace store that is shown.
 */
export type Topic = "overview" | `goal:${string}` | "traces" | "recall";

/** Data of the event `change`. */
export interface ChangeNotice {
  readonly topics: readonly Topic[];
}

/** Data of the event `hello`, the first of each connection. */
export interface HelloNotice {
  readonly server_id: string;
}
