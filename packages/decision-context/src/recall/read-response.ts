import {
  anObject,
  listOf,
  oneOf,
  orNull,
  readDocument,
  report,
  takes,
  type ReadDocument,
  type Rule,
} from "../documents/field-rule.ts";
import { cutPublicText, privateText, SUMMARY_MAX } from "../documents/public-text.ts";
import { RESPONSE_SCHEMA, type RecalledItem, type RetrieveResponse } from "./advisory-protocol.ts";

const REFERENCE_MAX = 512;
const CONTENT_MAX = 16_000;
const REASON_MAX = 120;

const aSummary: Rule<string> = (value, place) => {
  const text = typeof value === "string" ? cutPublicText(value, SUMMARY_MAX) : undefined;
  return text ?? report(place, value === undefined ? "is missing" : "must be text that may be public");
};

const aReason: Rule<string> = (value, place) => {
  const isToken = typeof value === "string" && value.length <= REASON_MAX && /^\S+$/.test(value);
  return isToken && cutPublicText(value, REASON_MAX) === value ? value : report(place, "must be a public token");
};

const anItem: Rule<RecalledItem> = anObject({
  resource_ref: privateText(REFERENCE_MAX),
  summary: aSummary,
  content: privateText(CONTENT_MAX),
  score: takes((value): value is number => Number.isFinite(value), "a finite number"),
});

const ANSWER = (maxResults: number) =>
  anObject({
    schema_version: oneOf(RESPONSE_SCHEMA),
    ok: oneOf(true),
    status: oneOf("completed", "unavailable"),
    reason_code: orNull(aReason),
    items: listOf(anItem, { max: maxResults }),
  });

/**
 * The answer in a provider's JSON object, or everything that breaks the contract: a missing or unknown field, a bound, a
 * score that is no number, items on an unavailable answer, a status and a reason that disagree.
 */
export function readRetrieveResponse(response: unknown, maxResults: number): ReadDocument<RetrieveResponse> {
  const rule: Rule<RetrieveResponse> = (value, place) => {
    const answer = ANSWER(maxResults)(value, place);
    if (answer === undefined || place.problems.length > 0) return undefined;
    const { status, reason_code, items } = answer;
    if (status === "completed") {
      if (reason_code === null) return { status, items };
      return report({ ...place, pointer: "/reason_code" }, "must be null when the status is completed");
    }
    if (items.length > 0) report({ ...place, pointer: "/items" }, "must be empty when the status is unavailable");
    if (reason_code !== null) return { status, reason_code };
    return report({ ...place, pointer: "/reason_code" }, "must say why when the status is unavailable");
  };
  return readDocument(rule, response);
}
