import type { GateDecisionRequest, GoalBudgetRequest, GoalStatusRequest } from "@loopx/workstation/contract";
import { LoopxError } from "@loopx/contracts";

type Body = Readonly<Record<string, unknown>>;

/** Refuses a member that is not what it should be with `invalid_value`. What a command checks itself is left to it. */
export function parseGateDecision(body: Body): GateDecisionRequest {
  const { decision, preview } = body;
  if (decision !== "approve" && decision !== "reject" && decision !== "defer") {
    throw toInvalid("decision", "approve, reject or defer");
  }
  if (typeof preview !== "boolean") throw toInvalid("preview", "true or false");
  return { decision, preview, seq: parseSeq(body), ...parseText(body, "reason"), ...parseText(body, "until") };
}

/** Refuses with `invalid_value`. */
export function parseGoalStatus(body: Body): GoalStatusRequest {
  const { action } = body;
  if (action !== "pause" && action !== "resume") throw toInvalid("action", "pause or resume");
  return { action, seq: parseSeq(body), ...parseText(body, "reason") };
}

/** Refuses with `invalid_value`. */
export function parseGoalBudget(body: Body): GoalBudgetRequest {
  return {
    seq: parseSeq(body),
    ...parseLimit(body, "total_turns"),
    ...parseLimit(body, "window_turns"),
    ...parseText(body, "window"),
  };
}

function parseSeq({ seq }: Body): number {
  if (typeof seq === "number" && Number.isSafeInteger(seq) && seq >= 0) return seq;
  throw toInvalid("seq", "the seq of the answer that was looked at");
}

function parseText<Name extends string>(body: Body, name: Name): { readonly [Key in Name]?: string } {
  const value = body[name];
  if (value === undefined || value === "") return {};
  if (typeof value !== "string") throw toInvalid(name, "a text");
  return { [name]: value } as { readonly [Key in Name]?: string };
}

function parseLimit<Name extends string>(body: Body, name: Name): { readonly [Key in Name]?: number | null } {
  const value = body[name];
  if (value === undefined) return {};
  if (value !== null && !(typeof value === "number" && Number.isSafeInteger(value))) {
    throw toInvalid(name, "a whole number, or null to lift the limit");
  }
  return { [name]: value } as { readonly [Key in Name]?: number | null };
}

function toInvalid(field: string, takes: string): LoopxError {
  return new LoopxError("invalid_value", { message: `${field} takes ${takes}`, details: { field } });
}
