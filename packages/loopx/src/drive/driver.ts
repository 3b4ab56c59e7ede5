import type { AgentId, Ambient, GoalId } from "@loopx/contracts";
import type { Globals } from "../command-table/global-flags.ts";

/** What one `loopx drive` drives, and with what. */
export interface Driver {
  readonly goalId: GoalId;
  readonly agentId: AgentId;
  /** Labels the turns it holds: another driver of the lane waits for them. */
  readonly driverId: string;
  /** `--turn`: the open turn of a driver that is gone, to be gone on with. */
  readonly resumes: string | undefined;
  readonly globals: Globals;
  readonly ambient: Ambient;
  /** `--context-profile`: the context fetched for each turn. */
  readonly contextProfile: string | undefined;
  readonly command: AgentCommand;
  readonly limits: DriveLimits;
}

/** The program that works through a turn. Words, never a shell's. */
export interface AgentCommand {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What it reads on stdin: the guard's packet, or a prompt around it. */
  readonly input: "packet" | "prompt";
  /** Where its stdout goes: ours, or stderr where ours holds one JSON document. */
  readonly stdoutTo: "stdout" | "stderr";
}

export interface DriveLimits {
  readonly maxTurns: number;
  /** Turns in a row that failed, after which it gives up. */
  readonly maxFailures: number;
  readonly turnTimeoutMs: number;
  /** Whether it ends where it is told to wait. */
  readonly stopsOnWait: boolean;
}

/** A turn's lease while its driver lives: renewed every third of it, so that a dead driver's turn is soon free. */
export const DRIVE_LEASE_MS = 60_000;
