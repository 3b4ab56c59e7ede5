import { spawn, type ChildProcessByStdio } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { parseAnswerJson } from "../answer/parse-answer-json.ts";
import { isFault } from "../provider-fault.ts";
import type { ChildReply, ChildRequest, ChildSetup } from "./child-protocol.ts";

/** How a child is started. */
export interface ChildCommand {
  /** The bundled `sqlite-child`. */
  readonly entry: string;
  /** Lets an operator (and a test of unwritable folders) run it as another user. */
  readonly runAs?: { readonly uid: number; readonly gid: number };
}

/** A running child. It takes one request at a time. */
export interface SqliteChild {
  /** Undefined when the child ended, or broke the protocol, before it replied. */
  ask(request: ChildRequest): Promise<ChildReply | undefined>;
  /** SIGKILL: nothing gentler stops native code. Settles when the process is gone. */
  kill(): Promise<void>;
}

/** A child that isn't ready by then never will be. */
const START_LIMIT_MS = 10_000;

/** The longest reply: 1 MiB of text of which each byte is escaped in JSON, with room for the rest. */
const MAX_LINE_BYTES = 8 * 1024 * 1024;

/**
 * Starts a child and waits until it is ready; a reply instead of a child says why there is none.
 *
 * It gets an empty environment and no descriptor but its two pipes.
 */
export async function startChild(command: ChildCommand, setup: ChildSetup): Promise<SqliteChild | ChildReply> {
  const child = openChild(command);
  if (child === undefined) return CRASHED;
  const timer = setTimeout(() => void child.kill(), START_LIMIT_MS);
  const first = await child.send(setup);
  clearTimeout(timer);
  if (first?.kind === "ready") return { ask: (request) => child.send(request), kill: () => child.kill() };
  await child.kill();
  return first ?? CRASHED;
}

export const CRASHED: ChildReply = { kind: "fault", status: "UNAVAILABLE", reason: "CHILD_CRASHED" };

interface OpenChild {
  send(message: ChildSetup | ChildRequest): Promise<ChildReply | undefined>;
  kill(): Promise<void>;
}

function openChild(command: ChildCommand): OpenChild | undefined {
  try {
    return toOpenChild(spawnChild(command));
  } catch {
    // Some errors of the system are thrown, such as a user it may not become; most are told by an event.
    return undefined;
  }
}

function spawnChild({ entry, runAs }: ChildCommand): ChildProcessByStdio<Writable, Readable, null> {
  return spawn(process.execPath, ["--max-old-space-size=128", "--no-warnings", entry], {
    stdio: ["pipe", "pipe", "ignore"],
    env: {},
    cwd: "/",
    ...runAs,
  });
}

function toOpenChild(child: ChildProcessByStdio<Writable, Readable, null>): OpenChild {
  let waiting: ((reply: ChildReply | undefined) => void) | undefined;
  const settle = (reply: ChildReply | undefined): void => {
    waiting?.(reply);
    waiting = undefined;
  };
  const hasEnded = new Promise<void>((resolve) => {
    child.once("close", () => {
      settle(undefined);
      resolve();
    });
  });
  // A child that could not be started or has gone is told by `close`.
  child.on("error", () => child.stdout.destroy());
  child.stdin.on("error", () => undefined);
  const onLine = (line: Buffer | undefined): void => {
    const reply = line === undefined ? undefined : parseReply(line);
    if (reply === undefined) child.kill("SIGKILL");
    else settle(reply);
  };
  readLines(child.stdout, onLine);
  return {
    async send(message) {
      if (child.exitCode !== null || child.signalCode !== null) return undefined;
      const reply = new Promise<ChildReply | undefined>((resolve) => {
        waiting = resolve;
      });
      child.stdin.write(`${JSON.stringify(message)}\n`);
      return reply;
    },
    async kill() {
      child.kill("SIGKILL");
      await hasEnded;
    },
  };
}

/** Whole lines of a stream, or undefined for one that is too long. */
function readLines(stream: NodeJS.ReadableStream, onLine: (line: Buffer | undefined) => void): void {
  let parts: Buffer[] = [];
  let length = 0;
  stream.on("data", (chunk: Buffer) => {
    parts.push(chunk);
    length += chunk.length;
    if (length > MAX_LINE_BYTES) onLine(undefined);
    if (chunk.at(-1) !== 0x0a) return;
    // One reply to one request: a line ends where a chunk does.
    onLine(Buffer.concat(parts));
    parts = [];
    length = 0;
  });
}

/** A child that reads a hostile file may be hostile itself, so its words are parsed like a provider's. */
function parseReply(line: Buffer): ChildReply | undefined {
  const json = parseAnswerJson(line);
  if (isFault(json) || typeof json.value !== "object" || json.value === null) return undefined;
  const reply = json.value as ChildReply;
  return ["ready", "items", "done", "fault"].includes(reply.kind) ? reply : undefined;
}
