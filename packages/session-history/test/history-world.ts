import type { RetrieveAnswer, RetrievedItem } from "loopx-provider-sdk";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { retrieveFromHistory } from "../src/retrieve-from-history.ts";

/** A home with transcripts in it, as hosts write them. */
export interface HistoryHome {
  readonly folder: string;
  /** Writes one rollout of Codex; gives its path. */
  readonly writeCodex: (sessionId: string, lines: readonly unknown[], options?: CodexPlace) => string;
  readonly writeClaude: (sessionId: string, lines: readonly unknown[], project?: string) => string;
  readonly recall: (scopeRef: string, query: string, changes?: RecallChanges) => Promise<RetrieveAnswer>;
  readonly remove: () => void;
}

interface CodexPlace {
  readonly day?: string;
  readonly archived?: boolean;
  /** The id in its first line, when it isn't the one of its name. */
  readonly metaId?: string;
}

interface RecallChanges {
  readonly environment?: NodeJS.ProcessEnv;
  readonly maxResults?: number;
  readonly signal?: AbortSignal;
}

export function createHistoryHome(): HistoryHome {
  const folder = mkdtempSync(join(tmpdir(), "loopx-history-"));
  return {
    folder,
    writeCodex(sessionId, lines, { day = "2026-11-29", archived = false, metaId = sessionId } = {}) {
      const place = archived ? "archived_sessions" : join("sessions", ...day.split("-"));
      const name = `rollout-${day}T10-00-00-${sessionId}.jsonl`;
      return write(join(folder, ".codex", place, name), [codexMeta(metaId), ...lines]);
    },
    writeClaude: (sessionId, lines, project = "-tmp-proj") =>
      write(join(folder, ".claude", "projects", project, `${sessionId}.jsonl`), lines),
    recall: (scopeRef, query, { environment = {}, maxResults = 8, signal = new AbortController().signal } = {}) =>
      retrieveFromHistory(
        {
          schema_version: "decision_context_advisory_retrieve_request_v0",
          operation: "retrieve",
          namespace: "test",
          scope_ref: scopeRef,
          query,
          query_summary: "a question",
          max_results: maxResults,
          timeout_seconds: 10,
          observed_at: "2026-12-01T00:00:00Z",
        },
        { environment: { HOME: folder, ...environment }, signal },
      ),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function write(path: string, lines: readonly unknown[]): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, toJsonLines(lines));
  return path;
}

/** Objects as JSON, texts as they are. */
export function toJsonLines(lines: readonly unknown[]): string {
  return lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
}

export function codexMeta(id: string): object {
  return {
    timestamp: "2026-11-29T10:00:00.000Z",
    type: "session_meta",
    payload: { id, timestamp: "2026-11-29T10:00:00.000Z", cwd: "/tmp/proj", cli_version: "0.130.0", source: "cli" },
  };
}

export function codexEvent(payload: object, timestamp = "2026-11-29T10:00:01.200Z"): object {
  return { timestamp, type: "event_msg", payload };
}

export const codexUser = (message: string, timestamp?: string): object =>
  codexEvent({ type: "user_message", message, images: [] }, timestamp);
export const codexAgent = (message: string, timestamp?: string): object =>
  codexEvent({ type: "agent_message", message }, timestamp);

export function codexResponse(role: string, ...texts: readonly string[]): object {
  const type = role === "assistant" ? "output_text" : "input_text";
  const content = texts.map((text) => ({ type, text }));
  return {
    timestamp: "2026-11-29T10:00:01.000Z",
    type: "response_item",
    payload: { type: "message", role, content },
  };
}

/** The contents of an answer; the reason alone when it is unavailable. */
export function contentsOf(answer: RetrieveAnswer): readonly string[] {
  return "reasonCode" in answer
    ? [`unavailable: ${answer.reasonCode}`]
    : answer.map(({ content }: RetrievedItem) => content);
}
