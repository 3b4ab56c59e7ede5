import { HOST_COMMANDS } from "@loopx/host-commands";
import { expect, test } from "vitest";
import { findCommand } from "../../src/command-table/command-table.ts";
import { isBuilt } from "../../src/host-message/unbuilt-targets.ts";

test("a host command counts as built exactly when the command table has its target", () => {
  for (const command of HOST_COMMANDS) {
    expect(isBuilt(command), command.target).toBe(findCommand(command.target) !== undefined);
  }
});
