import type { Instant } from "@loopx/contracts";
import type { ExtensionManifest } from "../manifest/manifest.ts";

/** An installed extension: which revision is in use, and what its doctor proved of which program. */
export interface Extension {
  readonly extension_id: string;
  readonly enabled: boolean;
  readonly active_revision: string;
  /** What `rollback` goes to. */
  readonly rollback_revision: string | null;
  /** The revision the doctor last verified, and the identity the program had then. Both or neither. */
  readonly verified_revision: string | null;
  readonly verified_identity: string | null;
  /** Grows with every change: what a command read is still so if this is. */
  readonly change_count: number;
  readonly changed_at: Instant;
}

/** One manifest of an extension, with where it and its program were found. */
export interface ExtensionRevision {
  readonly extension_id: string;
  readonly revision: string;
  readonly manifest: ExtensionManifest;
  /** Absolute: the folder of the manifest. */
  readonly folder: string;
  /** Absolute: the program as it was found when the revision was recorded. */
  readonly entrypoint: string;
  /** In the order they were recorded. */
  readonly ordinal: number;
  readonly recorded_at: Instant;
}

/** An extension with the revision in use. */
export interface ActiveExtension {
  readonly extension: Extension;
  readonly revision: ExtensionRevision;
}

/** All that is kept of an extension; its revisions oldest first. */
export interface ExtensionState {
  readonly extension: Extension;
  readonly revisions: readonly ExtensionRevision[];
}
