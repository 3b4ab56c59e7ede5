import type { AnswerFinding, ProviderStatus } from "./provider-outcome.ts";

/** Why a lookup has no items, as a value that is passed up until an outcome is made of it. */
export interface ProviderFault {
  readonly status: Exclude<ProviderStatus, "OK">;
  readonly reason: string | null;
  readonly finding?: AnswerFinding;
}

export function isFault(result: object): result is ProviderFault {
  return "status" in result && "reason" in result;
}

/** INVALID_RESPONSE, with the place in the answer where there is one. */
export function refuseAnswer(reason: string, pointer?: string): ProviderFault {
  return { status: "INVALID_RESPONSE", reason, ...toFinding(pointer) };
}

/** LIMIT_EXCEEDED, with the place in the answer where there is one. */
export function exceedLimit(reason: string, pointer?: string): ProviderFault {
  return { status: "LIMIT_EXCEEDED", reason, ...toFinding(pointer) };
}

export function toUnavailable(reason: string): ProviderFault {
  return { status: "UNAVAILABLE", reason };
}

function toFinding(pointer: string | undefined): { readonly finding?: AnswerFinding } {
  return pointer === undefined ? {} : { finding: { pointer, rule: null } };
}
