import { Client, ProtocolError } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { World } from "./cli-world.ts";

/** What a tool answered: the packet, and whether the command line would have exited with another code than 0. */
export interface ToolAnswer {
  readonly isError: boolean;
  readonly packet: unknown;
}

/** `loopx mcp` with the official client on the other end. */
export interface McpSession {
  readonly client: Client;
  readonly call: (tool: string, given?: Readonly<Record<string, unknown>>) => Promise<ToolAnswer>;
  /** Calls a tool and gives its packet; throws when it is an error. */
  readonly done: (tool: string, given?: Readonly<Record<string, unknown>>) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

export interface McpOptions {
  readonly flags?: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The revision of 2026 negotiates by discovery; without it the handshake of the revisions before. */
  readonly isModern?: true;
}

/** Starts a server in the world's project and connects to it. */
export async function openMcpSession(world: World, options: McpOptions = {}): Promise<McpSession> {
  const { flags = [], cwd = world.project, env, isModern } = options;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [world.program, "mcp", ...flags],
    cwd,
    env: { ...world.env, ...env },
    stderr: "ignore",
  });
  const negotiation = isModern ? { versionNegotiation: { mode: "auto" as const } } : {};
  const client = new Client({ name: "a-host", version: "1.0.0" }, negotiation);
  await client.connect(transport);
  const call: McpSession["call"] = async (tool, given = {}) => {
    const { content, isError } = await client.callTool({ name: tool, arguments: given });
    const [first, ...others] = content;
    if (first?.type !== "text" || others.length > 0) throw new Error(`${tool} did not answer with one text`);
    return { isError: isError === true, packet: JSON.parse(first.text) };
  };
  return {
    client,
    call,
    done: async (tool, given) => {
      const { isError, packet } = await call(tool, given);
      if (isError) throw new Error(`${tool}: ${JSON.stringify(packet)}`);
      return packet;
    },
    close: () => client.close(),
  };
}

/** The protocol error that a request is refused with. */
export async function refusalOf(request: Promise<unknown>): Promise<ProtocolError> {
  try {
    await request;
  } catch (error) {
    if (error instanceof ProtocolError) return error;
    throw error;
  }
  throw new Error("the request was not refused");
}
