import { LoopxError, parseInstant, type Instant } from "@loopx/contracts";
import { PROVIDER_STATUSES, type ProviderStatus } from "../providers/provider-outcome.ts";
import type { TurnOutcome } from "../kernel/turn-result.ts";

/** What to search for; every part that is there must hold. */
export interface TraceQuery {
  readonly provider?: string;
  /** Of the named provider, or of any. */
  readonly providerStatus?: ProviderStatus;
  readonly objective?: string;
  readonly consumer?: string;
  readonly outcome?: TurnOutcome;
  /** A layer that took part: in scope and not excluded. */
  readonly layer?: string;
  /** Turns that began at this moment or later. */
  readonly since?: Instant;
  /** Turns that began before this moment. */
  readonly until?: Instant;
  /** Turns that sent a request with one of these digests; see `listRequestDigests`. Never from a URL: a value would be in it. */
  readonly requestDigests?: readonly string[];
  /** From `nextCursor` of the page before. */
  readonly cursor?: string;
  readonly limit: number;
}

export const TRACE_PAGE = { default: 50, most: 200 } as const;

const OUTCOMES: readonly TurnOutcome[] = ["READY", "DEGRADED", "BLOCKED"];
const ID_FIELDS = ["provider", "objective", "consumer", "layer"] as const;
const FIELDS = [...ID_FIELDS, "providerStatus", "outcome", "since", "until", "cursor", "limit"];
const ID = /^[a-z][a-z0-9-]{0,62}$/;

/**
 * A query from flags or URL parameters, all text.
 *
 * The limit is 50 unless given and at most 200. Refuses with `invalid_value`, naming the field and never the value.
 */
export function parseTraceQuery(raw: Readonly<Record<string, string | undefined>>): TraceQuery {
  const unknown = Object.keys(raw).some((field) => !FIELDS.includes(field));
  if (unknown) throw toFault("the search", `takes ${FIELDS.join(", ")}`);
  const ids = ID_FIELDS.flatMap((field) => {
    const value = raw[field];
    if (value === undefined) return [];
    if (!ID.test(value)) throw toFault(field, "takes an id");
    return [[field, value] as const];
  });
  const { providerStatus, outcome, since, until, cursor, limit } = raw;
  return {
    ...Object.fromEntries(ids),
    ...(providerStatus === undefined
      ? {}
      : { providerStatus: parseWord("providerStatus", providerStatus, PROVIDER_STATUSES) }),
    ...(outcome === undefined ? {} : { outcome: parseWord("outcome", outcome, OUTCOMES) }),
    ...(since === undefined ? {} : { since: parseInstant(since, "since") }),
    ...(until === undefined ? {} : { until: parseInstant(until, "until") }),
    ...(cursor === undefined ? {} : { cursor: renderCursor(parseCursor(cursor)) }),
    limit: limit === undefined ? TRACE_PAGE.default : parseLimit(limit),
  };
}

/** The position that a page ended with. */
export function parseCursor(cursor: string): number {
  const position = /^before-([1-9]\d{0,14})$/.exec(cursor)?.[1];
  if (position === undefined) throw toFault("cursor", "takes the nextCursor of an earlier page");
  return Number(position);
}

export function renderCursor(position: number): string {
  return `before-${position}`;
}

function parseLimit(text: string): number {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > TRACE_PAGE.most) throw toFault("limit", `takes 1 to ${TRACE_PAGE.most}`);
  return limit;
}

function parseWord<Word extends string>(field: string, value: string, words: readonly Word[]): Word {
  const word = words.find((candidate) => candidate === value);
  if (word === undefined) throw toFault(field, `takes ${words.join(", ")}`);
  return word;
}

function toFault(field: string, takes: string): LoopxError {
  return new LoopxError("invalid_value", { message: `${field} ${takes}`, details: { field } });
}
