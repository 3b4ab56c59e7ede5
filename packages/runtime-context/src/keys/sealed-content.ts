import { createCipheriv, createDecipheriv, randomBytes, type KeyObject } from "node:crypto";
import type { KeyRing } from "./key-ring.ts";

/** A text that can be read with one key of the keyset alone, and only as what it was sealed as. */
export interface SealedContent {
  /** Of the key that its own key is wrapped with. */
  readonly keyId: string;
  /** Base64 of the wrapped key, then the content: each with its nonce before and its tag behind it. */
  readonly text: string;
}

/** Why a sealed content can't be read. `altered`: not as it was sealed, or sealed as something else. */
export type SealFault = "key_destroyed" | "key_unknown" | "altered";

const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
/** SP 800-38D: 96 bits at random serve 2^32 messages a key; a content's own key seals one, and a keyset's is rotated. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const WRAPPED_BYTES = NONCE_BYTES + KEY_BYTES + TAG_BYTES;

/**
 * Encrypts a text under a random key of its own, and that key under the ring's active one (AES-256-GCM, both).
 *
 * `context` says what the text is; it is not stored with it, and opening it as anything else fails. Parts are one text.
 */
export function sealContent(ring: KeyRing, parts: readonly string[], context: string): SealedContent {
  const keyId = ring.activeKeyId;
  const wrappingKey = ring.findWrappingKey(keyId);
  if (typeof wrappingKey === "string") throw new TypeError("an active key is always there");
  const key = randomBytes(KEY_BYTES);
  const wrapped = encrypt(wrappingKey, [key], toAuthenticated("key", context));
  const sealed = encrypt(key, parts, toAuthenticated("content", context));
  key.fill(0);
  return { keyId, text: Buffer.concat([wrapped, sealed]).toString("base64") };
}

/** The text that was sealed as `context`, or why it can't be had. */
export function unsealContent(
  ring: KeyRing,
  { keyId, text }: SealedContent,
  context: string,
): { readonly text: string } | SealFault {
  const wrappingKey = ring.findWrappingKey(keyId);
  if (typeof wrappingKey === "string") return wrappingKey;
  const bytes = Buffer.from(text, "base64");
  try {
    const key = decrypt(wrappingKey, bytes.subarray(0, WRAPPED_BYTES), toAuthenticated("key", context));
    return { text: decrypt(key, bytes.subarray(WRAPPED_BYTES), toAuthenticated("content", context)).toString("utf8") };
  } catch {
    // A tag that doesn't fit, or too few bytes for one. The engine's message says no more.
    return "altered";
  }
}

/** A wrapped key is never taken for a content. */
function toAuthenticated(role: "key" | "content", context: string): Buffer {
  return Buffer.from(`${role}\n${context}`);
}

function encrypt(key: KeyObject | Uint8Array, parts: readonly (string | Uint8Array)[], authenticated: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(authenticated);
  const encrypted = parts.map((part) => (typeof part === "string" ? cipher.update(part, "utf8") : cipher.update(part)));
  return Buffer.concat([nonce, ...encrypted, cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: KeyObject | Uint8Array, bytes: Buffer, authenticated: Buffer): Buffer {
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(authenticated);
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
}
