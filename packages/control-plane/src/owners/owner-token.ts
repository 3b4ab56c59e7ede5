import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { refuse, type Ambient, type Instant, type Refusal } from "@loopx/contracts";
import type { Database, Transaction } from "@loopx/store";
import type { Actor } from "../agents/agent.ts";
import { checkOwner } from "../agents/check-actor.ts";
import { refuseHome } from "../registry/connect-project.ts";
import { refuseCredential } from "../todos/check-todo-text.ts";

export interface OwnerToken {
  readonly token_id: string;
  readonly label: string;
  readonly created_at: Instant;
  readonly revoked_at: Instant | null;
}

const PREFIX = "loopx_owner_";

/**
 * Creates a token that stands for an owner away from the terminal. Only its digest is stored.
 *
 * Only at an interactive terminal: a token cannot beget another. Refuses with `gate_needs_owner`, `home_not_writable`.
 */
export async function createOwnerToken(
  home: Database,
  request: { readonly label: string; readonly actor: Actor },
  ambient: Pick<Ambient, "now" | "newId">,
): Promise<{ readonly ok: true; readonly token: OwnerToken; readonly secret: string } | Refusal> {
  const { actor } = request;
  if (actor.kind !== "owner" || actor.via !== "terminal") {
    return checkOwner({ kind: "process" }, "create an owner token") as Refusal;
  }
  refuseCredential(request.label, "label");
  if (!home.isWritable) return refuseHome("create the token");
  const tokenId = ambient.newId("token");
  const secret = `${PREFIX}${tokenId}_${randomBytes(24).toString("base64url")}`;
  const token: OwnerToken = { token_id: tokenId, label: request.label, created_at: ambient.now(), revoked_at: null };
  await home.write((tx) =>
    tx.run(
      "INSERT INTO owner_tokens (token_id, label, digest, created_at, revoked_at) VALUES (?, ?, ?, ?, NULL)",
      tokenId,
      token.label,
      digestSecret(secret),
      token.created_at,
    ),
  );
  return { ok: true, token, secret };
}

/** The token that a secret belongs to, or undefined when it is unknown, malformed or revoked. */
export async function findOwnerToken(tx: Transaction, secret: string): Promise<OwnerToken | undefined> {
  const match = /^loopx_owner_(token_[a-z0-9]{6,40})_[A-Za-z0-9_-]{20,64}$/.exec(secret);
  if (match?.[1] === undefined) return undefined;
  const row = await tx.get<OwnerToken & { digest: string }>(
    "SELECT token_id, label, digest, created_at, revoked_at FROM owner_tokens WHERE token_id = ?",
    match[1],
  );
  if (row === undefined || row.revoked_at !== null) return undefined;
  const [stored, given] = [Buffer.from(row.digest), Buffer.from(digestSecret(secret))];
  if (stored.length !== given.length || !timingSafeEqual(stored, given)) return undefined;
  const { digest: _digest, ...token } = row;
  return token;
}

export async function listOwnerTokens(tx: Transaction): Promise<readonly OwnerToken[]> {
  return tx.all<OwnerToken>("SELECT token_id, label, created_at, revoked_at FROM owner_tokens ORDER BY created_at");
}

/** Ends a token at once. One that is revoked already is already so. Owners only. */
export async function revokeOwnerToken(
  home: Database,
  request: { readonly tokenId: string; readonly actor: Actor },
  ambient: Pick<Ambient, "now">,
): Promise<{ readonly ok: true; readonly changed: boolean } | Refusal> {
  const refused = checkOwner(request.actor, "revoke an owner token");
  if (refused !== undefined) return refused;
  if (!home.isWritable) return refuseHome("revoke the token");
  return home.write(async (tx) => {
    const known = await tx.get("SELECT token_id FROM owner_tokens WHERE token_id = ?", request.tokenId);
    if (known === undefined)
      return refuse("unknown_token", { message: "no owner token has this id", hint: "loopx owner token list" });
    const changes = await tx.run(
      "UPDATE owner_tokens SET revoked_at = ? WHERE token_id = ? AND revoked_at IS NULL",
      ambient.now(),
      request.tokenId,
    );
    return { ok: true, changed: changes > 0 };
  });
}

function digestSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
