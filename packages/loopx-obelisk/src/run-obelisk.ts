import { spawn } from "node:child_process";

export interface ObeliskWorld {
  /** A path, or a name on PATH. */
  readonly program: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** The two public commands that this provider uses. Obelisk has others, which build an index or write memories. */
export type ObeliskCommand = readonly ["--version"] | readonly ["--query", file: string];

export type ObeliskRun =
  | { readonly kind: "ended"; readonly exitCode: number | null; readonly stdout: string }
  | { readonly kind: "not_found" | "not_started" | "output_too_large" };

/** Eight texts of 10,000 characters, as many as Obelisk keeps of each, escaped; and room. */
const MAX_OUTPUT_BYTES = 2 * 2 ** 20;
const ALLOWED = /^(?:PATH|HOME|LANG|LC_[A-Z]+|TMPDIR|CODEX_HOME|CLAUDE_CONFIG_DIR|XDG_[A-Z_]+)$/;

/**
 * Runs Obelisk once, without a shell and with the few variables it needs. What it says on stderr is dropped.
 *
 * Never throws. When the signal is aborted Obelisk is killed.
 */
export async function runObelisk(
  { program, environment }: ObeliskWorld,
  command: ObeliskCommand,
  signal: AbortSignal,
): Promise<ObeliskRun> {
  const env = Object.fromEntries(Object.entries(environment).filter(([name]) => ALLOWED.test(name)));
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let byteCount = 0;
    const child = spawn(program, command, { env, signal, killSignal: "SIGKILL", stdio: ["ignore", "pipe", "ignore"] });
    child.on("error", (error) => {
      const isMissing = "code" in error && error.code === "ENOENT";
      resolve({ kind: isMissing ? "not_found" : "not_started" });
    });
    child.stdout.on("data", (chunk: Buffer) => {
      byteCount += chunk.length;
      if (byteCount <= MAX_OUTPUT_BYTES) chunks.push(chunk);
      else child.kill("SIGKILL");
    });
    child.on("close", (exitCode) => {
      if (byteCount > MAX_OUTPUT_BYTES) resolve({ kind: "output_too_large" });
      else resolve({ kind: "ended", exitCode, stdout: Buffer.concat(chunks).toString("utf8") });
    });
  });
}
