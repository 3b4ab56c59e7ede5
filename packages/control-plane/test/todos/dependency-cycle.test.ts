import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findCycle, findCyclicTodo } from "../../src/todos/dependency-cycle.ts";

describe("findCycle", () => {
  test("says the way back to the start", () => {
    const edges = new Map([
      ["b", ["c", "d"]],
      ["d", ["e"]],
      ["e", ["a"]],
    ]);
    expect(findCycle(edges, "a", ["b"])).toEqual(["a", "b", "d", "e", "a"]);
    expect(findCycle(edges, "a", ["a"])).toEqual(["a", "a"]);
    expect(findCycle(edges, "a", ["c"])).toBeUndefined();
    expect(findCycle(edges, "x", ["a", "b"])).toBeUndefined();
  });

  test("a circle elsewhere in the graph is no way back, and does not keep it looking", () => {
    const edges = new Map([
      ["b", ["c"]],
      ["c", ["b"]],
    ]);
    expect(findCycle(edges, "a", ["b"])).toBeUndefined();
  });

  test("a graph of 5,000 todos full of diamonds is read once per todo, not once per path", () => {
    // 1,666 diamonds in a row: 2^1666 paths lead from the first todo to the last.
    const edges = new Map<string, readonly string[]>();
    for (let layer = 0; layer < 1666; layer += 1) {
      const [top, left, right, bottom] = [`t${layer}`, `l${layer}`, `r${layer}`, `t${layer + 1}`];
      edges.set(top, [left, right]);
      edges.set(left, [bottom]);
      edges.set(right, [bottom]);
    }
    const reads = new Map<string, number>();
    const counting = new Map(edges);
    counting.get = (todoId) => {
      reads.set(todoId, (reads.get(todoId) ?? 0) + 1);
      return edges.get(todoId);
    };
    expect(findCycle(counting, "start", ["t0"])).toBeUndefined();
    expect([reads.size, Math.max(...reads.values())]).toEqual([4999, 1]);
  });
});

describe("findCyclicTodo", () => {
  test("names a todo of a circle, never one that only leads into it or comes out of it", () => {
    const edges = new Map([
      ["before", ["a"]],
      ["a", ["b", "after"]],
      ["b", ["a"]],
      ["after", ["end"]],
    ]);
    expect(["a", "b"]).toContain(findCyclicTodo(edges));
    expect(findCyclicTodo(new Map([["a", ["a"]]]))).toBe("a");
    expect(findCyclicTodo(new Map([["a", ["b", "b"]]]))).toBeUndefined();
    expect(findCyclicTodo(new Map())).toBeUndefined();
  });

  test("of any graph it names one exactly where findCycle finds a way back from some todo", () => {
    const ids = ["a", "b", "c", "d", "e", "f"];
    const graph = fc.array(fc.tuple(fc.constantFrom(...ids), fc.constantFrom(...ids)), { maxLength: 9 });
    let cyclicCount = 0;
    const check = (pairs: readonly (readonly [string, string])[]): void => {
      const edges = new Map(ids.map((id) => [id, pairs.filter(([from]) => from === id).map(([, to]) => to)]));
      const cyclic = ids.filter((id) => findCycle(edges, id, edges.get(id) ?? []) !== undefined);
      const found = findCyclicTodo(edges);
      if (cyclic.length === 0) expect(found).toBeUndefined();
      else expect(cyclic).toContain(found);
      cyclicCount += Math.sign(cyclic.length);
    };
    fc.assert(fc.property(graph, check), { numRuns: 500, seed: 1 });
    expect(cyclicCount).toBeGreaterThan(100);
    expect(cyclicCount).toBeLessThan(400);
  });
});
