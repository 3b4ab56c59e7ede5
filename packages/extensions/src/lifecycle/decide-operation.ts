import { refuse, type Instant, type Refusal } from "@loopx/contracts";
import type { Extension, ExtensionRevision, ExtensionState } from "./extension.ts";

/** Kept of an extension; the one that a rollback goes to is always among them. */
const MAX_REVISIONS = 5;

/** The program that the doctor has verified for a change. */
export interface Proof {
  readonly revision: string;
  readonly identity: string;
}

/** What an operation does to an extension; undefined instead of a change says that it is so already. */
export interface OperationPlan {
  readonly extensionId: string;
  /** Whose program is to be verified before anything is written. */
  readonly probe: ExtensionRevision | undefined;
  /** Whether a doctor that verifies nothing takes away the proof there is. */
  readonly erasesProof: boolean;
  /** Undefined: it is so already. The state afterwards, or `remove`. */
  readonly change: ((now: Instant, proof: Proof | undefined) => ExtensionState | "remove") | undefined;
}

export type RevisionDraft = Omit<ExtensionRevision, "ordinal" | "recorded_at" | "extension_id">;

/** Takes up an extension for the first time. The same manifest from the same folder again is no change. */
export function decideInstall(state: ExtensionState | undefined, draft: RevisionDraft): OperationPlan | Refusal {
  const extensionId = draft.manifest.provider.id;
  if (state === undefined) return planRecord(undefined, draft);
  if (isActive(state, draft)) return planNothing(extensionId);
  return refuse("extension_state_conflict", {
    message: `${extensionId} is installed already, with another manifest or from another folder`,
    hint: "loopx extension upgrade --manifest=<path>",
    details: { extension_id: extensionId, active_revision: state.extension.active_revision },
  });
}

/** Goes to another manifest, or to the same one in another place; the one before is what a rollback goes to. */
export function decideUpgrade(state: ExtensionState | undefined, draft: RevisionDraft): OperationPlan | Refusal {
  const extensionId = draft.manifest.provider.id;
  if (state === undefined) return toUnknown(extensionId);
  return isActive(state, draft) ? planNothing(extensionId) : planRecord(state, draft);
}

/** Lets an extension be used again, once its doctor has verified it. */
export function decideEnable(state: ExtensionState | undefined, extensionId: string): OperationPlan | Refusal {
  if (state === undefined) return toUnknown(extensionId);
  if (state.extension.enabled) return planNothing(extensionId);
  return planProven(state, { revision: findActive(state), fields: { enabled: true }, erasesProof: true });
}

/** Takes an extension out of use; its proof stays on record. */
export function decideDisable(state: ExtensionState | undefined, extensionId: string): OperationPlan | Refusal {
  if (state === undefined) return toUnknown(extensionId);
  if (!state.extension.enabled) return planNothing(extensionId);
  return {
    ...planNothing(extensionId),
    change: (now) => ({ ...state, extension: toChanged(state.extension, { enabled: false }, now) }),
  };
}

/** Goes back to the revision before, which the doctor verifies anew; a second time goes forward again. */
export function decideRollback(state: ExtensionState | undefined, extensionId: string): OperationPlan | Refusal {
  if (state === undefined) return toUnknown(extensionId);
  const { active_revision: active, rollback_revision: target } = state.extension;
  const revision = state.revisions.find((each) => each.revision === target);
  if (target === null || revision === undefined) {
    return refuse("extension_state_conflict", {
      message: `${extensionId} has no earlier revision to go back to`,
      hint: "loopx extension list",
      details: { extension_id: extensionId },
    });
  }
  const fields = { enabled: true, active_revision: target, rollback_revision: active };
  return planProven(state, { revision, fields, erasesProof: false });
}

/** Verifies the program in use; what isn't verified loses its proof. */
export function decideDoctor(state: ExtensionState | undefined, extensionId: string): OperationPlan | Refusal {
  if (state === undefined) return toUnknown(extensionId);
  return planProven(state, { revision: findActive(state), fields: {}, erasesProof: true });
}

