import { findUnpublic, neutraliseText, toOneLine } from "@loopx/contracts";

type Fields = Readonly<Record<string, unknown>>;

const RESPONSE_SCHEMA = "decision_context_advisory_retrieve_response_v0";
const ANSWER_KEYS = ["schema_version", "ok", "status", "reason_code", "items"];
const ITEM_KEYS = ["resource_ref", "summary", "content", "score"];
const MAX_RESULTS = 8;

/**
 * What an answer to a retrieve request has that the contract does not take (seed 000): each fault names its field and what
 * would be right. Lengths count code points. Nothing of the answer is repeated but names of fields.
 */
export function listAnswerFaults(answer: Fields, maxResults: number): readonly string[] {
  const faults = listKeyFaults("the answer", answer, ANSWER_KEYS);
  const { status, reason_code: reason, items } = answer;
  if (answer["schema_version"] !== RESPONSE_SCHEMA) faults.push(`schema_version must be ${RESPONSE_SCHEMA}`);
  if (answer["ok"] !== true) faults.push("ok must be true, with status unavailable too");
  if (status !== "completed" && status !== "unavailable") faults.push("status must be completed or unavailable");
  if (status === "completed" && reason !== null) faults.push("reason_code must be null where status is completed");
  if (status === "unavailable" && !isToken(reason)) {
    faults.push("reason_code must be one public word of at most 120 characters where status is unavailable");
  }
  if (!Array.isArray(items)) return [...faults, "items must be a list"];
  const most = Math.min(maxResults, MAX_RESULTS);
  if (items.length > most) faults.push(`items holds ${items.length} where max_results was ${most}`);
  if (status === "unavailable" && items.length > 0) faults.push("items must be empty where status is unavailable");
  return [...faults, ...items.flatMap((item: unknown, at) => listItemFaults(item, `items[${at}]`))];
}

function listItemFaults(item: unknown, name: string): readonly string[] {
  if (typeof item !== "object" || item === null || Array.isArray(item)) return [`${name} must be an object`];
  const fields = item as Fields;
  const faults = listKeyFaults(name, fields, ITEM_KEYS);
  const { resource_ref: reference, summary, content, score } = fields;
  if (!isText(reference, 512)) faults.push(`${name}.resource_ref must be a text of 1 to 512 characters`);
  const line = isText(summary, Number.POSITIVE_INFINITY) ? toOneLine(summary) : "";
  const unpublic = findUnpublic(line);
  if (line === "") faults.push(`${name}.summary must be a text that is not empty`);
  else if (unpublic !== undefined) {
    faults.push(`${name}.summary holds ${unpublic}: it is shown to others; keep it generic`);
  }
  if (!isText(content, 16_000)) faults.push(`${name}.content must be a text of 1 to 16,000 characters`);
  if (!Number.isFinite(score)) faults.push(`${name}.score must be a finite number`);
  return faults;
}

function listKeyFaults(name: string, fields: Fields, keys: readonly string[]): string[] {
  const missing = keys.filter((key) => !Object.hasOwn(fields, key)).map((key) => `${name} lacks ${key}`);
  const unknown = Object.keys(fields).filter((key) => !keys.includes(key));
  return unknown.length === 0
    ? missing
    : [...missing, `${name} has ${unknown.length} field(s) that the contract does not know`];
}

function isText(value: unknown, max: number): value is string {
  if (typeof value !== "string" || !value.isWellFormed() || value.includes("\0")) return false;
  const text = value.trim();
  return text !== "" && Array.from(text).length <= max;
}

function isToken(value: unknown): boolean {
  if (!isText(value, 120) || value.length > 120 || /\s/.test(value)) return false;
  return neutraliseText(value).text === value && findUnpublic(value) === undefined;
}
