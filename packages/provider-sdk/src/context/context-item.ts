/** One record, as a lookup answers it. */
export interface ContextItem {
  /** Your id of the record, at most 512 characters; LoopX shows and keeps a keyed digest of it only. */
  readonly id: string;
  /** What a reader is to know, at most 64 KiB of UTF-8. */
  readonly content: string;
  readonly title?: string | undefined;
  /** Flat: at most 32 entries of text, numbers, booleans or null. */
  readonly metadata?: Readonly<Record<string, string | number | boolean | null>> | undefined;
  /** When the record last changed: an RFC 3339 date or date-time. */
  readonly updatedAt?: string | undefined;
}

/** Records, and what can be said of all of them. */
export interface ContextRecords {
  readonly items: readonly ContextItem[];
  /** Whether this is how things are now; `UNKNOWN` unless said. */
  readonly currentness?: "CURRENT" | "STALE" | "UNKNOWN" | undefined;
  /** Of the data: whatever names this state of it. */
  readonly revision?: string | undefined;
  /** Of the provider, where it may differ from what `describe` said. */
  readonly version?: string | undefined;
}

/** Bytes of one item's content. */
export const MAX_ITEM_BYTES = 65_536;

/** What is wrong with records, naming the field and no value; undefined where nothing is. */
export function findRecordsFault({ items, currentness, revision, version }: ContextRecords): string | undefined {
  if (!Array.isArray(items)) return "items is no list";
  if (currentness !== undefined && !["CURRENT", "STALE", "UNKNOWN"].includes(currentness)) {
    return "currentness is none of CURRENT, STALE and UNKNOWN";
  }
  if (revision !== undefined && !isText(revision, 256)) return "revision is no text of at most 256 characters";
  if (version !== undefined && !isText(version, 256)) return "version is no text of at most 256 characters";
  if (new Set(items.map(({ id }) => id)).size < items.length) return "an id is there twice";
  for (const [index, item] of items.entries()) {
    const fault = findItemFault(item);
    if (fault !== undefined) return `items[${index}].${fault}`;
  }
  return undefined;
}

function findItemFault({ id, content, title, metadata, updatedAt }: ContextItem): string | undefined {
  if (!isText(id, 512) || id === "") return "id is no text of 1 to 512 characters";
  if (typeof content !== "string") return "content is no text";
  if (new TextEncoder().encode(content).length > MAX_ITEM_BYTES) return `content is over ${MAX_ITEM_BYTES} bytes`;
  if (title !== undefined && !isText(title, 1024)) return "title is no text of at most 1,024 characters";
  if (metadata !== undefined && !isFlat(metadata)) return "metadata is no flat object of at most 32 short values";
  if (updatedAt !== undefined && !isMoment(updatedAt)) return "updatedAt is no RFC 3339 date or date-time";
  return undefined;
}

function isText(value: unknown, maxLength: number): value is string {
  return typeof value === "string" && value.length <= maxLength;
}

function isFlat(metadata: object): boolean {
  const entries = Object.entries(metadata);
  return entries.length <= 32 && entries.every(([key, value]) => key.length <= 128 && isMetadataValue(value));
}

function isMetadataValue(value: unknown): boolean {
  if (typeof value === "string") return new TextEncoder().encode(value).length <= 1024;
  return value === null || typeof value === "boolean" || Number.isFinite(value);
}

const MOMENT = /^\d{4}-\d\d-\d\d(?:[Tt]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d))?$/;

function isMoment(value: unknown): boolean {
  return typeof value === "string" && MOMENT.test(value) && !Number.isNaN(Date.parse(value));
}
