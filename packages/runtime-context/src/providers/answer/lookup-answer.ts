import type { Instant } from "@loopx/contracts";
import type { Currentness } from "../../project/context-project.ts";
import { exceedLimit, isFault, refuseAnswer, type ProviderFault } from "../provider-fault.ts";
import type { ProviderItem } from "../provider-outcome.ts";
import { findField, findText, findTextFault, findUnknownKey, isJsonObject, type JsonObject } from "./answer-fields.ts";
import { parseProviderItem } from "./provider-item.ts";
import { judgeCurrentness } from "./updated-at.ts";

export const PROVIDER_CONTRACT = "context-provider.v1";

export interface LookupAnswer {
  readonly items: readonly ProviderItem[];
  readonly currentness: Currentness;
  readonly revision: string | null;
  readonly version: string | null;
}

/** What an answer may be at most. */
export interface AnswerBounds {
  readonly limit: number;
  /** UTF-8 bytes of one item's content. */
  readonly itemBytes: number;
  readonly maxAgeSeconds: number | null;
  readonly now: Instant;
}

const ANSWER_KEYS = ["contract", "version", "revision", "currentness", "items"];
const CURRENTNESS: readonly unknown[] = ["CURRENT", "STALE", "UNKNOWN"] satisfies Currentness[];

/**
 * The answer to a lookup, checked against the contract (seed 004) and its bounds.
 *
 * INCOMPATIBLE for another contract, LIMIT_EXCEEDED for more or larger items than asked for (they are never cut:
 * that would change facts), INVALID_RESPONSE with a pointer for everything else.
 */
export function parseLookupAnswer(value: unknown, bounds: AnswerBounds): LookupAnswer | ProviderFault {
  if (!isJsonObject(value)) return refuseAnswer("FIELD_TYPE", "");
  // First: another version of the contract may well have other fields.
  const fault = findContractFault(value) ?? findUnknownKey(value, ANSWER_KEYS, "") ?? findHeadFault(value);
  if (fault !== undefined) return fault;
  const items = parseItems(value["items"], bounds);
  if (isFault(items)) return items;
  const stated = (findText(value, "currentness") ?? "UNKNOWN") as Currentness;
  return {
    items,
    currentness: judgeCurrentness(stated, items, bounds),
    revision: findText(value, "revision"),
    version: findText(value, "version"),
  };
}

/** Shared with `describe`. */
export function findContractFault(answer: JsonObject): ProviderFault | undefined {
  const contract = findField(answer, "contract");
  if (contract === PROVIDER_CONTRACT) return undefined;
  if (contract === undefined) return refuseAnswer("MISSING_FIELD", "/contract");
  if (typeof contract !== "string") return refuseAnswer("FIELD_TYPE", "/contract");
  return { status: "INCOMPATIBLE", reason: "CONTRACT", finding: { pointer: "/contract", rule: null } };
}

function findHeadFault(answer: JsonObject): ProviderFault | undefined {
  const stated = findField(answer, "currentness");
  return (
    findTextFault(answer, { name: "version", maxLength: 256 }, "") ??
    findTextFault(answer, { name: "revision", maxLength: 256 }, "") ??
    (stated === undefined || CURRENTNESS.includes(stated) ? undefined : refuseAnswer("CURRENTNESS", "/currentness"))
  );
}

/** Items of any source, each checked, in the order given; no id twice. */
export function parseItems(value: unknown, bounds: AnswerBounds): readonly ProviderItem[] | ProviderFault {
  if (value === undefined) return refuseAnswer("MISSING_FIELD", "/items");
  if (!Array.isArray(value)) return refuseAnswer("FIELD_TYPE", "/items");
  if (value.length > bounds.limit) return exceedLimit("ITEMS", "/items");
  const items: ProviderItem[] = [];
  const ids = new Set<string>();
  for (const [index, member] of value.entries()) {
    const item = parseProviderItem(member, `/items/${index}`, bounds.itemBytes);
    if (isFault(item)) return item;
    if (ids.has(item.id)) return refuseAnswer("DUPLICATE_ID", `/items/${index}/id`);
    ids.add(item.id);
    items.push(item);
  }
  return items;
}
