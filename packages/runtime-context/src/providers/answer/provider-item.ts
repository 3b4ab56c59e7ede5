import { exceedLimit, refuseAnswer, type ProviderFault } from "../provider-fault.ts";
import type { ProviderItem } from "../provider-outcome.ts";
import { findField, findText, findTextFault, findUnknownKey, isJsonObject, type JsonObject } from "./answer-fields.ts";
import { parseUpdatedAt } from "./updated-at.ts";

const ITEM_KEYS = ["id", "title", "content", "metadata", "updatedAt"];
const MAX_METADATA_KEYS = 32;
const MAX_METADATA_VALUE_BYTES = 1024;

/** One item of an answer, checked: closed schema, flat metadata, content within its bytes. */
export function parseProviderItem(value: unknown, pointer: string, itemBytes: number): ProviderItem | ProviderFault {
  if (!isJsonObject(value)) return refuseAnswer("FIELD_TYPE", pointer);
  const fault =
    findUnknownKey(value, ITEM_KEYS, pointer) ??
    findTextFault(value, { name: "id", maxLength: 512, isRequired: true }, pointer) ??
    findTextFault(value, { name: "title", maxLength: 1024 }, pointer) ??
    findContentFault(value, pointer, itemBytes) ??
    findMetadataFault(findField(value, "metadata"), `${pointer}/metadata`) ??
    findUpdatedAtFault(value, pointer);
  return fault ?? toItem(value);
}

function findContentFault(item: JsonObject, pointer: string, itemBytes: number): ProviderFault | undefined {
  const content = findField(item, "content");
  const at = `${pointer}/content`;
  if (content === undefined) return refuseAnswer("MISSING_FIELD", at);
  if (typeof content !== "string") return refuseAnswer("FIELD_TYPE", at);
  return Buffer.byteLength(content) > itemBytes ? exceedLimit("ITEM_BYTES", at) : undefined;
}

/** The pointer stops at `metadata`: its keys are the provider's words. */
function findMetadataFault(metadata: unknown, pointer: string): ProviderFault | undefined {
  if (metadata === undefined) return undefined;
  if (!isJsonObject(metadata)) return refuseAnswer("FIELD_TYPE", pointer);
  const entries = Object.entries(metadata);
  if (entries.length > MAX_METADATA_KEYS) return refuseAnswer("METADATA_KEYS", pointer);
  const isFlat = entries.every(([key, value]) => key.length <= 128 && isMetadataValue(value));
  return isFlat ? undefined : refuseAnswer("METADATA_VALUE", pointer);
}

function isMetadataValue(value: unknown): boolean {
  if (typeof value === "string") return Buffer.byteLength(value) <= MAX_METADATA_VALUE_BYTES;
  return value === null || typeof value === "number" || typeof value === "boolean";
}

function findUpdatedAtFault(item: JsonObject, pointer: string): ProviderFault | undefined {
  const value = findField(item, "updatedAt");
  const isValid = value === undefined || (typeof value === "string" && parseUpdatedAt(value) !== undefined);
  return isValid ? undefined : refuseAnswer("UPDATED_AT", `${pointer}/updatedAt`);
}

function toItem(value: JsonObject): ProviderItem {
  return {
    id: findText(value, "id") ?? "",
    title: findText(value, "title"),
    content: findText(value, "content") ?? "",
    metadata: toMetadata(findField(value, "metadata")),
    updatedAt: findText(value, "updatedAt"),
  };
}

function toMetadata(value: unknown): ProviderItem["metadata"] {
  const metadata = (isJsonObject(value) ? value : {}) as ProviderItem["metadata"];
  // Minus zero has no canonical JSON of its own.
  return Object.fromEntries(Object.entries(metadata).map(([key, member]) => [key, Object.is(member, -0) ? 0 : member]));
}
