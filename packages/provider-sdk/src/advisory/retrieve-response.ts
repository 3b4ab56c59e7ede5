import { countCodePoints } from "../text/count-code-points.ts";

/** One passage that a provider found. */
export interface RetrievedItem {
  /** The provider's own name for the place, at most 512 code points. LoopX hashes it and shows it to nobody. */
  readonly resource_ref: string;
  /** Public: says what kind of thing was found, and quotes nothing of it. At most 220 code points. */
  readonly summary: string;
  /** The passage itself, at most 16,000 code points. */
  readonly content: string;
  /** Any finite number; which direction is better is the provider's business, the order of the items is what counts. */
  readonly score: number;
}

/** Why there is nothing to say; made by `unavailable`. */
export interface Unavailable {
  readonly reasonCode: string;
}

/** What `retrieve` gives back: items, best first (an empty list says that nothing matched), or why it could not look. */
export type RetrieveAnswer = readonly RetrievedItem[] | Unavailable;

/** The response as on the wire. */
export interface RetrieveResponse {
  readonly schema_version: "decision_context_advisory_retrieve_response_v0";
  readonly ok: true;
  readonly status: "completed" | "unavailable";
  readonly reason_code: string | null;
  readonly items: readonly RetrievedItem[];
}

/** The longest `content` that LoopX accepts. */
export const MAX_CONTENT_CODE_POINTS = 16_000;

const REASON_CODE = /^[a-z][a-z0-9_]{0,63}$/;
const ITEM_FIELDS = ["content", "resource_ref", "score", "summary"];

/**
 * Says that the provider could not look, and why.
 *
 * The reason is public: a lower-case token such as `session_not_found`, with nothing private in it. Throws a `TypeError` for
 * anything else.
 */
export function unavailable(reasonCode: string): Unavailable {
  if (!REASON_CODE.test(reasonCode)) throw new TypeError("a reason code is made of a-z, 0-9 and _, at most 64");
  return { reasonCode };
}

/**
 * The response for what a provider's `retrieve` gave, or the rule of the contract it breaks.
 *
 * Items past `maxResults` are left out. Eight items at their bounds, each character a six-byte escape, stay below the
 * 1,000,000 bytes that LoopX reads.
 */
export function toResponse(answer: RetrieveAnswer, maxResults: number): RetrieveResponse | { readonly fault: string } {
  if (!Array.isArray(answer)) {
    const reasonCode = (answer as Partial<Unavailable> | undefined)?.reasonCode;
    if (typeof reasonCode !== "string" || !REASON_CODE.test(reasonCode))
      return { fault: "retrieve gave neither a list of items nor unavailable(…)" };
    return respond("unavailable", reasonCode, []);
  }
  const items = (answer as readonly RetrievedItem[]).slice(0, maxResults);
  for (const [at, item] of items.entries()) {
    const fault = findItemFault(item);
    if (fault !== undefined) return { fault: `items[${at}] ${fault}` };
  }
  return respond("completed", null, items.map(toWellFormedItem));
}

/** The response of a provider that cannot answer. */
export function toUnavailableResponse(reasonCode: string): RetrieveResponse {
  return respond("unavailable", reasonCode, []);
}

function findItemFault(item: RetrievedItem): string | undefined {
  if (typeof item !== "object" || item === null) return "is no object";
  if (Object.keys(item).toSorted().join() !== ITEM_FIELDS.join()) return `has other fields than ${ITEM_FIELDS.join()}`;
  if (!isText(item.resource_ref, 512)) return "has a resource_ref that is no text of 1 to 512 code points";
  if (!isText(item.summary, 220)) return "has a summary that is no text of 1 to 220 code points";
  if (!isText(item.content, MAX_CONTENT_CODE_POINTS)) return "has a content that is no text of 1 to 16,000 code points";
  if (typeof item.score !== "number" || !Number.isFinite(item.score)) return "has a score that is no finite number";
  return undefined;
}

function isText(value: unknown, maxCodePoints: number): boolean {
  return typeof value === "string" && value.trim() !== "" && countCodePoints(value) <= maxCodePoints;
}

function toWellFormedItem(item: RetrievedItem): RetrievedItem {
  return {
    resource_ref: item.resource_ref.toWellFormed(),
    summary: item.summary.toWellFormed(),
    content: item.content.toWellFormed(),
    score: item.score,
  };
}

function respond(
  status: RetrieveResponse["status"],
  reasonCode: string | null,
  items: readonly RetrievedItem[],
): RetrieveResponse {
  return {
    schema_version: "decision_context_advisory_retrieve_response_v0",
    ok: true,
    status,
    reason_code: reasonCode,
    items,
  };
}
