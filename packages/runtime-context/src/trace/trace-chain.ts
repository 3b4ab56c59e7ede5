import { toCanonicalJson, type Instant } from "@loopx/contracts";
import type { DigestVerdict, KeyedDigest, KeyRing } from "../keys/key-ring.ts";

/** One writer's traces of one month under one key. A chain is only ever extended, so its parts can be checked alone. */
export interface ChainName {
  readonly writer: string;
  /** The month, `2026-11`. */
  readonly partition: string;
  readonly keyId: string;
  /** It must be in the register of its key. Chains of earlier versions need not, and are not extended any more. */
  readonly isRegistered?: true;
}

export interface ChainEntry {
  /** 1, 2, 3 … */
  readonly sequence: number;
  readonly mac: string;
  /** The trace's JSON, as stored. */
  readonly json: string;
}

/** How long a chain is and how it ends, signed: without it a cut-off tail would leave a whole chain. */
export interface ChainHead {
  readonly count: number;
  readonly mac: string;
  readonly signature: string;
}

/**
 * What went from the beginning of a chain because it was old, signed: the chain goes on from its `mac`. Without it what is gone
 * would look like what somebody took.
 */
export interface ChainPruning {
  /** How many traces, from the first on. */
  readonly count: number;
  /** Of the last of them. */
  readonly mac: string;
  /** All of them had begun before this moment. */
  readonly before: Instant;
  readonly at: Instant;
  readonly signature: string;
}

/** What is said of a chain beside its entries. */
export interface ChainEnds extends ChainHead {
  readonly pruning?: ChainPruning;
}

/** `firstBadSequence` is the first trace that is not as it was written, or not there. */
export type ChainVerdict =
  | { readonly ok: true; readonly count: number; readonly pruned?: Omit<ChainPruning, "mac" | "signature"> }
  | { readonly ok: false; readonly firstBadSequence: number; readonly problem: ChainProblem };

export type ChainProblem =
  | "ENTRY_ALTERED"
  | "ENTRY_MISSING"
  | "TAIL_MISSING"
  | "HEAD_ALTERED"
  | "PRUNING_ALTERED"
  | "KEY_DESTROYED"
  | "KEY_UNKNOWN";

/** The text form of a chain's name, and its key in the store. */
export function toChainKey({ writer, partition, keyId, isRegistered }: ChainName): string {
  return `${writer}/${partition}/${keyId}${isRegistered === true ? `/${REGISTERED}` : ""}`;
}

export function parseChainKey(chain: string): ChainName {
  const [writer = "", partition = "", keyId = "", mark] = chain.split("/");
  return { writer, partition, keyId, ...(mark === REGISTERED ? { isRegistered: true } : {}) };
}

/** A part of the name, so of all that is signed: nobody makes a chain one that needn't be in a register. */
const REGISTERED = "registered";

/** The head of a chain without entries. */
export function openChain(ring: KeyRing, name: ChainName): ChainHead {
  return signHead(ring, name, { count: 0, mac: "" });
}

/** The head after one more trace; its `mac` and `count` are the entry's. The ring's active key must be the chain's. */
export function extendChain(ring: KeyRing, name: ChainName, head: ChainHead, json: string): ChainHead {
  const count = head.count + 1;
  const mac = ring.keyedDigest("trace-chain", toEntryText(name, { sequence: count, previous: head.mac, json }));
  return signHead(ring, name, { count, mac });
}

/** Whether a head is as some holder of the key wrote it. */
export function verifyHead(ring: KeyRing, name: ChainName, head: ChainHead): DigestVerdict {
  return ring.verify("trace-chain", toHeadText(name, head), head.signature);
}

/** Says of a chain that its beginning was pruned. Under the chain's key, or the ring's active one where that is destroyed. */
export function signPruning(ring: KeyRing, name: ChainName, pruning: Omit<ChainPruning, "signature">): ChainPruning {
  const signer = ring.liveKeyIds.includes(name.keyId) ? ring.under(name.keyId) : ring;
  return { ...pruning, signature: signer.keyedDigest("trace-chain", toPruningText(name, pruning)) };
}

