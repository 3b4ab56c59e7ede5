import { bindingJsonSchema } from "../binding/binding-schema.ts";
import { TURN_ANSWER, TURN_REQUEST } from "../server/answer-schemas.ts";
import { projectJsonSchema } from "../project/project-schema.ts";

/** The documents that people and programs write or read, for which there is a JSON Schema. */
export const SCHEMA_NAMES = ["project", "binding", "turn-request", "turn"] as const;

export type SchemaName = (typeof SCHEMA_NAMES)[number];

const DRAFT = "https://json-schema.org/draft/2020-12/schema";

/** The JSON Schema (draft 2020-12) of one of them. */
export function toJsonSchema(name: SchemaName): object {
  switch (name) {
    case "project":
      return projectJsonSchema();
    case "binding":
      return bindingJsonSchema();
    case "turn-request":
      return { $schema: DRAFT, title: "LoopX context turn request", ...TURN_REQUEST };
    case "turn":
      return { $schema: DRAFT, title: "LoopX context turn", ...TURN_ANSWER };
    default:
      return name satisfies never;
  }
}

/** The schema as a file. */
export function renderJsonSchema(name: SchemaName): string {
  return `${JSON.stringify(toJsonSchema(name), null, 2)}\n`;
}