/** Forgets an extension that is out of use. */
export function decideRemove(state: ExtensionState | undefined, extensionId: string): OperationPlan | Refusal {
  if (state === undefined) return toUnknown(extensionId);
  if (state.extension.enabled) {
    return refuse("extension_state_conflict", {
      message: `${extensionId} is enabled; only a disabled extension is removed`,
      hint: `loopx extension disable ${extensionId} --execute`,
      details: { extension_id: extensionId },
    });
  }
  return { ...planNothing(extensionId), change: () => "remove" };
}

/** The state without the proof. */
export function withoutProof(state: ExtensionState, now: Instant): ExtensionState {
  const fields = { verified_revision: null, verified_identity: null };
  return { ...state, extension: toChanged(state.extension, fields, now) };
}

function planNothing(extensionId: string): OperationPlan {
  return { extensionId, probe: undefined, erasesProof: false, change: undefined };
}

function planProven(
  state: ExtensionState,
  {
    revision,
    fields,
    erasesProof,
  }: { readonly revision: ExtensionRevision; readonly fields: Partial<Extension>; readonly erasesProof: boolean },
): OperationPlan {
  return {
    extensionId: state.extension.extension_id,
    probe: revision,
    erasesProof,
    change: (now, proof) => ({
      ...state,
      extension: toChanged(state.extension, { ...fields, ...toProofFields(proof) }, now),
    }),
  };
}

function planRecord(state: ExtensionState | undefined, draft: RevisionDraft): OperationPlan {
  const extensionId = draft.manifest.provider.id;
  const ordinal = 1 + Math.max(0, ...(state?.revisions ?? []).map((each) => each.ordinal));
  const toRevision = (now: Instant): ExtensionRevision => ({
    ...draft,
    extension_id: extensionId,
    ordinal,
    recorded_at: now,
  });
  return {
    extensionId,
    // The time it is recorded at is no part of what is verified.
    probe: { ...toRevision("" as Instant) },
    erasesProof: false,
    change: (now, proof) => {
      const extension = {
        extension_id: extensionId,
        enabled: true,
        active_revision: draft.revision,
        rollback_revision: findRollback(state?.extension, draft.revision),
        ...toProofFields(proof),
        change_count: (state?.extension.change_count ?? 0) + 1,
        changed_at: now,
      };
      const kept = keepRevisions(state?.revisions ?? [], toRevision(now), extension.rollback_revision);
      return { extension, revisions: kept };
    },
  };
}

/** The same manifest in another place has no other one to go back to than before. */
function findRollback(extension: Extension | undefined, revision: string): string | null {
  if (extension === undefined) return null;
  return extension.active_revision === revision ? extension.rollback_revision : extension.active_revision;
}

function keepRevisions(
  revisions: readonly ExtensionRevision[],
  added: ExtensionRevision,
  rollback: string | null,
): readonly ExtensionRevision[] {
  const others = revisions.filter(({ revision }) => revision !== added.revision);
  const required = others.filter(({ revision }) => revision === rollback);
  const rest = others.filter(({ revision }) => revision !== rollback);
  const room = MAX_REVISIONS - 1 - required.length;
  return [...rest.slice(Math.max(0, rest.length - room)), ...required, added].toSorted(
    (left, right) => left.ordinal - right.ordinal,
  );
}

function isActive(state: ExtensionState, draft: RevisionDraft): boolean {
  const active = findActive(state);
  return active.revision === draft.revision && active.folder === draft.folder && active.entrypoint === draft.entrypoint;
}

export function findActive({ extension, revisions }: ExtensionState): ExtensionRevision {
  const active = revisions.find(({ revision }) => revision === extension.active_revision);
  if (active === undefined) throw new TypeError("an extension has lost the revision in use");
  return active;
}

function toChanged(extension: Extension, fields: Partial<Extension>, now: Instant): Extension {
  return { ...extension, ...fields, change_count: extension.change_count + 1, changed_at: now };
}

function toProofFields(proof: Proof | undefined): Pick<Extension, "verified_revision" | "verified_identity"> {
  return { verified_revision: proof?.revision ?? null, verified_identity: proof?.identity ?? null };
}

function toUnknown(extensionId: string): Refusal {
  return refuse("unknown_extension", {
    message: `no extension ${extensionId} is installed`,
    hint: "loopx extension list",
    details: { extension_id: extensionId },
  });
}
