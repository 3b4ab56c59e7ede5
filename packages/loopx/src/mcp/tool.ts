import type { Tool } from "@modelcontextprotocol/server";
import { joinChoices } from "../command-line/parse-flag-value.ts";
import { nameFlagsAsArguments, toArgumentName } from "./argument-name.ts";
import { toArgumentSchema } from "./argument-schema.ts";
import { asksOutside, type OfferedCommand } from "./offered-commands.ts";
import { PROJECT_ARGUMENT, takesThread, THREAD_ARGUMENT } from "./read-tool-arguments.ts";

/** Describes a command as a tool, from its row of the command table alone. */
export function describeTool(command: OfferedCommand): Tool {
  const { spec, flags, toolName } = command;
  const required = Object.entries(flags).filter(([, flag]) => flag.required);
  return {
    name: toolName,
    description: describeCommand(command),
    inputSchema: {
      type: "object",
      properties: {
        ...Object.fromEntries(
          Object.entries(flags).map(([key, flag]) => [toArgumentName(key), toArgumentSchema(flag)]),
        ),
        ...(takesThread(command) ? { [THREAD_ARGUMENT]: THREAD } : {}),
        [PROJECT_ARGUMENT]: PROJECT,
      },
      ...(required.length === 0 ? {} : { required: required.map(([key]) => toArgumentName(key)) }),
      additionalProperties: false,
    },
    // Nothing is destroyed: what was is in the events.
    annotations: {
      readOnlyHint: spec.authority === "read",
      destructiveHint: false,
      openWorldHint: asksOutside(command),
    },
  };
}

const THREAD = { type: "string", description: "stable id of your host's thread, where it has one" };
const PROJECT = { type: "string", description: "project root, instead of the server's" };

function describeCommand({ spec, flags }: OfferedCommand): string {
  const choices = (spec.chooseOne ?? []).map(({ from, required }) => {
    const names = from.filter((key) => Object.hasOwn(flags, key)).map(toArgumentName);
    return `${required ? "Give one of" : "Give at most one of"} ${joinChoices(names)}.`;
  });
  const needsOwner = spec.ownerWhen === undefined ? "" : `Needs an owner when ${spec.ownerWhen}.`;
  const parts = [`${spec.summary}.`, spec.details ?? "", needsOwner, ...choices];
  return nameFlagsAsArguments(parts.filter((part) => part !== "").join(" "));
}
