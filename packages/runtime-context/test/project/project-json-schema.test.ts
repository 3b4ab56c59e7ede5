import { expect, test } from "vitest";
import { projectJsonSchema } from "../../src/project/project-schema.ts";

test("editors get one closed schema, with what may be left out left out", () => {
  const schema = projectJsonSchema() as any;
  expect(schema.$schema).toBe("https://json-schema.org/draft/2020-12/schema");
  expect(schema.required).toEqual(["contract", "id", "version", "objectives", "consumers", "profiles", "layers"]);
  const provider = schema.properties.providers.items;
  expect(provider.required).toEqual(["id", "name", "lookup", "maxItems"]);
  expect([schema, provider, provider.properties.lookup].map((part) => part.additionalProperties)).toEqual([
    false,
    false,
    false,
  ]);
  expect(schema.properties.id.pattern).toBe("^[a-z][a-z0-9-]{0,62}$");
});
