import type { Instant } from "@loopx/contracts";
import { expect, test } from "vitest";
import { createKeyRing } from "../../src/keys/key-ring.ts";
import { createKeyset, parseKeyset, renderKeyset, type Keyset } from "../../src/keys/keyset.ts";
import { destroyKey, rotateKeyset } from "../../src/keys/rotate-keyset.ts";
import { sealContent, unsealContent } from "../../src/keys/sealed-content.ts";

const [FIRST, SECOND, THIRD] = ["2026-11-01T00:00:00.000Z", "2026-11-02T00:00:00.000Z", "2026-11-03T00:00:00.000Z"].map(
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a brand has to be given somewhere
  (text) => text as Instant,
) as [Instant, Instant, Instant];

let count = 0;
const newId = (prefix: string): string => `${prefix}_${(count += 1)}`;

function createRotated(): { readonly before: Keyset; readonly after: Keyset; readonly old: string } {
  const before = createKeyset(newId, FIRST);
  return { before, after: rotateKeyset(before, newId, SECOND), old: before.keys[0]!.id };
}

test("rotating makes a new active key, and the one before checks what it made", () => {
  const { before, after, old } = createRotated();
  expect(after.keys).toMatchObject([
    { id: old, state: "verify_only", createdAt: FIRST },
    { state: "active", createdAt: SECOND },
  ]);
  const [ring, later] = [createKeyRing(before, "desk"), createKeyRing(after, "desk")];
  expect(later.verify("render", "text", ring.keyedDigest("render", "text"))).toBe("match");
  expect(later.keyedDigest("render", "text")).not.toBe(ring.keyedDigest("render", "text"));
  expect(later.under(old).keyedDigest("render", "text")).toBe(ring.keyedDigest("render", "text"));
  expect(later.liveKeyIds).toEqual(after.keys.map(({ id }) => id));
  expect(renderKeyset(parseKeyset(renderKeyset(after)))).toBe(renderKeyset(after));
});

test("destroying leaves the id and its times, and what was sealed with it can't be read again", () => {
  const { before, after, old } = createRotated();
  const sealed = sealContent(createKeyRing(before, "desk"), ["some ", "text"], "a trace");
  const destroyed = destroyKey(after, old, THIRD);
  expect(unsealContent(createKeyRing(after, "desk"), sealed, "a trace")).toEqual({ text: "some text" });
  expect(unsealContent(createKeyRing(destroyed, "desk"), sealed, "a trace")).toBe("key_destroyed");
  expect(destroyed.keys[0]).toEqual({
    id: old,
    state: "destroyed",
    createdAt: FIRST,
    destroyedAt: THIRD,
    secret: null,
  });
  expect(createKeyRing(destroyed, "desk").liveKeyIds).not.toContain(old);
  expect(renderKeyset(parseKeyset(renderKeyset(destroyed)))).toBe(renderKeyset(destroyed));
  expect(destroyKey(destroyed, old, THIRD)).toBe(destroyed);
});

test("neither the active key nor one that isn't there is destroyed", () => {
  const keyset = createKeyset(newId, FIRST);
  for (const id of [keyset.keys[0]!.id, "key_nobody"]) {
    expect(() => destroyKey(keyset, id, SECOND)).toThrow(expect.objectContaining({ code: "invalid_value" }));
  }
});

test("a keyset takes 64 keys", () => {
  let keyset = createKeyset(newId, FIRST);
  for (let key = 1; key < 64; key += 1) keyset = rotateKeyset(keyset, newId, SECOND);
  expect(() => rotateKeyset(keyset, newId, SECOND)).toThrow(expect.objectContaining({ code: "invalid_value" }));
});

test("a sealed text opens as what it was sealed as, whole, in its own deployment, and never says the same twice", () => {
  const keyset = createKeyset(newId, FIRST);
  const ring = createKeyRing(keyset, "desk");
  const sealed = sealContent(ring, ["text"], "a trace");
  expect(sealContent(ring, ["text"], "a trace").text).not.toBe(sealed.text);
  expect(unsealContent(ring, sealed, "another trace")).toBe("altered");
  expect(unsealContent(createKeyRing(keyset, "staging"), sealed, "a trace")).toBe("altered");
  expect(unsealContent(ring, { ...sealed, keyId: "key_other" }, "a trace")).toBe("key_unknown");
  const bytes = Buffer.from(sealed.text, "base64");
  for (let index = 0; index < bytes.length; index += 1) {
    const altered = Buffer.from(bytes);
    altered[index] = bytes[index]! ^ 1;
    expect(unsealContent(ring, { ...sealed, text: altered.toString("base64") }, "a trace")).toBe("altered");
    const cut = bytes.subarray(0, index).toString("base64");
    expect(unsealContent(ring, { ...sealed, text: cut }, "a trace")).toBe("altered");
  }
});
