import { createSecretKey, randomBytes, type KeyObject } from "node:crypto";
import { LoopxError, parseInstant, parseStrictJson, type Instant } from "@loopx/contracts";

export const KEYSET_CONTRACT = "context-keyset.v1";

/** `active` makes new digests, `verify_only` checks old ones, and of a `destroyed` key only the id is left. */
export type KeyState = "active" | "verify_only" | "destroyed";

export interface KeysetKey {
  readonly id: string;
  readonly state: KeyState;
  /** Null of a key that was made before keys had times. */
  readonly createdAt: Instant | null;
  /** Null of every other. */
  readonly destroyedAt: Instant | null;
  /** Null of a destroyed key. A `KeyObject` shows nothing of itself in logs, JSON or an inspector. */
  readonly secret: KeyObject | null;
}

/** The keys that make digests of request and provider data unguessable. Kept outside every store. */
export interface Keyset {
  readonly contract: typeof KEYSET_CONTRACT;
  readonly id: string;
  readonly keys: readonly KeysetKey[];
}

const SECRET_BYTES = 32;
const ID = /^[a-z][a-z0-9_-]{0,63}$/;
/** Destroyed ones count: their ids are not used again. */
export const MOST_KEYS = 64;

/** A new keyset with one active key. `newId` is the ambient's. */
export function createKeyset(newId: NewId, createdAt: Instant | null = null): Keyset {
  return { contract: KEYSET_CONTRACT, id: newId("keyset"), keys: [createKey(newId, createdAt)] };
}

export type NewId = (prefix: string) => string;

/** A new active key with a random secret. */
export function createKey(newId: NewId, createdAt: Instant | null): KeysetKey {
  const secret = createSecretKey(randomBytes(SECRET_BYTES));
  return { id: newId("key"), state: "active", createdAt, destroyedAt: null, secret };
}

/** The JSON text that `parseKeyset` takes. It holds the secrets: only for a file of mode 0600. */
export function renderKeyset(keyset: Keyset): string {
  const keys = keyset.keys.map(({ id, state, createdAt, destroyedAt, secret }) => ({
    id,
    state,
    ...(createdAt === null ? {} : { createdAt }),
    ...(destroyedAt === null ? {} : { destroyedAt }),
    ...(secret === null ? {} : { secret: secret.export().toString("base64") }),
  }));
  return `${JSON.stringify({ contract: keyset.contract, id: keyset.id, keys }, null, 2)}\n`;
}

/**
 * The keyset in a JSON text: `{contract, id, keys: [{id, state, createdAt?, destroyedAt?, secret}]}` with secrets of 32 bytes
 * in base64.
 *
 * Exactly one key is active, a destroyed one has no secret, and no two keys share an id or a secret. Refuses everything else
 * with `invalid_value`, naming the place and never a value.
 */
export function parseKeyset(text: string): Keyset {
  const document = toMembers(parseStrictJson(text, { maxDepth: 4, field: "the keyset" }), "", [
    "contract",
    "id",
    "keys",
  ]);
  if (document["contract"] !== KEYSET_CONTRACT) throw toFault("/contract", `must be ${KEYSET_CONTRACT}`);
  const list = document["keys"];
  if (!Array.isArray(list) || list.length === 0 || list.length > MOST_KEYS) {
    throw toFault("/keys", `must be a list of 1 to ${MOST_KEYS} keys`);
  }
  const keys = list.map((raw: unknown, index) => parseKey(raw, `/keys/${index}`));
  refuseDuplicates(keys);
  if (keys.filter(({ state }) => state === "active").length !== 1)
    throw toFault("/keys", "must have exactly one active key");
  return { contract: KEYSET_CONTRACT, id: parseId(document["id"], "/id"), keys };
}

function parseKey(raw: unknown, at: string): KeysetKey {
  const members = toMembers(raw, at, ["id", "state", "createdAt", "destroyedAt", "secret"]);
  const id = parseId(members["id"], `${at}/id`);
  const { state, secret } = members;
  const createdAt = parseTime(members["createdAt"], `${at}/createdAt`);
  const destroyedAt = parseTime(members["destroyedAt"], `${at}/destroyedAt`);
  switch (state) {
    case "destroyed":
      if (secret !== undefined) throw toFault(`${at}/secret`, "must be gone from a destroyed key");
      return { id, state, createdAt, destroyedAt, secret: null };
    case "active":
    case "verify_only":
      if (destroyedAt !== null) throw toFault(`${at}/destroyedAt`, "is of a destroyed key alone");
      return { id, state, createdAt, destroyedAt, secret: parseSecret(secret, `${at}/secret`) };
    default:
      throw toFault(`${at}/state`, "must be active, verify_only or destroyed");
  }
}

function parseTime(raw: unknown, at: string): Instant | null {
  if (raw === undefined) return null;
  try {
    if (typeof raw === "string") return parseInstant(raw, at);
  } catch {}
  throw toFault(at, "must be a moment such as 2026-11-30T12:00:00.000Z");
}

function parseSecret(raw: unknown, at: string): KeyObject {
  const bytes = typeof raw === "string" ? Buffer.from(raw, "base64") : Buffer.alloc(0);
  // Decoding skips what isn't base64, so only a text that comes out the same is taken.
  if (bytes.length !== SECRET_BYTES || bytes.toString("base64") !== raw) {
    throw toFault(at, `must be ${SECRET_BYTES} bytes in base64`);
  }
  return createSecretKey(bytes);
}

function refuseDuplicates(keys: readonly KeysetKey[]): void {
  for (const [index, key] of keys.entries()) {
    const earlier = keys.slice(0, index);
    if (earlier.some(({ id }) => id === key.id)) throw toFault(`/keys/${index}/id`, "is the id of another key too");
    if (earlier.some(({ secret }) => secret !== null && key.secret?.equals(secret) === true)) {
      throw toFault(`/keys/${index}/secret`, "is the secret of another key too");
    }
  }
}

function parseId(raw: unknown, at: string): string {
  if (typeof raw === "string" && ID.test(raw)) return raw;
  throw toFault(at, "must be 1 to 64 of a-z 0-9 _ - beginning with a letter");
}

function toMembers(raw: unknown, at: string, known: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) throw toFault(at, "must be an object");
  const stranger = Object.keys(raw).some((key) => !known.includes(key));
  if (stranger) throw toFault(at, `takes ${known.join(", ")} and nothing else`);
  return Object.fromEntries(Object.entries(raw));
}

function toFault(at: string, what: string): LoopxError {
  return new LoopxError("invalid_value", {
    message: `the keyset${at && ` at ${at}`} ${what}`,
    details: { pointer: at },
  });
}
