import type { ProviderFault } from "../providers/provider-fault.ts";

/** What an author changes, by the reason of a fault. */
const REMEDIES: Readonly<Record<string, string>> = {
  AUTH_REFUSED: "accept the bearer token that the binding names; check that both sides have the same one",
  CIRCUIT_OPEN: "make it answer at all",
  CONTENT_TYPE: "send content-type: application/json with every 200",
  CONTRACT: 'answer "contract": "context-provider.v1"',
  CURRENTNESS: "currentness takes CURRENT, STALE or UNKNOWN; leave it out where you can't say",
  DUPLICATE_ID: "give each item an id of its own",
  ENCODING: "send the body as it is: no content-encoding, whatever a proxy in between would add",
  FIELD_TYPE: "give the field the type of the contract; leave out what you don't have",
  HTTP_STATUS: "answer 200 with JSON, or 404 where there is no record",
  ITEMS: "answer at most `limit` items",
  ITEM_BYTES: "keep each content within 64 KiB, or what the binding says",
  MISSING_FIELD: "answer contract and items, and id and content of each item; describe: contract and capabilities",
  NO_LOOKUP: 'name "lookup" among the capabilities',
  REDIRECT: "answer at the URL itself: redirects are never followed, such as one to a path with a slash behind it",
  REFLECTED: "never repeat the bearer token, in headers, bodies or error texts",
  RESPONSE_BYTES: "keep the whole answer within 1 MiB, or what the binding says",
  UNKNOWN_FIELD: "leave out fields that the contract doesn't know, or begin their names with x-",
  UPDATED_AT: "updatedAt takes an RFC 3339 date or date-time",
  UPSTREAM_5XX: "find in its log why it failed; a 5xx says that the provider is broken",
};

/** A fault as a sentence and what mends it. Pointers name places, never content. */
export function explainFault({ status, reason, finding }: ProviderFault): {
  readonly says: string;
  readonly remedy: string;
} {
  const place = finding === undefined || finding.pointer === "" ? "" : ` at ${finding.pointer}`;
  const why = reason === null ? status : `${status} (${reason}${place})`;
  return { says: why, remedy: REMEDIES[reason ?? ""] ?? findByStatus(status) };
}

function findByStatus(status: ProviderFault["status"]): string {
  switch (status) {
    case "TIMEOUT":
      return "answer faster, or give the binding a larger timeoutMs (10,000 at most)";
    case "UNAVAILABLE":
      return "start it, and check host, port and certificate";
    case "SECRET_DETECTED":
      return "keep credentials out of what you answer";
    default:
      return "answer strict JSON in UTF-8: one document, no key twice, no number beyond a double";
  }
}
