import { describe, expect, test } from "vitest";
import { redact } from "../src/redaction.ts";
import { compileSensitiveRules } from "../src/sensitive-rules.ts";

const LENGTH = 200_000;

function hasUnboundedRepetition(source: string): boolean {
  const withoutEscapesAndClasses = source.replace(/\\./g, "e").replace(/\[[^\]]*\]/g, "c");
  return /[*+]|\{\d*,\}/.test(withoutEscapesAndClasses);
}

/** A group repeated more than twice whose inside repeats as well: the shape that backtracks out of proportion. */
function hasNestedRepetition(source: string): boolean {
  const flat = source.replace(/\\./g, "e").replace(/\[[^\]]*\]/g, "c");
  const counts = [...flat.matchAll(/\([^()]*\{[^()]*\)\{(\d+)(?:,(\d+))?\}/g)].filter(
    (match) => Number(match[2] ?? match[1]) > 2,
  );
  return counts.length > 0;
}

describe("every rule is linear by construction", () => {
  test.each(compileSensitiveRules().map((rule) => rule.pattern.source))("%#", (source) => {
    expect(hasUnboundedRepetition(source)).toBe(false);
    expect(hasNestedRepetition(source)).toBe(false);
  });

  test("and the check sees the shapes it is there for", () => {
    expect(hasUnboundedRepetition("a[b+]c+")).toBe(true);
    expect(hasUnboundedRepetition("a{3,}")).toBe(true);
    expect(hasUnboundedRepetition(String.raw`a\+[*]b{1,9}`)).toBe(false);
    expect(hasNestedRepetition("(?:a{1,9}){1,9}")).toBe(true);
  });
});

test("a key's footer behind 200 KB of base64 is answered", () => {
  const text = `${"MIIEvQIBADANBgkq\n".repeat(LENGTH / 17)}-----END PRIVATE KEY-----`;
  expect(redact(text).text).toBe("<credential-redacted>");
});

describe("hostile text of 200 KB is answered", () => {
  test.each([
    ["https://", false],
    ["a", false],
    ["a:", false],
    ["/", false],
    ["\\", false],
    ["-", false],
    ["--", false],
    ["password", false],
    ["password=", true],
    ["password=$", false],
    ["token:token=", true],
    ["token=abc.", true],
    ["Authorization: Bearer ", false],
    ["eyJ", false],
    ["-eyJ", false],
    ["-u a:", false],
    ["\n", false],
    [" ", false],
    ["(", false],
    ["x-----BEGIN PRIVATE KEY----- ", false],
    ["\n-----BEGIN PRIVATE KEY-----", true],
    ["MIIEvQIBADANBgkq\n-----END PRIVATE KEY-----", true],
    ["\n-----END PRIVATE KEY-----", false],
    ["MIIEvQIBADANBgkq\n", false],
    ["/tmp/(", true],
    ['"/tmp/a ', true],
    ["C:\\a b", true],
    ["https://a:b@", true],
    ["/home/a", true],
    ["/home/a/B C/", true],
    ["/home/a/B C ", true],
    ["ghp_AAAAAAAAAAAAAAAAAAAA", true],
    ["token=abcdef123456 ", true],
    ["<credential-redacted>", false],
    ["https://<credential-redacted>", false],
  ])("%j repeated", (piece, isSensitive) => {
    const text = piece.repeat(Math.ceil(LENGTH / piece.length));
    const { found } = redact(text);
    expect(found.local_path + found.credential > 0).toBe(isSensitive);
  });
});
