import { describe, expect, test } from "vitest";
import {
  checkOwner,
  createOwnerToken,
  findOwnerToken,
  listOwnerTokens,
  revokeOwnerToken,
  type Actor,
} from "../../src/index.ts";
import { accepted, openWorld, OWNER, refusalOf } from "../control-plane-world.ts";
import { contentOf } from "../store-content.ts";

const AGENT: Actor = { kind: "agent", agent_id: "a1" };
const TOKEN: Actor = { kind: "owner", via: "token", token_id: "token_000001" };

describe("owner tokens", () => {
  test("are created at a terminal only: no agent, unnamedProcess, token or page begets one", async () => {
    const { home, ambient } = await openWorld();
    const before = await contentOf(home);
    const others: readonly Actor[] = [AGENT, { kind: "process" }, TOKEN, { kind: "owner", via: "workstation" }];
    for (const actor of others) {
      expect(await refusalOf(createOwnerToken(home, { label: "x", actor }, ambient))).toBe("gate_needs_owner");
    }
    expect(await contentOf(home)).toEqual(before);
  });

  test("are found by their secret, of which only a digest is stored", async () => {
    const { home, ambient } = await openWorld();
    const { secret, token } = accepted(await createOwnerToken(home, { label: "laptop", actor: OWNER }, ambient));
    expect(secret).toMatch(/^loopx_owner_token_000001_[A-Za-z0-9_-]{32}$/);
    expect(JSON.stringify(await contentOf(home))).not.toContain(secret.slice(-32));
    expect(await home.read((tx) => findOwnerToken(tx, secret))).toEqual(token);
    expect(await home.read(listOwnerTokens)).toEqual([token]);
  });

  test("a secret that is changed, cut, padded or made up finds none", async () => {
    const { home, ambient } = await openWorld();
    const { secret } = accepted(await createOwnerToken(home, { label: "laptop", actor: OWNER }, ambient));
    const flipped = secret.endsWith("A") ? `${secret.slice(0, -1)}B` : `${secret.slice(0, -1)}A`;
    const wrong = [flipped, secret.slice(0, -1), `${secret}A`, ` ${secret}`, `${secret}\n`, "", "loopx_owner_"];
    for (const text of wrong) expect(await home.read((tx) => findOwnerToken(tx, text))).toBeUndefined();
  });

  test("revoking ends one at once, and only owners revoke", async () => {
    const { home, ambient } = await openWorld();
    const { secret, token } = accepted(await createOwnerToken(home, { label: "laptop", actor: OWNER }, ambient));
    const revoke = (actor: Actor, tokenId = token.token_id): ReturnType<typeof revokeOwnerToken> =>
      revokeOwnerToken(home, { tokenId, actor }, ambient);
    expect(await refusalOf(revoke(AGENT))).toBe("gate_needs_owner");
    expect(await refusalOf(revoke(OWNER, "token_999999"))).toBe("unknown_token");
    expect(accepted(await revoke(TOKEN)).changed).toBe(true);
    expect(await home.read((tx) => findOwnerToken(tx, secret))).toBeUndefined();
    expect(accepted(await revoke(OWNER)).changed).toBe(false);
  });

  test("a home that cannot be written is said by name", async () => {
    const world = await openWorld();
    const home = await world.open("home.db", "read");
    const create = createOwnerToken(home, { label: "x", actor: OWNER }, world.ambient);
    expect(await refusalOf(create)).toBe("home_not_writable");
    const revoke = revokeOwnerToken(home, { tokenId: "token_000001", actor: OWNER }, world.ambient);
    expect(await refusalOf(revoke)).toBe("home_not_writable");
  });

  test("an owner is whoever was proven to be one", () => {
    expect([OWNER, TOKEN].map((actor) => checkOwner(actor, "x"))).toEqual([undefined, undefined]);
    expect([AGENT, { kind: "process", host: "codex" } as const].map((actor) => checkOwner(actor, "x")?.code)).toEqual([
      "gate_needs_owner",
      "gate_needs_owner",
    ]);
  });
});
