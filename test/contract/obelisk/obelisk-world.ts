import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const THREAD = "019e8951-3e7d-7343-a3e3-05bff48a317d";
const PROGRAM = fileURLToPath(new URL("../../../packages/loopx-obelisk/dist/provider.cjs", import.meta.url));

/** One row as Obelisk's `search` gives it. */
export interface Row {
  readonly message: Readonly<Record<string, unknown>> & { readonly uuid: string };
  readonly session: Readonly<Record<string, unknown>>;
  readonly rank: number | string | null;
}

export interface Call {
  readonly argv: readonly string[];
  readonly variables: readonly string[];
  readonly script?: string;
  readonly modes?: readonly number[];
}

export interface ObeliskHome {
  readonly folder: string;
  readonly setRows: (rows: readonly Row[], mode?: string) => void;
  readonly retrieve: (changes?: Readonly<Record<string, unknown>>, options?: RunOptions) => RunResult;
  readonly start: (changes?: Readonly<Record<string, unknown>>) => ReturnType<typeof spawn>;
  readonly doctor: (options?: RunOptions) => number | null;
  /** What Obelisk was called with. */
  readonly calls: () => readonly Call[];
  /** What lies in the folder for temporary files. */
  readonly listTemporary: () => readonly string[];
  readonly remove: () => void;
}

interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}

interface RunResult {
  readonly exitCode: number | null;
  readonly response: Readonly<Record<string, unknown>>;
  readonly items: readonly Readonly<Record<string, unknown>>[];
}

/** A home with the fake Obelisk on its PATH; the provider is the built program. */
export function createObeliskHome(): ObeliskHome {
  const folder = mkdtempSync(join(tmpdir(), "loopx-obelisk-test-"));
  const temporary = join(folder, "tmp");
  const bin = join(folder, "bin");
  mkdirSync(temporary);
  mkdirSync(bin);
  symlinkSync(join(import.meta.dirname, "fixtures", "fake-obelisk.mjs"), join(bin, "obelisk"));
  const env = { PATH: [bin, dirname(process.execPath)].join(delimiter), HOME: folder, TMPDIR: temporary };
  const setRows = (rows: readonly Row[], mode = "faithful"): void =>
    writeFileSync(join(folder, "fake-obelisk.json"), JSON.stringify({ rows, mode }));
  setRows([]);

  return {
    folder,
    setRows,
    retrieve(changes = {}, { environment = {}, args = [] } = {}) {
      const options = { input: toInput(changes), env: { ...env, ...environment }, encoding: "utf8" } as const;
      const { status, stdout } = spawnSync(process.execPath, [PROGRAM, ...args], options);
      const response = JSON.parse(stdout) as RunResult["response"];
      return { exitCode: status, response, items: response["items"] as RunResult["items"] };
    },
    start(changes = {}) {
      const child = spawn(process.execPath, [PROGRAM], { env, stdio: ["pipe", "ignore", "ignore"] });
      child.stdin?.end(toInput(changes));
      return child;
    },
    doctor: ({ environment = {}, args = [] } = {}) =>
      spawnSync(process.execPath, [PROGRAM, "--doctor", ...args], { env: { ...env, ...environment } }).status,
    calls: () => readCalls(join(folder, "calls.jsonl")),
    listTemporary: () => readdirSync(temporary),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const REQUEST = {
  schema_version: "decision_context_advisory_retrieve_request_v0",
  operation: "retrieve",
  namespace: "peer-session",
  scope_ref: `host-session:codex:${THREAD}`,
  query: "should we pilot the extension?",
  query_summary: "peer task decision",
  max_results: 4,
  timeout_seconds: 10,
  observed_at: "2026-12-01T00:00:00Z",
};

function toInput(changes: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ ...REQUEST, ...changes });
}

let rowCount = 0;

/** A visible message of the session that is asked for, with some fields changed. */
export function someRow(
  text: string | null,
  changes: {
    readonly message?: { readonly uuid?: string; readonly [name: string]: unknown };
    readonly session?: object;
    readonly rank?: Row["rank"];
  } = {},
): Row {
  rowCount += 1;
  const uuid = `codex:${THREAD}:${String(rowCount).padStart(6, "0")}`;
  return {
    message: { uuid, text, content_type: "text", is_meta: 0, role: "user", source: "codex", ...changes.message },
    session: { id: `codex:${THREAD}`, title: "Pilot decision", source: "codex", ...changes.session },
    rank: changes.rank === undefined ? -9.137380191693291e-7 : changes.rank,
  };
}

function readCalls(path: string): readonly Call[] {
  try {
    return readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Call);
  } catch {
    return [];
  }
}
