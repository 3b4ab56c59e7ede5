import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { openCommandCalls } from "../../mcp/command-calls.ts";
import { createMcpServer } from "../../mcp/create-mcp-server.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Serves MCP until stdin closes, nobody reads stdout any more, or a signal comes. Calls under way end first. */
export const run: CommandHandler<"mcp"> = async (input) => {
  const calls = openCommandCalls(input);
  const stopped = Promise.race([input.untilInterrupted(), untilStreamsEnd()]);
  const connection = serveStdio(() => createMcpServer(calls, input.flags.runChecks), {
    // What a client sent may be anything; its own words are not repeated.
    onerror: (error) => input.note(`mcp: a message was not understood or could not be sent (${error.name})`),
  });
  await stopped;
  await calls.stop();
  await connection.close();
  return { packet: undefined, text: () => "" };
};

/** Settles when the host has closed its end of either stream. */
function untilStreamsEnd(): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ["end", "close", "error"]) process.stdin.once(event, () => resolve());
    for (const event of ["close", "error"]) process.stdout.once(event, () => resolve());
  });
}
