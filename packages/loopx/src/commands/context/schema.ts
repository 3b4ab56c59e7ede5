import { renderJsonSchema, SCHEMA_NAMES, toJsonSchema } from "@loopx/runtime-context";
import type { CommandHandler } from "../command-handler.ts";

/** The JSON Schema of one kind of document. As text it is the schema alone, so that it can be written to a file. */
export const run: CommandHandler<"context schema"> = ({ positionals }) => {
  // The table lets nothing but these names through.
  const name = SCHEMA_NAMES.find((candidate) => candidate === positionals[0]) ?? "project";
  return {
    packet: { ok: true, schema_version: "loopx_context_schema_v1", name, schema: toJsonSchema(name) },
    text: () => renderJsonSchema(name),
    isData: true,
  };
};
