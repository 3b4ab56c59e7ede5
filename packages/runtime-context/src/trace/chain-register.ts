import { LoopxError, parseStrictJson, toCanonicalJson } from "@loopx/contracts";
import type { Transaction } from "@loopx/store";
import type { KeyRing } from "../keys/key-ring.ts";
import { parseChainKey, toChainKey, verifyHead, type ChainHead, type ChainName } from "./trace-chain.ts";

/**
 * Which chains there are under one key of one deployment, signed with that key: without it a chain that is deleted together
 * with its head would leave a whole store.
 *
 * It begins with the keys that the store has registers of by then, so that none of those goes unnoticed either.
 */
export interface ChainRegister {
  readonly keyId: string;
  /** Differs where another keyset has a key of this id too: their registers are not each other's. */
  readonly keyMark: string;
  readonly earlierKeys: readonly string[];
  /** By `toChainKey`, as they were opened. */
  readonly chains: readonly string[];
  readonly isAsSigned: boolean;
}

/** Every register of the ring's deployment, those under keys that it can't check with too. */
export async function listRegisters(tx: Transaction, ring: KeyRing): Promise<readonly ChainRegister[]> {
  const rows = await tx.all<StoredRegister>(
    `SELECT key_id AS "keyId", key_mark AS "keyMark", document, signature FROM trace_registers
     WHERE deployment = ? ORDER BY key_id, key_mark`,
    ring.deployment,
  );
  return rows.map((row) => {
    const { keyId, keyMark } = row;
    return { keyId, keyMark, ...parseRegister(row.document), isAsSigned: isAsSigned(ring, row) };
  });
}

/**
 * Notes a chain that is about to be opened under the ring's active key.
 *
 * Refuses with `store_corrupt` where the register isn't as it was signed, is gone, or has that chain already: signing it anew
 * would hide what was deleted.
 */
export async function registerChain(tx: Transaction, ring: KeyRing, name: ChainName): Promise<void> {
  const registers = await listRegisters(tx, ring);
  const chain = toChainKey(name);
  const mark = toKeyMark(ring);
  const register = registers.find((each) => each.keyId === name.keyId && each.keyMark === mark);
  const isWhole =
    register === undefined
      ? !(await hasRegisteredChain(tx, ring, name.keyId))
      : register.isAsSigned && !register.chains.includes(chain);
  if (!isWhole) {
    throw new LoopxError("store_corrupt", {
      message: `a trace chain under key ${name.keyId}, or the list of them, is gone or was altered; no trace was added`,
      hint: "look at the store with loopx context traces verify, and record into another store",
    });
  }
  const earlier = [...new Set(registers.map(({ keyId }) => keyId))];
  const { earlierKeys, chains } = register ?? { earlierKeys: earlier, chains: [] };
  const document = toCanonicalJson({ earlierKeys, chains: [...chains, chain] });
  await tx.run(
    `INSERT INTO trace_registers (deployment, key_id, key_mark, document, signature) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (deployment, key_id, key_mark) DO UPDATE SET document = excluded.document, signature = excluded.signature`,
    ring.deployment,
    name.keyId,
    mark,
    document,
    ring.keyedDigest("trace-chain", toRegisterText(name.keyId, document)),
  );
}

/** Says nothing of the key but whether it is the same. */
function toKeyMark(ring: KeyRing): string {
  return ring.toHex("trace-chain", "register").slice(0, 16);
}

interface StoredRegister {
  readonly keyId: string;
  readonly keyMark: string;
  readonly document: string;
  readonly signature: string;
}

function isAsSigned(ring: KeyRing, { keyId, document, signature }: StoredRegister): boolean {
  // A signature of another key says nothing of the chains under this one.
  const isOfKey = signature.startsWith(`hmac-sha256:${keyId}:`);
  return isOfKey && ring.verify("trace-chain", toRegisterText(keyId, document), signature) === "match";
}

function toRegisterText(keyId: string, document: string): string {
  return toCanonicalJson(["register", keyId, document]);
}

/** Of a text that nobody signed nothing is left. */
function parseRegister(document: string): Pick<ChainRegister, "earlierKeys" | "chains"> {
  try {
    const written: unknown = parseStrictJson(document);
    const { earlierKeys, chains } = Object(written) as Readonly<Record<string, unknown>>;
    return { earlierKeys: listTexts(earlierKeys), chains: listTexts(chains) };
  } catch {
    return { earlierKeys: [], chains: [] };
  }
}

function listTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];
}

/** Whether the ring signed the head of a chain that must be in the register. */
async function hasRegisteredChain(tx: Transaction, ring: KeyRing, keyId: string): Promise<boolean> {
  const rows = await tx.all<{ readonly chain: string } & ChainHead & object>(
    "SELECT chain, entry_count AS count, mac, signature FROM trace_chains",
  );
  return rows.some(({ chain, ...head }) => {
    const name = parseChainKey(chain);
    return name.keyId === keyId && name.isRegistered === true && verifyHead(ring, name, head) === "match";
  });
}
