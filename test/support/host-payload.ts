import { readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "..", "contract", "formats", "hosts");

/** The frozen payloads, by host; the file names say which event. */
export const HOST_PAYLOADS = [
  { host: "claude-code", file: "claude-code.user-prompt-submit.json", surface: "claude-code" },
  { host: "claude-code", file: "claude-code.user-prompt-expansion.json", surface: "claude-code" },
  { host: "codex", file: "codex.user-prompt-submit.json", surface: "codex-cli-tui" },
  { host: "cursor", file: "cursor.before-submit-prompt.json", surface: "cursor-agent" },
  { host: "gemini", file: "gemini.before-agent.json", surface: "gemini-cli" },
] as const;

/** A frozen payload as a host in this folder would send it, with another prompt where one is given. */
export function readHostPayload(file: string, folder: string, prompt?: string): string {
  const frozen: unknown = JSON.parse(readFileSync(join(FOLDER, file), "utf8"));
  if (typeof frozen !== "object" || frozen === null) throw new Error(`${file} is no payload`);
  const place = "workspace_roots" in frozen ? { workspace_roots: [folder] } : { cwd: folder };
  return JSON.stringify({ ...frozen, ...place, ...(prompt !== undefined && { prompt }) });
}
