import { ERROR_TABLE, isLoopxError, LoopxError, toErrorPacket } from "@loopx/contracts";
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, Server } from "@modelcontextprotocol/server";
import { printCommand } from "../command-line/print-command.ts";
import type { CommandAnswer } from "../run-command-line.ts";
import { VERSION } from "../version.ts";
import type { CommandCalls } from "./command-calls.ts";
import { findResourceCommand, listFixedResources, listResourceTemplates, toGoalResource } from "./goal-resources.ts";
import { findOwnerCommand, type OfferedCommand } from "./offered-commands.ts";
import { readToolArguments } from "./read-tool-arguments.ts";
import { listPrompts, renderPrompt } from "./slash-prompts.ts";
import { describeTool } from "./tool.ts";

const INSTRUCTIONS =
  "LoopX says what this agent may do next and who decides. Begin each turn with quota_should_run and work only on decision run or replan; " +
  "record it with refresh_state, finish with todo_complete, settle with quota_spend. Name agent_id in every write, and thread_id where your host has one. " +
  "Answers print loopx command lines: the tool of the same words takes the same flags, with underscores. You are never an owner here: ask the user for what a gate needs.";

/** A server whose tools, those of `commands`, prompts and resources are the commands of the command line. It holds no state of its own. */
export function createMcpServer(calls: CommandCalls, commands: readonly OfferedCommand[]): Server {
  // Tools judge their arguments themselves, with the codes of the command line, which the SDK's registry would not.
  const server = new Server(
    { name: "loopx", version: VERSION },
    { capabilities: { tools: {}, prompts: {}, resources: {} }, instructions: INSTRUCTIONS },
  );
  serveTools(server, calls, commands);
  servePrompts(server);
  serveResources(server, calls);
  return server;
}

function serveTools(server: Server, calls: CommandCalls, commands: readonly OfferedCommand[]): void {
  server.setRequestHandler("tools/list", () => ({ tools: commands.map(describeTool) }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const command = commands.find(({ toolName }) => toolName === params.name);
    if (command === undefined) return toToolResult(refuseTool(params.name));
    try {
      const line = readToolArguments(command, params.arguments ?? {});
      return toToolResult(await calls.run({ ...line, signal: mcpReq.signal }));
    } catch (error) {
      if (!isLoopxError(error)) throw error;
      return toToolResult({ packet: toErrorPacket(error), exitCode: error.exitCode });
    }
  });
}

/** The packet as the command line prints it, once: agents pay for every byte. */
function toToolResult({ packet, exitCode }: CommandAnswer): {
  content: { type: "text"; text: string }[];
  isError: boolean;
} {
  return { content: [{ type: "text", text: JSON.stringify(packet) }], isError: exitCode !== 0 };
}

/** An owner's command is refused like the command line refuses an agent; any other name is a fault of the client. */
function refuseTool(toolName: string): CommandAnswer {
  const owners = findOwnerCommand(toolName);
  if (owners === undefined) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "no tool has this name", { code: "unknown_command" });
  }
  const error = new LoopxError("gate_needs_owner", {
    message: `loopx ${owners} is an owner's, and whoever calls through MCP is an agent`,
    hint: `ask the user to run it at a terminal of their own: loopx ${owners} --help`,
  });
  return { packet: toErrorPacket(error), exitCode: error.exitCode };
}

function servePrompts(server: Server): void {
  server.setRequestHandler("prompts/list", () => ({ prompts: [...listPrompts()] }));
  server.setRequestHandler("prompts/get", ({ params }) => {
    try {
      const text = renderPrompt(params.name, params.arguments ?? {});
      return { messages: [{ role: "user" as const, content: { type: "text" as const, text } }] };
    } catch (error) {
      throw isLoopxError(error) ? toProtocolError(toErrorPacket(error)) : error;
    }
  });
}

const GOALS_PER_PAGE = 100;

function serveResources(server: Server, calls: CommandCalls): void {
  server.setRequestHandler("resources/list", async ({ params }) => {
    const offset = parseCursor(params?.cursor);
    const goalIds = listGoalIds(await calls.run({ argv: printCommand("goal list", {}).argv.slice(1) }));
    const page = goalIds.slice(offset, offset + GOALS_PER_PAGE).map(toGoalResource);
    const next = offset + GOALS_PER_PAGE;
    return {
      resources: offset === 0 ? [...listFixedResources(), ...page] : page,
      ...(next < goalIds.length ? { nextCursor: String(next) } : {}),
    };
  });
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [...listResourceTemplates()] }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }, { mcpReq }) => {
    const argv = findResourceCommand(uri);
    if (argv === undefined) throw new ResourceNotFoundError(uri);
    const { packet, exitCode } = await calls.run({ argv, signal: mcpReq.signal });
    if (exitCode !== 0) throw isNotFound(packet) ? new ResourceNotFoundError(uri) : toProtocolError(packet);
    return { contents: [{ uri, mimeType: "application/json", text: JSON.stringify(packet) }] };
  });
}

function parseCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor);
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, "the cursor is not one of this server's");
}

/** A project that cannot be read has no goals to list; reading one says why. */
function listGoalIds({ packet }: CommandAnswer): readonly string[] {
  const { goals = [] } = packet as { readonly goals?: readonly { readonly goal_id: string }[] };
  return goals.map((goal) => goal.goal_id);
}

function isNotFound(packet: object): boolean {
  return codeOf(packet) === "unknown_goal";
}

function codeOf(packet: object): string | undefined {
  return (packet as { readonly error?: { readonly code?: string } }).error?.code;
}

/** The command line's error in the protocol's: its packet is the data. */
function toProtocolError(packet: object): ProtocolError {
  const { error } = packet as ReturnType<typeof toErrorPacket>;
  const isUsage = ERROR_TABLE[error.code].category === "usage";
  const code = isUsage ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
  return new ProtocolError(code, error.message, error);
}
