import { assert, constant, oneof, property, record, string, tuple, type Arbitrary } from "fast-check";
import { expect, test } from "vitest";
import { parseRoute, toAddress, type Route } from "../../src/routing/route.ts";

/** No id begins with a dot; one or two alone would be a step in a path, however they are encoded. */
const id = string({ minLength: 1, unit: "grapheme" }).filter((text) => !text.startsWith("."));
const place = record({ goalId: id, project: id }, { requiredKeys: ["goalId"] });
const route: Arbitrary<Route> = oneof(
  constant<Route>({ screen: "overview" }),
  place.map((of): Route => ({ screen: "goal", ...of })),
  tuple(place, id).map(([of, todoId]): Route => ({ screen: "todo", ...of, todoId })),
  constant<Route>({ screen: "context" }),
  id.map((traceId): Route => ({ screen: "trace", traceId })),
  constant<Route>({ screen: "recall" }),
);

test("the address of a route leads back to it, whatever its ids are made of", () => {
  assert(
    property(route, (each) => {
      const { pathname, search } = new URL(toAddress(each), "http://127.0.0.1");
      expect(parseRoute(pathname, search)).toEqual(each);
    }),
  );
});

test.each([
  "/goals",
  "/goals/g/todos",
  "/goals/g/other/t",
  "/goals/g/todos/t/x",
  "/context/x",
  "/recall/x",
  "/x",
  "/%",
])("no screen has the address %s", (path) => {
  expect(parseRoute(path)).toEqual({ screen: "nowhere" });
});

test("what follows a question mark and is no project changes nothing", () => {
  expect(parseRoute("/goals/g", "?project=&x=1")).toEqual({ screen: "goal", goalId: "g" });
});
