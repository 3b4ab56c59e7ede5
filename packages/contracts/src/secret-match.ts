import { isPlaceholder, isSecretValue } from "./secret-value.ts";

/** `password=hunter2`, `"apiKey": "…"`, `--token …`, `Cookie: sid=…`. Without a sign group the form itself is tight. */
export function isAssignedSecret(match: RegExpExecArray): boolean {
  const { password, sign = "", quoted } = match.groups ?? {};
  return isSecretValue(foundText(match), {
    isPassword: password !== undefined,
    isTight: quoted !== undefined || !/\s/.test(sign),
  });
}

/** What follows `Authorization:` or `Bearer`. */
export function isHeaderSecret(match: RegExpExecArray): boolean {
  const value = foundText(match);
  return isBase64Pair(value) || isSecretValue(value, { isPassword: false, isTight: true });
}

/** `Basic` and base64 of `user:password`: decoding tells it from "basic understanding". */
export function isBasicPair(match: RegExpExecArray): boolean {
  return isBase64Pair(foundText(match));
}

/** `user:password` or a bare token before the `@` of a URL. */
export function isUserinfoSecret(match: RegExpExecArray): boolean {
  const userinfo = foundText(match);
  const colon = userinfo.indexOf(":");
  if (colon === -1) return isSecretValue(userinfo, { isPassword: false, isTight: true });
  return !isPlaceholder(userinfo.slice(colon + 1));
}

/** `-u user:password` as curl takes it. */
export function isUserFlagSecret(match: RegExpExecArray): boolean {
  return isSecretValue(foundText(match), { isPassword: true, isTight: true });
}

/** A private key's header counts with a body behind it, or alone on its line: a block that was cut. In a sentence it is prose. */
export function hasKeyBody(match: RegExpExecArray): boolean {
  return match.groups?.["body"] !== undefined || match.index === 0 || match.input[match.index - 1] === "\n";
}

function foundText(match: RegExpExecArray): string {
  return match.groups?.["found"] ?? match.groups?.["quoted"] ?? "";
}

function isBase64Pair(value: string): boolean {
  if (!/^[A-Za-z0-9+/]{4,256}={0,2}$/.test(value) || value.length % 4 !== 0) return false;
  return /^[\x20-\x39\x3b-\x7e]{1,200}:[\x20-\x7e]{1,200}$/.test(atob(value));
}
