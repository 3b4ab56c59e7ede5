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
  return findReflectionFault(headers, rules) ?? findStatusFault(status) ?? findBodyFault(status, headers, rules);
}

/** Names and values one by one, and the values run together: a credential may be split over several lines. */
function findReflectionFault(headers: RawHeaders, { isReflected }: ResponseRules): ProviderFault | undefined {
  let lines = "";
  let values = "";
  for (const [index, part] of headers.entries()) {
    const text = part.toString("latin1");
    lines += `${text}\n`;
    if (index % 2 === 1) values += text;
  }
  const isFound = isReflected(lines) || isReflected(values) || isReflected(values.replace(/\s+/g, ""));
  return isFound ? refuseAnswer("REFLECTED") : undefined;
}

function findStatusFault(status: number): ProviderFault | undefined {
  if (status === 200 || status === 404) return undefined;
  if (status >= 300 && status < 400) return refuseAnswer("REDIRECT");
  if (status === 401 || status === 403) return toUnavailable("AUTH_REFUSED");
  if (status === 408 || status === 429) return toUnavailable("UPSTREAM_4XX");
  if (status >= 500 && status < 600) return toUnavailable("UPSTREAM_5XX");
  return refuseAnswer("HTTP_STATUS");
}

function findBodyFault(status: number, headers: RawHeaders, rules: ResponseRules): ProviderFault | undefined {
  const codings = findValues(headers, "content-encoding").flatMap((value) => value.split(","));
  if (codings.some((coding) => coding.trim().toLowerCase() !== "identity")) return refuseAnswer("ENCODING");
  const lengths = findValues(headers, "content-length").map(Number);
  if (lengths.some((length) => length > rules.maxBytes)) return exceedLimit("RESPONSE_BYTES");
  const types = findValues(headers, "content-type");
  const isJson = types.length === 1 && JSON_TYPE.test(types[0] ?? "");
  return status === 200 && !isJson ? refuseAnswer("CONTENT_TYPE") : undefined;
}

/** The length that a response declares, 0 without one. */
export function findContentLength(headers: RawHeaders): number {
  return Number(findValues(headers, "content-length")[0] ?? 0);
}

/** Only of names of the same length is a text made. */
function findValues(headers: RawHeaders, name: string): readonly string[] {
  const values: string[] = [];
  for (let index = 0; index < headers.length; index += 2) {
    const isNamed = headers[index]?.length === name.length && headers[index]?.toString("latin1").toLowerCase() === name;
    if (isNamed) values.push(headers[index + 1]?.toString("latin1") ?? "");
  }
  return values;
}
