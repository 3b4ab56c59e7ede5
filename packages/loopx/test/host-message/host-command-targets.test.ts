import { HOST_COMMANDS } from "@loopx/host-commands";
import { expect, test } from "vitest";
import { findCommand } from "../../src/command-table/command-table.ts";

test("every host command has its target in the command table", () => {
  const missing = HOST_COMMANDS.filter((command) => findCommand(command.target) === undefined);
  expect(missing.map((command) => command.target)).toEqual([]);
});
