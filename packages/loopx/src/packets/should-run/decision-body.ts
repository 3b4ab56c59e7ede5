import type { Instant } from "@loopx/contracts";
import type { NextStep } from "../render-facts.ts";

/** For whom the packet is. */
export interface Asking {
  readonly goalId: string;
  readonly agentId: string;
  readonly now: Instant;
  /** The context that was fetched for the work, where it was asked for. */
  readonly context?: ShownContext | undefined;
}

/** A context turn beside a decision. */
export interface ShownContext {
  readonly packet: object;
  readonly facts: DecisionBody["facts"];
  readonly next: readonly NextStep[];
  /** The text in its frame; empty where nothing is rendered. */
  readonly text: string;
}

/** What one decision adds to the packet, and its text. */
export interface DecisionBody {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly facts: readonly (readonly [string, string | null])[];
  readonly next: readonly NextStep[];
  /** Only an owner can run what comes next: a text says so. */
  readonly isForOwner?: true;
}

/** Graphemes of a question, an objective and an answer, and of a label beside them. */
export const QUESTION_SHOWN = 160;
export const LABEL_SHOWN = 80;
