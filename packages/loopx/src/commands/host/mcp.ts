import { resolve } from "node:path";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { openCommandCalls } from "../../mcp/command-calls.ts";
import { createMcpServer } from "../../mcp/create-mcp-server.ts";
import { listOfferedCommands } from "../../mcp/offered-commands.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Serves MCP until stdin closes, nobody reads stdout any more, or a signal comes. Calls under way end first. */
export const run: CommandHandler<"mcp"> = async (input) => {
  const calls = openCommandCalls(input);
  if (input.facts.isStdinTerminal) input.note("mcp: serving on stdin and stdout; it is a host that starts this");
  // The transport listens once for each answer that waits to be written.
  process.stdout.setMaxListeners(0);
  const transport = new StdioServerTransport();
  const { runChecks, recallProfile } = input.flags;
  const profile = recallProfile === undefined ? undefined : resolve(input.ambient.cwd, recallProfile);
  const commands = listOfferedCommands(runChecks, profile);
  const connection = serveStdio(() => createMcpServer(calls, commands), {
    transport,
    // What a client sent may be anything; its own words are not repeated.
    onerror: (error) => input.note(`mcp: a message was not understood or could not be sent (${error.name})`),
  });
  await Promise.race([input.untilInterrupted(), untilClosed(transport)]);
  await calls.stop();
  await connection.close();
  giveUpUnreadAnswers();
  return { packet: undefined, text: () => "" };
};

/** Answers that nobody reads would keep the process alive. */
const UNREAD_MS = 1000;

function giveUpUnreadAnswers(): void {
  setTimeout(() => process.exit(), UNREAD_MS).unref();
}

/** Settles when the host has closed its end of either stream, or sent a message that is too large to keep. */
function untilClosed(transport: StdioServerTransport): Promise<void> {
  const { onclose } = transport;
  return new Promise((settle) => {
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport has this one listener, the SDK's
    transport.onclose = () => {
      onclose?.();
      settle();
    };
  });
}
