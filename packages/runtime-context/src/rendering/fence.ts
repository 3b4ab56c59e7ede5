import type { Fence } from "@loopx/contracts";
import type { KeyRing } from "../keys/key-ring.ts";

/** 72 bits. */
const NONCE_DIGITS = 18;

/**
 * The fence of one turn. Its nonce needs the render key, so no content can know it, and the trace id, so replay reproduces
 * it. `keyId` names the key a recorded turn was rendered with; the active one when left out.
 */
export function createFence(ring: KeyRing, traceId: string, keyId?: string): Fence {
  return { nonceOf: (draw) => ring.toHex("render", `${traceId}\n${draw}`, keyId).slice(0, NONCE_DIGITS) };
}
