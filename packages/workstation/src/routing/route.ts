/** The screens, as their addresses name them. `project` tells stores apart where a goal's id is known in several. */
export type Route =
  | { readonly screen: "overview" }
  | { readonly screen: "goal"; readonly goalId: string; readonly project?: string }
  | { readonly screen: "todo"; readonly goalId: string; readonly todoId: string; readonly project?: string }
  | { readonly screen: "context"; readonly place?: string; readonly view?: string }
  | { readonly screen: "trace"; readonly traceId: string }
  | { readonly screen: "recall" }
  | { readonly screen: "nowhere" };

/** The route of an address: its path, and its query with or without the question mark. */
export function parseRoute(path: string, query = ""): Route {
  const words = decodeWords(path);
  if (words === undefined) return { screen: "nowhere" };
  const inProject = pick(query, ["project"]);
  const [first, second, third, fourth, ...rest] = words;
  if (rest.length > 0) return { screen: "nowhere" };
  if (first === undefined) return { screen: "overview" };
  if (first === "goals" && second !== undefined) {
    if (third === undefined) return { screen: "goal", goalId: second, ...inProject };
    if (third === "todos" && fourth !== undefined) {
      return { screen: "todo", goalId: second, todoId: fourth, ...inProject };
    }
  }
  if (first === "context" && second === undefined) return { screen: "context", ...pick(query, ["place", "view"]) };
  if (first === "context" && second === "traces" && third !== undefined && fourth === undefined) {
    return { screen: "trace", traceId: third };
  }
  if (first === "recall" && second === undefined) return { screen: "recall" };
  return { screen: "nowhere" };
}

/** The address of a route; `parseRoute` gives the route back. */
export function toAddress(route: Route): string {
  switch (route.screen) {
    case "overview":
    case "nowhere":
      return "/";
    case "goal":
      return `/goals/${encodeURIComponent(route.goalId)}${toQuery({ project: route.project })}`;
    case "todo": {
      const { goalId, todoId, project } = route;
      return `/goals/${encodeURIComponent(goalId)}/todos/${encodeURIComponent(todoId)}${toQuery({ project })}`;
    }
    case "context":
      return `/context${toQuery({ place: route.place, view: route.view })}`;
    case "trace":
      return `/context/traces/${encodeURIComponent(route.traceId)}`;
    case "recall":
      return "/recall";
  }
}

function toQuery(parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return given.length === 0 ? "" : `?${given.join("&")}`;
}

/** Of a query the parameters of these names that say something. */
function pick<Name extends string>(query: string, names: readonly Name[]): { readonly [Key in Name]?: string } {
  const parameters = new URLSearchParams(query);
  const given = names.flatMap((name) => {
    const value = parameters.get(name);
    return value === null || value === "" ? [] : [[name, value] as const];
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the names are those of the type
  return Object.fromEntries(given) as { readonly [Key in Name]?: string };
}

/** Undefined for a path that no address of ours has: one that is not percent-encoded text. */
function decodeWords(path: string): readonly string[] | undefined {
  try {
    return path
      .split("/")
      .filter((word) => word !== "")
      .map(decodeURIComponent);
  } catch {
    return undefined;
  }
}
