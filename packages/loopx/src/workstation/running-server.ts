import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isLoopxError, parseStrictJson, type Ambient } from "@loopx/contracts";
import { makeDirectories, writeFileAtomically } from "@loopx/store";
import { resolveHomeDirectory } from "../project/home-location.ts";

/** Where the server that was started last says that it runs. It holds no secret: who reads it is not let in. */
const RUNNING_FILE = "workstation.json";

/** A server of this machine. */
export interface RunningServer {
  readonly url: string;
  readonly pid: number;
  readonly server_id: string;
}

/** Notes a server that began to listen, for `loopx open`. Gives what takes the note back. Throws where it can't be written. */
export async function noteRunningServer(server: RunningServer, ambient: Ambient): Promise<() => void> {
  const directory = resolveHomeDirectory(ambient);
  const path = join(directory, RUNNING_FILE);
  makeDirectories(directory, 0o700);
  await writeFileAtomically(path, `${JSON.stringify(server)}\n`, { mode: 0o600, label: RUNNING_FILE });
  return () => {
    // Another one may have been started since.
    if (readNote(path)?.server_id === server.server_id) rmSync(path, { force: true });
  };
}

const PROBE_MS = 2_000;

/** The server that is noted, if it is still there: what a process left behind that was killed counts for nothing. */
export async function findRunningServer(ambient: Ambient): Promise<RunningServer | undefined> {
  const note = readNote(join(resolveHomeDirectory(ambient), RUNNING_FILE));
  return note !== undefined && (await isThere(note)) ? note : undefined;
}

/** The port may be another program's by now. */
async function isThere({ url, server_id: serverId }: RunningServer): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/api/server`, { signal: AbortSignal.timeout(PROBE_MS), redirect: "error" });
    const said = (await answer.json()) as { readonly server_id?: unknown } | null;
    return said?.server_id === serverId;
  } catch {
    return false;
  }
}

const MOST_BYTES = 4_096;

function readNote(path: string): RunningServer | undefined {
  try {
    const text = readFileSync(path, "utf8").slice(0, MOST_BYTES);
    return findServer(parseStrictJson(text, { maxDepth: 2, field: RUNNING_FILE }));
  } catch (error) {
    if (isLoopxError(error) || (error instanceof Error && "code" in error)) return undefined;
    throw error;
  }
}

function findServer(value: unknown): RunningServer | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { url, pid, server_id: serverId } = value as Partial<Record<keyof RunningServer, unknown>>;
  const isServer =
    typeof url === "string" && URL.canParse(url) && typeof pid === "number" && typeof serverId === "string";
  return isServer && new URL(url).protocol === "http:"
    ? { url: new URL(url).origin, pid, server_id: serverId }
    : undefined;
}
