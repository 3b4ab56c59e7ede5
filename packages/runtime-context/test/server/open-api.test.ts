import { expect, test } from "vitest";
import { createContextApi, type ContextApiParts } from "../../src/server/context-api.ts";
import { renderOpenApi } from "../../src/server/open-api.ts";

test("the OpenAPI document has every route of the API, and no other", () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no route is called here
  const api = createContextApi({} as ContextApiParts);
  const served = api.routes.filter(({ method }) => method !== "ALL").map(({ method, path }) => `${method} ${path}`);
  const { paths } = renderOpenApi("0.0.0") as { paths: Record<string, object> };
  const told = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`),
  );
  expect(told.toSorted()).toEqual(served.toSorted());
});
