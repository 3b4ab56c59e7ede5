import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cutRedacted, redactTail } from "../src/redact-tail.ts";

const CREDENTIAL = "<credential-redacted>";
const BODY = Array.from({ length: 40 }, (_, line) =>
  `MIIE${String(line).padStart(2, "0")}${"kQ9x".repeat(14)}==`.slice(0, 64),
);
const KEY = ["-----BEGIN RSA PRIVATE KEY-----", ...BODY, "-----END RSA PRIVATE KEY-----"].join("\n");
const TOKEN = `eyJhbGciOiJSUzI1NiJ9.${"eyJzdWIiOiI0MiIs".repeat(60)}.${"c2lnbmF0dXJl".repeat(30)}`;

/** Any eight characters in a row that only the secret holds. */
function leaks(text: string, secret: string): boolean {
  return Array.from({ length: secret.length - 7 }, (_, at) => secret.slice(at, at + 8)).some((piece) =>
    text.includes(piece),
  );
}

describe("the end of a text", () => {
  test("is masked before it is cut: of a key or a token that the cut goes through nothing is left", () => {
    for (const secret of [KEY, TOKEN]) {
      const text = `start\nthe secret: \n${secret}\nthe last line`;
      const tail = redactTail(text, { hasLostStart: false, maxLength: 600 });
      expect(tail).toContain("the last line");
      expect(leaks(tail, secret)).toBe(false);
    }
  });

  test("that lost its beginning shows nothing of what was cut there", () => {
    const text = `${KEY}\nAuthorization: Bearer ${TOKEN} sent\ntests: 1 failed`;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: text.length }), (lost) => {
        const tail = redactTail(text.slice(lost), { hasLostStart: true, maxLength: 5000 });
        expect(leaks(tail, KEY.replaceAll(/-----[A-Z ]+-----/g, "").trim())).toBe(false);
        expect(leaks(tail, TOKEN)).toBe(false);
      }),
    );
    expect(redactTail(`half a line\nwhole line`, { hasLostStart: true, maxLength: 600 })).toBe("whole line");
  });

  test("that lost its beginning and has a single line keeps what follows the first space; one word is masked", () => {
    const options = { hasLostStart: true, maxLength: 600 };
    expect(redactTail(`${TOKEN.slice(40)} was refused`, options)).toBe("was refused");
    expect(redactTail(TOKEN.slice(40), options)).toBe(CREDENTIAL);
  });

  test("a key's body without header and footer at the beginning is dropped, with line prefixes up to its footer", () => {
    const options = { hasLostStart: true, maxLength: 600 };
    expect(redactTail(`AAAA\n${BODY.slice(0, 3).join("\n")}\nthe last line`, options)).toBe("the last line");
    const numbered = BODY.map((line, at) => `${at}: ${line}`).join("\n");
    expect(redactTail(`AAAA\n${numbered}\n41: -----END RSA PRIVATE KEY-----\nthe last line`, options)).toBe(
      "the last line",
    );
  });

  test("that is whole and short is only masked", () => {
    expect(redactTail("a\nb", { hasLostStart: false, maxLength: 600 })).toBe("a\nb");
    expect(redactTail("😀😀", { hasLostStart: false, maxLength: 3 })).toBe("\uFFFD😀");
  });
});

test("the beginning of a text is masked before it is cut", () => {
  expect(cutRedacted(`--token=${TOKEN}`, 40)).toEqual({ text: `--token=${CREDENTIAL}`, isTruncated: false });
  expect(cutRedacted(TOKEN, 10)).toEqual({ text: "<credentia", isTruncated: true });
  expect(cutRedacted("plain", 3)).toEqual({ text: "pla", isTruncated: true });
});
