import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { createKeyset, parseKeyset, renderKeyset } from "../../src/keys/keyset.ts";

const SECRET = Buffer.alloc(32, 1).toString("base64");
const OTHER = Buffer.alloc(32, 2).toString("base64");

function render(keys: unknown, parts: object = {}): string {
  return JSON.stringify({ contract: "context-keyset.v1", id: "keyset_a", keys, ...parts });
}

test("a new keyset has one active key and comes back from its text", () => {
  const keyset = createKeyset((prefix) => `${prefix}_abc123`);
  const text = renderKeyset(keyset);
  expect(JSON.parse(text)).toMatchObject({
    contract: "context-keyset.v1",
    id: "keyset_abc123",
    keys: [{ id: "key_abc123", state: "active", secret: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/) }],
  });
  expect(renderKeyset(parseKeyset(text))).toBe(text);
  expect(renderKeyset(createKeyset((prefix) => `${prefix}_abc123`))).not.toBe(text);
});

test("a keyset shows no secret when it is logged", () => {
  const keyset = parseKeyset(render([{ id: "key_a", state: "active", secret: SECRET }]));
  const shown = [inspect(keyset, { depth: 9, showHidden: true }), JSON.stringify(keyset)];
  for (const text of shown) expect(text).not.toContain(SECRET.slice(0, 8));
});

test("destroyed keys keep their id and have no secret", () => {
  const text = render([
    { id: "key_a", state: "destroyed" },
    { id: "key_b", state: "verify_only", secret: SECRET },
    { id: "key_c", state: "active", secret: OTHER },
  ]);
  expect(parseKeyset(text).keys.map(({ id, state, secret }) => [id, state, secret === null])).toEqual([
    ["key_a", "destroyed", true],
    ["key_b", "verify_only", false],
    ["key_c", "active", false],
  ]);
});

describe("a malformed keyset is refused without showing a value", () => {
  const active = { id: "key_a", state: "active", secret: SECRET };
  test.each([
    ["no keys", render([]), "/keys"],
    ["no active key", render([{ ...active, state: "verify_only" }]), "/keys"],
    ["two active keys", render([active, { id: "key_b", state: "active", secret: OTHER }]), "/keys"],
    ["a short secret", render([{ ...active, secret: Buffer.alloc(31, 1).toString("base64") }]), "/keys/0/secret"],
    ["a secret in hexadecimal", render([{ ...active, secret: "ab".repeat(32) }]), "/keys/0/secret"],
    ["a secret with spaces", render([{ ...active, secret: ` ${SECRET}` }]), "/keys/0/secret"],
    ["no secret", render([{ id: "key_a", state: "active" }]), "/keys/0/secret"],
    [
      "a destroyed key with its secret",
      render([active, { id: "key_b", state: "destroyed", secret: OTHER }]),
      "/keys/1/secret",
    ],
    ["one secret twice", render([active, { id: "key_b", state: "verify_only", secret: SECRET }]), "/keys/1/secret"],
    ["one id twice", render([active, { id: "key_a", state: "destroyed" }]), "/keys/1/id"],
    ["an id with a colon", render([{ ...active, id: "key:a" }]), "/keys/0/id"],
    ["an unknown state", render([{ ...active, state: "resting" }]), "/keys/0/state"],
    ["an unknown member", render([{ ...active, note: SECRET }]), "/keys/0"],
    ["another contract", render([active], { contract: "context-keyset.v2" }), "/contract"],
  ])("%s", (_case, text, pointer) => {
    const attempt = (): unknown => parseKeyset(text);
    expect(attempt).toThrow(expect.objectContaining({ code: "invalid_value", details: { pointer } }));
    expect(attempt).not.toThrow(SECRET);
  });
});
