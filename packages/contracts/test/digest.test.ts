import { expect, test } from "vitest";
import { digestOf, sha256Hex } from "../src/digest.ts";

test("sha256Hex of text is that of its UTF-8 bytes", () => {
  // FIPS 180-2, appendix B.1.
  expect(sha256Hex("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect(sha256Hex("é")).toBe(sha256Hex(new Uint8Array([0xc3, 0xa9])));
});

test("digestOf is the digest of the canonical form, so key order doesn't count", () => {
  expect(digestOf({ b: 1, a: 2 })).toBe(`sha256:${sha256Hex('{"a":2,"b":1}')}`);
  expect(digestOf({ a: 2, b: 1 })).toBe(digestOf({ b: 1, a: 2 }));
  expect(digestOf([1, 2])).not.toBe(digestOf([2, 1]));
});
