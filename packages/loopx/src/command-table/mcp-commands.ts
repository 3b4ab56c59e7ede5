import type { CommandRecord } from "./command-spec.ts";

/** What a host starts and keeps running. */
export const MCP_COMMANDS = {
  mcp: {
    summary: "Serve these commands to an agent's host over MCP, on stdin and stdout",
    details:
      "A host starts it; it ends when stdin closes or on SIGTERM. Reads and an agent's writes are tools, slash commands are prompts, goals are resources. Whoever calls through it is an agent, never an owner.",
    authority: "agent",
    flags: {
      runChecks: {
        type: "boolean",
        describe: "let an agent complete todos that have a check, which then runs outside the host's sandbox",
      },
      recallProfile: {
        type: "path",
        placeholder: "FILE",
        describe:
          "let an agent recall past sessions, by this profile alone; what answers runs outside the host's sandbox",
      },
    },
    examples: ["loopx mcp", "loopx mcp --project . --run-checks", "loopx mcp --recall-profile ~/.loopx-decisions.json"],
  },
} as const satisfies CommandRecord;
