import { spawn, type ChildProcessByStdio } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { ClientRequest } from "./fixtures/store-client.ts";

/** A running client process. */
export interface StoreClient {
  /** The next value it prints; undefined when it has ended without one. */
  next(): Promise<unknown>;
  /** Lets a client that waits for its start go on. */
  start(): void;
  /** Kills it as `kill -9` does, and waits until it is gone. */
  kill(): Promise<void>;
}

let bundle: Promise<string> | undefined;

/** Starts a real process that uses one store. */
export async function startStoreClient(request: ClientRequest): Promise<StoreClient> {
  bundle ??= bundleStoreClient();
  const child = spawn(process.execPath, [await bundle, JSON.stringify(request)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
  });
  const next = readValues(child);
  return {
    next,
    start: () => void child.stdin.end("go\n"),
    kill: async () => {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

/** Runs one client to its end and returns what it printed. */
export async function runStoreClient(request: ClientRequest): Promise<unknown> {
  const client = await startStoreClient(request);
  return client.next();
}

/** Starts many clients, lets them act only when all are ready, and returns what each printed. */
export async function raceStoreClients(requests: readonly ClientRequest[]): Promise<readonly unknown[]> {
  const clients = await Promise.all(requests.map((request) => startStoreClient({ ...request, waitsForStart: true })));
  await Promise.all(clients.map((client) => client.next()));
  for (const client of clients) client.start();
  return Promise.all(clients.map((client) => client.next()));
}

function readValues(child: ChildProcessByStdio<Writable, Readable, null>): () => Promise<unknown> {
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async () => {
    const { done, value } = await lines.next();
    return done ? undefined : JSON.parse(value);
  };
}

// Inside the repository, so that the bundle finds better-sqlite3; named by content, so that it can be shared and never changes.
async function bundleStoreClient(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("fixtures/store-client.ts", import.meta.url))],
    bundle: true,
    platform: "node",
    format: "esm",
    write: false,
  });
  const [output] = outputFiles;
  if (!output) throw new Error("esbuild wrote nothing");
  const directory = fileURLToPath(new URL("../../../.build/fixtures/", import.meta.url));
  const digest = createHash("sha256").update(output.contents).digest("hex").slice(0, 16);
  const path = `${directory}store-client-${digest}.mjs`;
  if (existsSync(path)) return path;
  mkdirSync(directory, { recursive: true });
  const unfinished = `${path}.${process.pid}.tmp`;
  writeFileSync(unfinished, output.contents);
  renameSync(unfinished, path);
  return path;
}
