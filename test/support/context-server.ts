import { spawn } from "node:child_process";
import { BINDING, STORE, type SupportDesk } from "./support-desk.ts";

/** A line of the server's log. */
export type LogLine = Readonly<Record<string, unknown>>;

/** `loopx context serve`, running. */
export interface ContextServer {
  readonly url: string;
  readonly log: readonly LogLine[];
  /** The next line of an event that came after this was called. */
  waitFor(event: string): Promise<LogLine>;
  signal(name: NodeJS.Signals): void;
  /** Settles when the process has ended. */
  readonly ended: Promise<{ readonly exitCode: number | null; readonly stdout: string }>;
}

/** Starts the server of a desk on a free port, and waits until it listens. */
export async function startContextServer(desk: SupportDesk, flags: readonly string[] = []): Promise<ContextServer> {
  return startContextServerIn(desk, [`--build=${desk.build}`, BINDING, STORE, ...flags]);
}

/** The same in any folder, with all of its flags but the port. */
export async function startContextServerIn(
  { world, folder, env }: Pick<SupportDesk, "world" | "folder" | "env">,
  flags: readonly string[],
): Promise<ContextServer> {
  const words = ["--json", "context", "serve", "--port=0", ...flags];
  const child = spawn(process.execPath, [world.program, ...words], { cwd: folder, env });
  const log: LogLine[] = [];
  const waiting: { event: string; resolve: (line: LogLine) => void }[] = [];
  let stdout = "";
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    const lines = `${rest}${text}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const entry = JSON.parse(line) as LogLine;
      log.push(entry);
      for (const each of waiting.filter(({ event }) => event === entry["event"])) {
        waiting.splice(waiting.indexOf(each), 1);
        each.resolve(entry);
      }
    }
  });
  const ended = new Promise<{ exitCode: number | null; stdout: string }>((resolve) => {
    child.once("close", (exitCode) => resolve({ exitCode, stdout }));
  });
  const waitFor = (event: string): Promise<LogLine> =>
    Promise.race([
      new Promise<LogLine>((resolve) => waiting.push({ event, resolve })),
      ended.then(() => {
        throw new Error(`the server ended before ${event}: ${stdout}${rest}`);
      }),
    ]);
  const { url } = await waitFor("listening");
  return { url: String(url), log, waitFor, signal: (name) => void child.kill(name), ended };
}
