import type { Instant } from "@loopx/contracts";

/** Actions that never run without an approved gate of their own kind (seed 003, Permission Boundary). */
export const RESTRICTED_ACTION_KINDS = [
  "destructive_git",
  "credentials",
  "private_material",
  "production",
  "external_publication",
] as const;

export type GateKind = (typeof RESTRICTED_ACTION_KINDS)[number] | "decision" | "objective_edit";

export const GATE_KINDS: readonly GateKind[] = [...RESTRICTED_ACTION_KINDS, "decision", "objective_edit"];

/** The gate part of a `user_gate` todo; its question is the todo's text. */
export interface Gate {
  readonly kind: GateKind;
  /** `goal`, `agent:ID` or a todo id, each. */
  readonly blocks: readonly string[];
  readonly decision: "approved" | "rejected" | "deferred" | null;
  readonly decided_by: string | null;
  readonly decided_at: Instant | null;
  /** Of a deferred gate: when to ask again; null means an owner comes back by themselves. */
  readonly ask_again_at: Instant | null;
  /** Of an `objective_edit`: the text that approval puts in force. */
  readonly proposed_objective: string | null;
  /** The goal's revision that the text was proposed for. */
  readonly base_revision: number | null;
}

/** The restricted kind that a word was meant to be, when it is not exactly one: `destructive-git`, `credential`. */
export function findMeantActionKind(actionKind: string): string | undefined {
  const meant = toBareWord(actionKind);
  return RESTRICTED_ACTION_KINDS.find((kind) => kind !== actionKind && toBareWord(kind) === meant);
}

function toBareWord(word: string): string {
  return word
    .toLowerCase()
    .replaceAll(/[^a-z]/g, "")
    .replace(/s$/, "");
}

export function isRestrictedActionKind(actionKind: string | null): boolean {
  return actionKind !== null && (RESTRICTED_ACTION_KINDS as readonly string[]).includes(actionKind);
}
