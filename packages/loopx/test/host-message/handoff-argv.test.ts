import { parseShellWords } from "@loopx/contracts";
import { parseHostMessage, renderHandoff, type HandoffFacts } from "@loopx/host-commands";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseCommandLine } from "../../src/command-line/parse-command-line.ts";
import { printForHosts } from "../../src/command-line/print-for-hosts.ts";

const FACTS: HandoffFacts = {
  hostSurface: "cursor-agent",
  uiSurface: "chat_box",
  project: { label: "demo", argument: "../-demo" },
  goalId: undefined,
  agentId: undefined,
  threadId: "thread-1",
};

test("the command line reads argv and line of a handoff back as exactly the task that was typed", () => {
  let handedOver = 0;
  const text = fc.oneof(
    fc.string({ unit: "grapheme", minLength: 1 }),
    fc.constantFrom("--new-peer", "-", "'\"$(id)`\\"),
  );
  fc.assert(
    fc.property(text, (typed) => {
      const parsed = parseHostMessage(`/loopx ${typed}`, ["/"]);
      if (parsed.kind !== "command" || parsed.taskText === undefined) return;
      const packet = renderHandoff(parsed, FACTS, printForHosts);
      if (!("cli_argv" in packet)) throw new Error("a project is known");
      for (const argv of [packet.cli_argv, parseShellWords(packet.cli_command)]) {
        expect(parseCommandLine(argv.slice(1))).toMatchObject({
          kind: "command",
          globals: { project: "../-demo" },
          command: {
            name: "start-goal",
            flags: { goalText: parsed.taskText, guided: true, hostSurface: "cursor-agent", threadId: "thread-1" },
          },
        });
      }
      handedOver += 1;
    }),
    { numRuns: 500 },
  );
  expect(handedOver).toBeGreaterThan(300);
});
