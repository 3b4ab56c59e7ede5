import { createHmac, hkdfSync } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toItemLocators, assignLocators } from "../../src/keys/item-locators.ts";
import { createKeyRing, type KeyPurpose, type KeyRing } from "../../src/keys/key-ring.ts";
import { parseKeyset } from "../../src/keys/keyset.ts";

const SECRET = Buffer.alloc(32, 1).toString("base64");
const OTHER = Buffer.alloc(32, 2).toString("base64");

function createRing(
  deployment = "production",
  keys: unknown = [{ id: "key_a", state: "active", secret: SECRET }],
): KeyRing {
  return createKeyRing(
    parseKeyset(JSON.stringify({ contract: "context-keyset.v1", id: "keyset_a", keys })),
    deployment,
  );
}

const PURPOSES: readonly KeyPurpose[] = [
  "context.provider.v1/request",
  "context.provider.v1/item-locator",
  "context.provider.v1/item-fingerprint",
  "context.provider.v1/material",
  "context.trace.v1/rendered",
  "trace-chain",
  "render",
];

describe("keyed digests", () => {
  test("name algorithm and key, and are HMAC-SHA-256 under an HKDF subkey of purpose and deployment", () => {
    const info = '["loopx","context.provider.v1/request","production"]';
    const subkey = Buffer.from(hkdfSync("sha256", Buffer.alloc(32, 1), "", info, 32));
    const hex = createHmac("sha256", subkey).update("CUST-1042").digest("hex");
    expect(createRing().keyedDigest("context.provider.v1/request", "CUST-1042")).toBe(`hmac-sha256:key_a:${hex}`);
  });

  test("equal values under two purposes, in two deployments or under two keys don't correlate", () => {
    const rings = [
      createRing(),
      createRing("staging"),
      createRing("production", [{ id: "key_a", state: "active", secret: OTHER }]),
    ];
    const digests = rings.flatMap((ring) => PURPOSES.map((purpose) => ring.keyedDigest(purpose, "CUST-1042")));
    expect(new Set(digests).size).toBe(digests.length);
    expect(createRing().keyedDigest("render", "x")).toBe(createRing().keyedDigest("render", "x"));
  });

  test("of texts of any length and in any parts are HMAC-SHA-256 of their UTF-8 bytes", () => {
    const subkey = Buffer.from(hkdfSync("sha256", Buffer.alloc(32, 1), "", '["loopx","render","production"]', 32));
    const ring = createRing();
    const piece = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("客", "\ud800", "a".repeat(4096), "🙂".repeat(2048), "客".repeat(40_960), "a".repeat(81_920)),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 4 }), (parts) => {
        const whole = parts.join("");
        const hex = createHmac("sha256", subkey).update(whole).digest("hex");
        expect(ring.toHex("render", whole)).toBe(hex);
        // Half a pair at the end of a part is none of its own; our texts are well-formed.
        if (parts.every((part) => part.isWellFormed())) expect(ring.toHex("render", parts)).toBe(hex);
      }),
    );
  });

  test("old digests are verified after a rotation, and not after their key is destroyed", () => {
    const digest = createRing().keyedDigest("render", "x");
    const next = { id: "key_b", state: "active", secret: OTHER };
    const rotated = createRing("production", [{ id: "key_a", state: "verify_only", secret: SECRET }, next]);
    expect(rotated.verify("render", "x", digest)).toBe("match");
    expect(rotated.verify("render", "y", digest)).toBe("mismatch");
    expect(rotated.verify("trace-chain", "x", digest)).toBe("mismatch");
    expect(rotated.keyedDigest("render", "x")).toMatch(/^hmac-sha256:key_b:/);
    expect(createRing("production", [{ id: "key_a", state: "destroyed" }, next]).verify("render", "x", digest)).toBe(
      "key_destroyed",
    );
    expect(createRing("production", [next]).verify("render", "x", digest)).toBe("key_unknown");
    expect(rotated.verify("render", "x", "sha256:abc")).toBe("mismatch");
    expect(() => createRing("production", [next]).toHex("render", "x", "key_a")).toThrow("no usable key key_a");
  });
});

describe("item locators", () => {
  test("hide the record id, are equal for equal records and differ between providers", () => {
    const ring = createRing();
    const [first, second] = toItemLocators(ring, "customer-data", ["CUST-1042", "CUST-1043"]);
    expect(first).toMatch(/^customer-data\/item-[0-9a-f]{16}$/);
    expect(second).not.toBe(first);
    expect(toItemLocators(createRing(), "customer-data", ["CUST-1043", "CUST-1042"])).toEqual([second, first]);
    expect(toItemLocators(ring, "order-data", ["CUST-1042"])[0]?.slice(-16)).not.toBe(first?.slice(-16));
  });

  test("one that is taken in the answer is hashed again with a counter", () => {
    const locators = assignLocators(["apple", "axe", "bee", "ant"], (id, attempt) => `${id.slice(0, 1)}${attempt}`);
    expect(locators).toEqual(["a0", "a1", "b0", "a2"]);
  });
});
