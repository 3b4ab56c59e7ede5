import { findCredentialRule } from "./answer/credential-scan.ts";
import type { ProviderFault } from "./provider-fault.ts";

/** Seed 004, Bounds and safety. The declared pattern is the kernel's to check. */
const LOOKUP_VALUE = /^[A-Za-z0-9][A-Za-z0-9._:@-]{0,255}$/;

/**
 * Why a lookup value may not be sent, or undefined.
 *
 * The base pattern leaves room for tokens, so a caller that hands over a credential as a record's key is refused too.
 */
export function findLookupValueFault(value: string): ProviderFault | undefined {
  if (!LOOKUP_VALUE.test(value)) return { status: "INVALID_REQUEST", reason: "VALUE_MALFORMED" };
  const isCredential = findCredentialRule(value) !== undefined;
  return isCredential ? { status: "INVALID_REQUEST", reason: "VALUE_IS_CREDENTIAL" } : undefined;
}
