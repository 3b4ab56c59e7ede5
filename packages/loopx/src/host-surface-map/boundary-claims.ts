import { findSensitive, type SensitiveKind } from "@loopx/contracts";
import { isLoopback } from "../context/loopback.ts";

/** What a map claims not to carry; each is the result of the look that was taken at it. */
export interface BoundaryClaims {
  readonly raw_transcripts_copied: boolean;
  readonly credentials_copied: boolean;
  readonly private_paths_copied: boolean;
  readonly remote_bind_default: boolean;
}

/** Looks through everything that a packet says. `defaultHosts` are the addresses that servers take unless told otherwise. */
export function scanBoundary(packet: object, defaultHosts: readonly string[]): BoundaryClaims {
  const text = JSON.stringify(packet);
  const kinds = new Set<SensitiveKind>(findSensitive(text).map(({ kind }) => kind));
  return {
    // The names under which hosts hand over what was said: no other text is in a map.
    raw_transcripts_copied: /"(?:raw_[a-z_]*|transcript[a-z_]*|messages?|(?:request|response)_body)":/.test(text),
    credentials_copied: kinds.has("credential"),
    private_paths_copied: kinds.has("local_path"),
    remote_bind_default: defaultHosts.some((host) => !isLoopback(host)),
  };
}
