import { containsCredential } from "@loopx/contracts";

/** Shorter texts stand in others by chance: they are compared as a whole. */
const SHORTEST_PART = 4;
/** A version may well be named in a text; this much of a text in a version is a copy of it. */
const SHORTEST_COPY = 16;

const TOKEN = /^[A-Za-z0-9][A-Za-z0-9._:@+/=%-]{0,127}$/;

/**
 * Tells whether a word that a provider chose may stand in a trace: a short token without a credential, that neither holds
 * one of the texts, in plain, base64, hexadecimal or percent form, nor is a copy of a part of one.
 */
export function isTraceable(word: string, texts: readonly string[]): boolean {
  if (!TOKEN.test(word) || containsCredential(word) !== undefined) return false;
  return !texts.some((text) => reveals(word, text));
}

function reveals(word: string, text: string): boolean {
  if (text === "") return false;
  if (word === text || (word.length >= SHORTEST_COPY && text.includes(word))) return true;
  // No form is shorter than the text, so most records are out at once.
  if (text.length < SHORTEST_PART || text.length > word.length) return false;
  const lowerCase = word.toLowerCase();
  const isHeld = (form: string): boolean => lowerCase.includes(form.toLowerCase());
  return [text, encodeURIComponent(text)].some(isHeld) || (mayHoldDigits(word, text) && listDigits(text).some(isHeld));
}

/** Of base64 the digits that are the text's alone: at the worst place all of its bits but four, six a digit. */
function mayHoldDigits(word: string, text: string): boolean {
  return word.length >= Math.floor((text.length * 8 - 4) / 6);
}

/** Base64 depends on where in a group of three bytes the text begins: the digits that don't, at each of the three places. */
function listDigits(text: string): readonly string[] {
  const bytes = Buffer.from(text);
  const base64 = [0, 1, 2].map((shift) => {
    const digits = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    return digits.slice(shift === 0 ? 0 : shift + 1, (bytes.length + shift) % 3 === 0 ? undefined : -1);
  });
  const base64Url = base64.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"));
  return [bytes.toString("hex"), ...base64, ...base64Url];
}
