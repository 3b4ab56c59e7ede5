import { LoopxError, type Instant } from "@loopx/contracts";
import { createKey, MOST_KEYS, type Keyset, type NewId } from "./keyset.ts";

/**
 * The keyset with a new active key; the one before checks, finds and reads what was made with it.
 *
 * Refuses with `invalid_value` where it is full.
 */
export function rotateKeyset(keyset: Keyset, newId: NewId, now: Instant): Keyset {
  if (keyset.keys.length >= MOST_KEYS) {
    throw new LoopxError("invalid_value", {
      message: `the keyset has ${MOST_KEYS} keys, the most it takes, destroyed ones among them`,
      hint: "make a new keyset with loopx context keys create and name it in the binding",
    });
  }
  const earlier = keyset.keys.map((key) => (key.state === "active" ? { ...key, state: "verify_only" as const } : key));
  return { ...keyset, keys: [...earlier, createKey(newId, now)] };
}

/**
 * The keyset without the secret of one key. What was made with it can't be checked, found or read again by anybody.
 *
 * One that is destroyed already stays as it is. Refuses with `invalid_value` an id that it doesn't have and the active key.
 */
export function destroyKey(keyset: Keyset, keyId: string, now: Instant): Keyset {
  const key = keyset.keys.find(({ id }) => id === keyId);
  if (key === undefined) {
    throw new LoopxError("invalid_value", {
      message: "the keyset has no key of this id",
      hint: `it has ${keyset.keys.map(({ id }) => id).join(", ")}`,
      details: { field: "key_id" },
    });
  }
  switch (key.state) {
    case "active":
      throw new LoopxError("invalid_value", {
        message: "the active key makes the digests of new traces, so it can't be destroyed",
        hint: "rotate first: loopx context keys rotate '--binding=<binding>'",
        details: { field: "key_id" },
      });
    case "destroyed":
      return keyset;
    case "verify_only": {
      const destroyed = { ...key, state: "destroyed", destroyedAt: now, secret: null } as const;
      return { ...keyset, keys: keyset.keys.map((each) => (each === key ? destroyed : each)) };
    }
    default:
      return key.state satisfies never;
  }
}
