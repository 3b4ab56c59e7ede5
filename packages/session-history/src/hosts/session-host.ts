import type { MeasuredMessage, MeasureMessage } from "../ranking/measure-message.ts";
import { CLAUDE_CODE } from "./claude-code/claude-code-host.ts";
import { CODEX } from "./codex/codex-host.ts";
import type { VisibleMessage } from "./visible-message.ts";

/** Where a host keeps its sessions, and how they are read. */
export interface SessionHost {
  /** The word in a scope. */
  readonly family: string;
  /** The name in a summary. */
  readonly title: string;
  /** Variables that name the session of the agent that asks. */
  readonly ownSessionVariables: readonly string[];
  /** Folders below which transcripts lie, and how deep. `homeFolder` is the user's. */
  readonly listRoots: (environment: NodeJS.ProcessEnv, homeFolder: string) => readonly string[];
  readonly rootDepth: number;
  /** The session that a file's name says it holds. */
  readonly parseFileName: (name: string) => NamedTranscript | undefined;
  /** Whether a line could say anything that counts. Cheap, since most bytes of a history are lines that don't. */
  readonly mayMatter: (line: Buffer) => boolean;
  /** The message of one record, when it holds one that was visible. */
  readonly findMessage: (record: HostRecord) => VisibleMessage | undefined;
  readonly startReading: (sessionId: string, measure: MeasureMessage) => TranscriptReader;
}

export interface NamedTranscript {
  readonly sessionId: string;
  readonly isCompressed: boolean;
}

/** A line of a transcript: a JSON object of which nothing else is known. */
export type HostRecord = Readonly<Record<string, unknown>>;

/** Takes the records of one file in order, and knows at the end which messages were still visible. */
export interface TranscriptReader {
  readonly take: (record: HostRecord, offset: number) => void;
  /** The visible messages in their order, or undefined when the file holds another session. */
  readonly finish: () => readonly MeasuredMessage[] | undefined;
  /** How many records are kept in memory. */
  readonly count: () => number;
}

export const SESSION_HOSTS: readonly SessionHost[] = [CODEX, CLAUDE_CODE];
