import { createSecretKey, hkdfSync, timingSafeEqual, type KeyObject } from "node:crypto";
import { LoopxError, toCanonicalJson } from "@loopx/contracts";
import { createKeyedHash, type KeyedHash } from "./keyed-hash.ts";
import type { Keyset, KeysetKey } from "./keyset.ts";

/** What a digest is for. Each purpose has a subkey of its own, so one digest says nothing about another. */
export type KeyPurpose =
  | "context.provider.v1/request"
  | "context.provider.v1/item-locator"
  | "context.provider.v1/item-fingerprint"
  | "context.provider.v1/material"
  | "context.trace.v1/rendered"
  | "context.retained.v1/wrap"
  | "trace-chain"
  | "render";

/** `hmac-sha256:`, the id of the key, `:` and 64 lower-case hexadecimal digits. */
export type KeyedDigest = `hmac-sha256:${string}:${string}`;

export type DigestVerdict = "match" | "mismatch" | "key_destroyed" | "key_unknown";

/** The subkeys of one keyset in one deployment. Equal values in two deployments have unrelated digests. */
export interface KeyRing {
  readonly deployment: string;
  readonly activeKeyId: string;
  /** Of the keys that aren't destroyed. */
  readonly liveKeyIds: readonly string[];
  /** Whether there are digests that no search finds any more. */
  readonly hasDestroyedKeys: boolean;
  /** Digest under the active key. Structured data goes in as canonical JSON; parts are one text, put together or not. */
  keyedDigest(purpose: KeyPurpose, data: string | readonly string[]): KeyedDigest;
  /** The bare hexadecimal digits, under the active key or one named. Throws `invalid_value` without that key. */
  toHex(purpose: KeyPurpose, data: string | readonly string[], keyId?: string): string;
  /** Compares in constant time. */
  verify(purpose: KeyPurpose, data: string, digest: string): DigestVerdict;
  /** What the keys of kept contents are encrypted with. Shows nothing of itself in logs, JSON or an inspector. */
  findWrappingKey(keyId: string): KeyObject | "key_destroyed" | "key_unknown";
  /** The same keys with another one active: what was made under that one can be made again. Throws `invalid_value` without it. */
  under(keyId: string): KeyRing;
}

/** Derives subkeys on first use and keeps them: a derivation costs a hundred digests. */
export function createKeyRing(keyset: Keyset, deployment: string): KeyRing {
  const keys = new Map(keyset.keys.map((key) => [key.id, key]));
  const liveKeyIds = keyset.keys.flatMap(({ id, secret }) => (secret === null ? [] : [id]));
  const wrappingKeys = new Map<string, KeyObject>();
  const hashes = new Map([...keys.keys()].map((keyId) => [keyId, new Map<KeyPurpose, KeyedHash>()]));

  function loadHash(keyId: string, purpose: KeyPurpose): KeyedHash {
    const known = hashes.get(keyId)?.get(purpose);
    if (known !== undefined) return known;
    const fresh = createKeyedHash(deriveSubkey(loadSecret(keyId), purpose, deployment));
    hashes.get(keyId)?.set(purpose, fresh);
    return fresh;
  }

  function loadSecret(keyId: string): KeyObject {
    const secret = findSecret(keyId);
    if (typeof secret !== "string") return secret;
    throw new LoopxError("invalid_value", { message: `the keyset has no usable key ${keyId}` });
  }

  function findSecret(keyId: string): KeyObject | "key_destroyed" | "key_unknown" {
    const key = keys.get(keyId);
    return key === undefined ? "key_unknown" : (key.secret ?? "key_destroyed");
  }

  const verify: KeyRing["verify"] = (purpose, data, digest) => {
    const [, keyId = "", hex = ""] = /^hmac-sha256:([a-z0-9_-]+):([0-9a-f]{64})$/.exec(digest) ?? [];
    if (hex === "") return "mismatch";
    const secret = findSecret(keyId);
    if (typeof secret === "string") return secret;
    const expected = Buffer.from(loadHash(keyId, purpose)(data), "hex");
    return timingSafeEqual(expected, Buffer.from(hex, "hex")) ? "match" : "mismatch";
  };

  const findWrappingKey: KeyRing["findWrappingKey"] = (keyId) => {
    const secret = findSecret(keyId);
    if (typeof secret === "string") return secret;
    const known = wrappingKeys.get(keyId);
    const key = known ?? createSecretKey(deriveSubkey(secret, "context.retained.v1/wrap", deployment));
    wrappingKeys.set(keyId, key);
    return key;
  };

  function createRing(activeKeyId: string): KeyRing {
    const toHex: KeyRing["toHex"] = (purpose, data, keyId = activeKeyId) => loadHash(keyId, purpose)(data);
    return {
      deployment,
      activeKeyId,
      liveKeyIds,
      hasDestroyedKeys: liveKeyIds.length < keyset.keys.length,
      toHex,
      keyedDigest: (purpose, data) => `hmac-sha256:${activeKeyId}:${toHex(purpose, data)}`,
      verify,
      findWrappingKey,
      under: (keyId) => {
        loadSecret(keyId);
        return createRing(keyId);
      },
    };
  }

  return createRing(findActiveKey(keyset).id);
}

function findActiveKey(keyset: Keyset): KeysetKey {
  const active = keyset.keys.find(({ state }) => state === "active");
  if (active === undefined) throw new LoopxError("invalid_value", { message: "the keyset has no active key" });
  return active;
}

/** HKDF-SHA256 (RFC 5869). Purpose and deployment go in as a JSON list, so no two pairs make the same bytes. */
function deriveSubkey(secret: KeyObject, purpose: KeyPurpose, deployment: string): Uint8Array {
  const context = toCanonicalJson(["loopx", purpose, deployment]);
  return new Uint8Array(hkdfSync("sha256", secret, "", context, 32));
}
