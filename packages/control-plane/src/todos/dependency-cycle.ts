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

/**
 * A todo that waits for itself, or undefined when none does.
 *
 * Takes away what waits for nothing until no such todo is left, so a graph costs its edges.
 */
export function findCyclicTodo(edges: ReadonlyMap<string, readonly string[]>): string | undefined {
  const left = new Map([...edges].map(([todoId, needed]) => [todoId, new Set(needed)]));
  const neededBy = new Map<string, string[]>();
  for (const [todoId, needed] of left) {
    for (const id of needed) {
      const waiting = neededBy.get(id);
      if (waiting === undefined) neededBy.set(id, [todoId]);
      else waiting.push(todoId);
    }
  }
  const free = [...neededBy.keys(), ...left.keys()].filter((todoId) => (left.get(todoId)?.size ?? 0) === 0);
  for (let todoId = free.pop(); todoId !== undefined; todoId = free.pop()) {
    left.delete(todoId);
    for (const waiting of neededBy.get(todoId) ?? []) {
      const needed = left.get(waiting);
      if (needed?.delete(todoId) === true && needed.size === 0) free.push(waiting);
    }
  }
  // Each one that is left needs another that is left: going on from any of them comes round.
  const seen = new Set<string>();
  let [current] = left.keys();
  while (current !== undefined && !seen.has(current)) {
    seen.add(current);
    [current] = left.get(current) ?? [];
  }
  return current;
}
