/** Shorter fragments stand in ordinary text by chance. */
const MIN_LENGTH = 4;

/** Tells whether a text, or the bytes of one, holds the credential that was sent. */
export type ReflectionCheck = (text: string | Buffer) => boolean;

/**
 * A check for one credential in each form in which a provider may give it back: raw, JSON-escaped, base64 at each of the
 * three alignments and in both alphabets, percent-encoded in whole or in part. Linear in the text.
 */
export function createReflectionCheck(secret: string | null): ReflectionCheck {
  if (secret === null || secret.length < MIN_LENGTH) return () => false;
  const forms = [...new Set([secret, ...listEscaped(secret), ...listBase64(secret)])];
  const isHeld = (text: string | Buffer): boolean => forms.some((form) => text.includes(form));
  return (text) => isHeld(text) || (text.includes("%") && isHeld(decodePercent(text)));
}

function listEscaped(secret: string): readonly string[] {
  const escaped = JSON.stringify(secret).slice(1, -1);
  return [escaped, escaped.replaceAll("/", String.raw`\/`)];
}

/** What base64 of any text that ends or goes on around the secret must hold: the characters made of its own bits alone. */
function listBase64(secret: string): readonly string[] {
  const forms = [0, 1, 2].flatMap((shift) => {
    const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(secret)]);
    const fragment = bytes.toString("base64").slice(Math.ceil((shift * 8) / 6), Math.floor((bytes.length * 8) / 6));
    return [fragment, fragment.replaceAll("+", "-").replaceAll("/", "_")];
  });
  return forms.filter((form) => form.length >= MIN_LENGTH);
}

/** Credentials are ASCII, so it does not matter what becomes of other characters. */
function decodePercent(text: string | Buffer): Buffer {
  const bytes = typeof text === "string" ? Buffer.from(text, "latin1") : Buffer.from(text);
  let length = 0;
  for (let offset = 0; offset < bytes.length; offset += 1) {
    const high = bytes[offset] === 0x25 ? toHexDigit(bytes[offset + 1]) : -1;
    const low = high === -1 ? -1 : toHexDigit(bytes[offset + 2]);
    bytes[length] = low === -1 ? (bytes[offset] ?? 0) : high * 16 + low;
    if (low !== -1) offset += 2;
    length += 1;
  }
  return bytes.subarray(0, length);
}

function toHexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
