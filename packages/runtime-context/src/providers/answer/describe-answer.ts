import { refuseAnswer, type ProviderFault } from "../provider-fault.ts";
import { findField, findText, findTextFault, findUnknownKey, isJsonObject, type JsonObject } from "./answer-fields.ts";
import { findContractFault } from "./lookup-answer.ts";

export interface DescribeAnswer {
  readonly version: string | null;
}

const DESCRIBE_KEYS = ["contract", "version", "capabilities"];

/** The answer to the readiness probe, checked. INCOMPATIBLE where the provider says that it can't look anything up. */
export function parseDescribeAnswer(value: unknown): DescribeAnswer | ProviderFault {
  if (!isJsonObject(value)) return refuseAnswer("FIELD_TYPE", "");
  const fault =
    findContractFault(value) ??
    findUnknownKey(value, DESCRIBE_KEYS, "") ??
    findTextFault(value, { name: "version", maxLength: 256 }, "") ??
    findCapabilitiesFault(value);
  return fault ?? { version: findText(value, "version") };
}

function findCapabilitiesFault(answer: JsonObject): ProviderFault | undefined {
  const capabilities = findField(answer, "capabilities");
  const pointer = "/capabilities";
  if (capabilities === undefined) return refuseAnswer("MISSING_FIELD", pointer);
  if (!Array.isArray(capabilities)) return refuseAnswer("FIELD_TYPE", pointer);
  if (capabilities.includes("lookup")) return undefined;
  return { status: "INCOMPATIBLE", reason: "NO_LOOKUP", finding: { pointer, rule: null } };
}
