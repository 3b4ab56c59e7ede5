import { spawn } from "node:child_process";
import type { World } from "./cli-world.ts";

/** One line that a server wrote to stdout. */
export type ProtocolLine = Readonly<Record<string, unknown>>;

/** `loopx mcp` without a client: what it reads is written by the test, byte for byte. */
export interface RawMcpServer {
  readonly pid: number;
  readonly write: (text: string) => void;
  /** Sends a request and gives the answer to it. */
  readonly ask: (method: string, params?: object) => Promise<ProtocolLine>;
  readonly closeInput: () => void;
  readonly closeOutput: () => void;
  /** Reads nothing more, without closing. */
  readonly stopReading: () => void;
  readonly signal: (name: NodeJS.Signals) => void;
  /** Settles when the process is gone, whether or not its output was read. */
  readonly gone: Promise<number | null>;
  readonly ended: Promise<{
    readonly exitCode: number | null;
    readonly signal: NodeJS.Signals | null;
    readonly stdout: string;
    readonly stderr: string;
  }>;
}

export interface RawMcpOptions {
  /** Words and flags, `mcp` unless given. */
  readonly command?: readonly string[];
}

/** Starts a server and, unless told otherwise, opens the connection with the handshake of the 2025 revisions. */
export async function startRawMcpServer(
  world: World,
  { command = ["mcp"] }: RawMcpOptions = {},
  isOpened = true,
): Promise<RawMcpServer> {
  const child = spawn(process.execPath, [world.program, ...command], {
    cwd: world.project,
    env: { ...world.env },
  });
  let stdout = "";
  let stderr = "";
  const waiting = new Map<unknown, (line: ProtocolLine) => void>();
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    const lines = `${rest}${text}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const message = JSON.parse(line) as ProtocolLine;
      waiting.get(message["id"])?.(message);
    }
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  child.stdin.on("error", () => undefined);
  const ended: RawMcpServer["ended"] = new Promise((resolve) => {
    child.once("close", (exitCode, signal) => resolve({ exitCode, signal, stdout, stderr }));
  });
  const gone = new Promise<number | null>((resolve) => {
    child.once("exit", resolve);
  });
  let lastId = 0;
  const write = (text: string): void => void child.stdin.write(text);
  const ask: RawMcpServer["ask"] = async (method, params = {}) => {
    const id = (lastId += 1);
    const answer = new Promise<ProtocolLine>((resolve) => waiting.set(id, resolve));
    write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return Promise.race([
      answer,
      ended.then((end) => {
        throw new Error(`the server ended before it answered ${method}: ${JSON.stringify(end)}`);
      }),
    ]);
  };
  if (isOpened) {
    const clientInfo = { name: "a-host", version: "1.0.0" };
    await ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
    write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`);
  }
  return {
    pid: child.pid ?? 0,
    write,
    ask,
    closeInput: () => void child.stdin.end(),
    closeOutput: () => void child.stdout.destroy(),
    stopReading: () => void child.stdout.pause(),
    signal: (name) => void child.kill(name),
    gone,
    ended,
  };
}
