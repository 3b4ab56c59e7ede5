/**
 * Finds the way from one of `targets` back to `start`, or undefined.
 *
 * Visits each todo once, so a graph full of diamonds costs its edges, not its paths.
 */
export function findCycle(
  edges: ReadonlyMap<string, readonly string[]>,
  start: string,
  targets: readonly string[],
): readonly string[] | undefined {
  const cameFrom = new Map<string, string>();
  const pending: string[] = [];
  const visit = (todoId: string, from: string): void => {
    if (cameFrom.has(todoId)) return;
    cameFrom.set(todoId, from);
    pending.push(todoId);
  };
  for (const target of targets) visit(target, start);
  while (pending.length > 0) {
    const todoId = pending.pop();
    if (todoId === undefined) break;
    if (todoId === start) return traceBack(cameFrom, start);
    for (const next of edges.get(todoId) ?? []) visit(next, todoId);
  }
  return undefined;
}

function traceBack(cameFrom: ReadonlyMap<string, string>, start: string): readonly string[] {
  const path = [start];
  let current = cameFrom.get(start);
  while (current !== undefined && current !== start) {
    path.unshift(current);
    current = cameFrom.get(current);
  }
  return [start, ...path];
}