/** Whether a pruning is as some holder of the keys recorded it. */
export function verifyPruning(ring: KeyRing, name: ChainName, pruning: ChainPruning): DigestVerdict {
  return ring.verify("trace-chain", toPruningText(name, pruning), pruning.signature);
}

/** Whether one trace is as it was written, at its place behind the one whose MAC is `previous`. */
export function verifyEntry(
  ring: KeyRing,
  name: ChainName,
  { mac, ...entry }: ChainEntry & { readonly previous: string },
): DigestVerdict {
  return ring.verify("trace-chain", toEntryText(name, entry), mac);
}

/**
 * Walks a chain from its first entry to its head, in order of sequence, and names the first that is bad. Of a chain that was pruned
 * the first is the one behind what went, and the count is of what is there.
 *
 * Whoever holds the key, or restores an older copy of the whole store, is not detected.
 */
export async function verifyChain(
  ring: KeyRing,
  name: ChainName,
  { pruning, ...head }: ChainEnds,
  entries: Iterable<ChainEntry> | AsyncIterable<ChainEntry>,
): Promise<ChainVerdict> {
  const pruned = pruning === undefined ? "match" : verifyPruning(ring, name, pruning);
  if (pruned !== "match") return bad(1, toProblem(pruned, "PRUNING_ALTERED"));
  let previous = pruning?.mac ?? "";
  let count = pruning?.count ?? 0;
  for await (const { sequence, mac, json } of entries) {
    count += 1;
    if (sequence !== count) return bad(count, "ENTRY_MISSING");
    const verdict = verifyEntry(ring, name, { sequence, previous, json, mac });
    if (verdict !== "match") return bad(count, toProblem(verdict, "ENTRY_ALTERED"));
    previous = mac;
  }
  const verdict = verifyHead(ring, name, head);
  if (verdict !== "match") return bad(count + 1, toProblem(verdict, "HEAD_ALTERED"));
  if (count < head.count) return bad(count + 1, "TAIL_MISSING");
  if (count !== head.count || previous !== head.mac) return bad(head.count + 1, "HEAD_ALTERED");
  if (pruning === undefined) return { ok: true, count };
  const { count: prunedCount, before, at } = pruning;
  return { ok: true, count: count - prunedCount, pruned: { count: prunedCount, before, at } };
}

function signHead(ring: KeyRing, name: ChainName, head: { readonly count: number; readonly mac: string }): ChainHead {
  const signature: KeyedDigest = ring.keyedDigest("trace-chain", toHeadText(name, head));
  return { ...head, signature };
}

function toHeadText(name: ChainName, head: { readonly count: number; readonly mac: string }): string {
  return toCanonicalJson(["head", toChainKey(name), head.count, head.mac]);
}

function toPruningText(name: ChainName, { count, mac, before, at }: Omit<ChainPruning, "signature">): string {
  return toCanonicalJson(["pruned", toChainKey(name), count, mac, before, at]);
}

/** The trace stands last and as it is, behind a list that ends with its bracket: no two entries share a text. */
function toEntryText(
  name: ChainName,
  { sequence, previous, json }: { readonly sequence: number; readonly previous: string; readonly json: string },
): string {
  return `${toCanonicalJson(["entry", toChainKey(name), sequence, previous])}\n${json}`;
}

function bad(firstBadSequence: number, problem: ChainProblem): ChainVerdict {
  return { ok: false, firstBadSequence, problem };
}

function toProblem(verdict: Exclude<DigestVerdict, "match">, mismatch: ChainProblem): ChainProblem {
  switch (verdict) {
    case "mismatch":
      return mismatch;
    case "key_destroyed":
      return "KEY_DESTROYED";
    case "key_unknown":
      return "KEY_UNKNOWN";
    default:
      return verdict satisfies never;
  }
}
