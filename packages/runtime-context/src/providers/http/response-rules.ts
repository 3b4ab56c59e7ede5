import { exceedLimit, refuseAnswer, toUnavailable, type ProviderFault } from "../provider-fault.ts";
import type { ReflectionCheck } from "./reflected-credential.ts";

/** Undici hands over names and values in turn. */
export type RawHeaders = readonly Buffer[];

export interface ResponseRules {
  readonly maxBytes: number;
  readonly isReflected: ReflectionCheck;
}

const MAX_HEADERS = 64;
const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset="?utf-8"?[ \t]*)?$/i;

/**
 * What is wrong with a response before its body is read, or undefined: then it is 200, or 404 for "no record".
 *
 * `Location` is never looked at: a redirect is refused whatever its target.
 */
export function findHeadFault(status: number, headers: RawHeaders, rules: ResponseRules): ProviderFault | undefined {
  if (headers.length / 2 > MAX_HEADERS) return refuseAnswer("HEADER_COUNT");
  const texts = headers.map((part) => part.toString("latin1"));
  return findReflectionFault(texts, rules) ?? findStatusFault(status) ?? findBodyFault(status, texts, rules);
}

/** Names and values one by one, and the values run together: a credential may be split over several lines. */
function findReflectionFault(texts: readonly string[], rules: ResponseRules): ProviderFault | undefined {
  const values = texts.filter((_text, index) => index % 2 === 1).join("");
  const joined = [texts.join("\n"), values, values.replace(/\s+/g, "")];
  return joined.some(rules.isReflected) ? refuseAnswer("REFLECTED") : undefined;
}

function findStatusFault(status: number): ProviderFault | undefined {
  if (status === 200 || status === 404) return undefined;
  if (status >= 300 && status < 400) return refuseAnswer("REDIRECT");
  if (status === 401 || status === 403) return toUnavailable("AUTH_REFUSED");
  if (status === 408 || status === 429) return toUnavailable("UPSTREAM_4XX");
  if (status >= 500 && status < 600) return toUnavailable("UPSTREAM_5XX");
  return refuseAnswer("HTTP_STATUS");
}

function findBodyFault(status: number, texts: readonly string[], rules: ResponseRules): ProviderFault | undefined {
  const codings = findValues(texts, "content-encoding").flatMap((value) => value.split(","));
  if (codings.some((coding) => coding.trim().toLowerCase() !== "identity")) return refuseAnswer("ENCODING");
  const lengths = findValues(texts, "content-length").map(Number);
  if (lengths.some((length) => length > rules.maxBytes)) return exceedLimit("RESPONSE_BYTES");
  const types = findValues(texts, "content-type");
  const isJson = types.length === 1 && JSON_TYPE.test(types[0] ?? "");
  return status === 200 && !isJson ? refuseAnswer("CONTENT_TYPE") : undefined;
}

/** The length that a response declares, 0 without one. */
export function findContentLength(headers: RawHeaders): number {
  const at = headers.findIndex((name, index) => index % 2 === 0 && isNamed(name.toString("latin1"), "content-length"));
  return at === -1 ? 0 : Number(headers[at + 1]?.toString("latin1") ?? 0);
}

function findValues(texts: readonly string[], name: string): readonly string[] {
  return texts.filter((_text, index) => index % 2 === 1 && isNamed(texts[index - 1] ?? "", name));
}

function isNamed(text: string, name: string): boolean {
  return text.length === name.length && text.toLowerCase() === name;
}
