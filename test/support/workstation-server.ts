import { spawn } from "node:child_process";
import { request, type IncomingMessage } from "node:http";
import type { World } from "./cli-world.ts";

/** An answer of the server, whole. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
  /** Undefined when it is not one JSON document. */
  readonly json: unknown;
}

export interface HttpRequest {
  readonly method?: string;
  /** What stands in the request's first line in place of the path. */
  readonly target?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object | string;
}

/** `loopx workstation`, running. */
export interface WorkstationServer {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** The link that it printed at its start. */
  readonly link: string;
  /** Another one, asked for by SIGHUP. */
  readonly nextLink: () => Promise<string>;
  /** Any request at all: neither headers nor cookie are there unless given. */
  readonly ask: (path: string, request?: HttpRequest) => Promise<HttpAnswer>;
  /** Opens a link as the page does and gives its `Cookie` header. */
  readonly signIn: () => Promise<string>;
  /** Listens for changes as a page does; settles once it hears of them. */
  readonly follow: (cookie: string) => Promise<FollowedEvents>;
  /** Sends SIGTERM, and settles with the exit code when the process has ended. */
  readonly stop: () => Promise<number | null>;
}

/** The server's stream of events, as it has come so far. */
export interface FollowedEvents {
  /** Settles once an event whose lines match has come since the last call; fails where the stream ends before. */
  readonly next: (lines: RegExp) => Promise<string>;
  readonly close: () => void;
  /** Settles when the server ended it as it should; fails where the connection broke. */
  readonly ended: Promise<void>;
}

export interface ServerOptions {
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const LINK = /http:\/\/\S+\/#token=\S+/;

/** Starts it in the world's project on a free port, and waits for its link. */
export async function startWorkstation(
  world: Pick<World, "program" | "project" | "env">,
  { flags = [], env = {} }: ServerOptions = {},
): Promise<WorkstationServer> {
  const words = [
    world.program,
    "workstation",
    ...(flags.some((flag) => flag.startsWith("--port")) ? [] : ["--port=0"]),
  ];
  const child = spawn(process.execPath, [...words, ...flags], { cwd: world.project, env: { ...world.env, ...env } });
  let talk = "";
  let heard: (() => void) | undefined;
  child.stdout.resume();
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    talk += text;
    heard?.();
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const waitForLink = (from: number): Promise<string> =>
    Promise.race([
      new Promise<string>((resolve) => {
        heard = () => {
          const lines = talk.slice(from, talk.lastIndexOf("\n") + 1);
          const link = LINK.exec(lines)?.[0];
          if (link !== undefined) resolve(link);
        };
        heard();
      }),
      ended.then(() => {
        throw new Error(`the Workstation ended: ${talk}`);
      }),
    ]);
  const link = await waitForLink(0);
  const url = new URL(link).origin;
  const ask: WorkstationServer["ask"] = (path, asked) => askHttp(`${url}${path}`, asked);
  const nextLink = (): Promise<string> => {
    const from = talk.length;
    child.kill("SIGHUP");
    return waitForLink(from);
  };
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid ?? 0,
    link,
    nextLink,
    ask,
    signIn: async () => {
      const token = readToken(await nextLink());
      const answer = await ask("/api/session", { method: "POST", headers: { origin: url }, body: { token } });
      const [cookie = ""] = answer.headers["set-cookie"] ?? [];
      return cookie.split(";")[0] ?? "";
    },
    follow: (cookie) => followEvents(`${url}/api/events`, cookie),
    stop: () => {
      child.kill("SIGTERM");
      return ended;
    },
  };
}

/** The one-time token of a link. */
export function readToken(link: string): string {
  return new URLSearchParams(new URL(link).hash.slice(1)).get("token") ?? "";
}

/** A request by hand: a `fetch` would not send another `Host`. */
function askHttp(url: string, { method = "GET", target, headers = {}, body }: HttpRequest = {}): Promise<HttpAnswer> {
  const content = typeof body === "object" ? JSON.stringify(body) : body;
  const type = typeof body === "object" ? { "content-type": "application/json" } : {};
  return new Promise((resolve, reject) => {
    const options = {
      method,
      headers: { ...type, ...headers },
      agent: false,
      ...(target === undefined ? {} : { path: target }),
    };
    const sent = request(url, options, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part: string) => (text += part));
      answer.on("error", reject);
      answer.on("end", () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text, json: parseDocument(text) }),
      );
    });
    sent.on("error", reject);
    sent.end(content);
  });
}

function parseDocument(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function followEvents(url: string, cookie: string): Promise<FollowedEvents> {
  let text = "";
  let heard: (() => void) | undefined;
  const sent = request(url, { headers: { cookie }, agent: false });
  const ended = new Promise<void>((resolve, reject) => {
    sent.on("error", reject);
    sent.on("response", (answer) => {
      answer.setEncoding("utf8").on("data", (part: string) => {
        text += part;
        heard?.();
      });
      answer.on("error", reject);
      answer.on("end", resolve);
    });
  });
  // Who closes it does not wait for its end.
  ended.catch(() => undefined);
  sent.end();
  const next: FollowedEvents["next"] = (lines) =>
    Promise.race([
      new Promise<string>((resolve) => {
        heard = () => {
          const events = text.split("\n\n").slice(0, -1);
          const at = events.findIndex((event) => lines.test(event));
          if (at < 0) return;
          text = text.slice(events.slice(0, at + 1).join("\n\n").length + 2);
          resolve(events[at] ?? "");
        };
        heard();
      }),
      ended.then(() => {
        throw new Error(`the stream ended before ${String(lines)}`);
      }),
    ]);
  await next(/^event: hello/m);
  return { next, close: () => void sent.destroy(), ended };
}
