import { join } from "node:path";
import type { SessionHost } from "../session-host.ts";
import { findClaudeMessage } from "./claude-message.ts";
import { readClaudeTranscript } from "./claude-transcript.ts";

/** `projects/<folder of the working directory>/<session>.jsonl`. The folder's name is ambiguous, the file's is not. */
export const CLAUDE_CODE: SessionHost = {
  family: "claude-code",
  title: "Claude Code",
  ownSessionVariables: ["CLAUDE_CODE_SESSION_ID", "CLAUDE_SESSION_ID"],
  listRoots: (environment, homeFolder) => [
    join(environment["CLAUDE_CONFIG_DIR"] || join(homeFolder, ".claude"), "projects"),
  ],
  rootDepth: 1,
  parseFileName: (name) =>
    name.endsWith(".jsonl") ? { sessionId: name.slice(0, -".jsonl".length), isCompressed: false } : undefined,
  // Every record with an id is a link of the chain.
  mayMatter: (line) => line.includes(UUID),
  findMessage: findClaudeMessage,
  startReading: readClaudeTranscript,
};

const UUID = Buffer.from('"uuid"');
