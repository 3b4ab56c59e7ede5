import { join } from "node:path";
import type { NamedTranscript, SessionHost } from "../session-host.ts";
import { findCodexMessage } from "./codex-message.ts";
import { readCodexRollout } from "./codex-rollout.ts";

/** `sessions/YYYY/MM/DD/` and the flat `archived_sessions/`. */
export const CODEX: SessionHost = {
  family: "codex",
  title: "Codex",
  ownSessionVariables: ["CODEX_THREAD_ID"],
  listRoots: (environment, homeFolder) => {
    const place = environment["CODEX_HOME"] || join(homeFolder, ".codex");
    return [join(place, "sessions"), join(place, "archived_sessions")];
  },
  rootDepth: 3,
  parseFileName,
  mayMatter: (line) => MARKS.some((mark) => line.includes(mark)),
  findMessage: findCodexMessage,
  startReading: readCodexRollout,
};

/** As JSON writes them: inside a text the quotes would be escaped. */
const MARKS = ["message", "session_meta", "user_message", "agent_message", "item_completed", "thread_rolled_back"].map(
  (word) => Buffer.from(`"${word}"`),
);

const FILE_NAME = /^rollout-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-(.+)\.jsonl(\.zst)?$/;

/** All that follows the time is the thread's id: a comparison of endings would take `x-1` for `1`. */
function parseFileName(name: string): NamedTranscript | undefined {
  const [, sessionId, compressed] = FILE_NAME.exec(name) ?? [];
  return sessionId === undefined ? undefined : { sessionId, isCompressed: compressed !== undefined };
}
