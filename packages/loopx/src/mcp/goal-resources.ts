import { isLoopxError, parseGoalId } from "@loopx/contracts";
import { printCommand } from "../command-line/print-command.ts";

/** What can be read of a goal, each by the command that shows it. `""` is the goal itself. */
const VIEWS = {
  "": { command: "goal show", describe: "objective, budget, lanes and how far it is" },
  todos: { command: "todo list", describe: "first page of its todos" },
  gates: { command: "gate list", describe: "questions that wait for an owner" },
  quota: { command: "quota status", describe: "budget, spent and open turns" },
  history: { command: "history", describe: "latest events" },
} as const;

type View = keyof typeof VIEWS;

const FIXED = [
  { uri: "loopx://status", argv: ["status"], name: "status", describe: "goals, open work and what waits for whom" },
  {
    uri: "loopx://host-surface-map",
    argv: ["status", "--host-surface-map"],
    name: "host-surface-map",
    describe: "what a host may read and write here, and how",
  },
] as const;

/** A resource as MCP lists it. */
export interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
}

const MIME_TYPE = "application/json";

/** The resources that are there whatever goals there are. */
export function listFixedResources(): readonly ListedResource[] {
  return FIXED.map(({ uri, name, describe }) => ({ uri, name, description: describe, mimeType: MIME_TYPE }));
}

/** The resource of one goal. */
export function toGoalResource(goalId: string): ListedResource {
  return { uri: toUri(goalId, ""), name: goalId, description: VIEWS[""].describe, mimeType: MIME_TYPE };
}

/** The forms of resources that any goal has. */
export function listResourceTemplates(): readonly (Omit<ListedResource, "uri"> & { readonly uriTemplate: string })[] {
  return Object.entries(VIEWS).map(([view, { describe }]) => ({
    uriTemplate: `loopx://goal/{goal_id}${view === "" ? "" : `/${view}`}`,
    name: view === "" ? "goal" : `goal ${view}`,
    description: describe,
    mimeType: MIME_TYPE,
  }));
}

/** The command line that reads a resource; undefined for a URI that is none of ours, whatever stands in it. */
export function findResourceCommand(uri: string): readonly string[] | undefined {
  const fixed = FIXED.find((one) => one.uri === uri);
  if (fixed !== undefined) return fixed.argv;
  const [, encodedId = "", view = ""] = /^loopx:\/\/goal\/([^/?#]+)(?:\/([a-z]+))?$/.exec(uri) ?? [];
  const goalId = parseEncodedId(encodedId);
  if (goalId === undefined || !isView(view) || toUri(goalId, view) !== uri) return undefined;
  return printCommand(VIEWS[view].command, { goalId }).argv.slice(1);
}

function toUri(goalId: string, view: View): string {
  const goal = `loopx://goal/${encodeURIComponent(goalId)}`;
  return view === "" ? goal : `${goal}/${view}`;
}

function isView(view: string): view is View {
  return Object.hasOwn(VIEWS, view);
}

function parseEncodedId(encoded: string): string | undefined {
  try {
    return parseGoalId(decodeURIComponent(encoded), "goal_id");
  } catch (error) {
    // A malformed escape is a URIError.
    if (isLoopxError(error) || error instanceof URIError) return undefined;
    throw error;
  }
}
