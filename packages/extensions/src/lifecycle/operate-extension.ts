import { fromRefusal, LoopxError, type Ambient, type Refusal } from "@loopx/contracts";
import type { Database } from "@loopx/store";
import { previewProgram, probeProgram, type DoctorReport, type ProbeWorld } from "../doctor/probe-program.ts";
import { withoutProof, type OperationPlan, type Proof } from "./decide-operation.ts";
import type { ExtensionState } from "./extension.ts";
import { deleteExtension, findExtensionState, replaceRevisions, saveExtension } from "./extension-rows.ts";

/** One operation on one extension, decided anew on what the store holds. */
export interface ExtensionOperation {
  readonly extensionId: string;
  readonly decide: (state: ExtensionState | undefined) => OperationPlan | Refusal;
  /** Gives what the doctor found as the result, also where it verified nothing. */
  readonly answersUnverified?: true;
  /** Whether a caller may take a program into use that was verified; it is asked before anything is written. */
  readonly allow?: (proof: Proof, before: ExtensionState | undefined) => Refusal | undefined;
}

/** What an operation did, or would do. */
export interface OperationResult {
  readonly changed: boolean;
  readonly wouldChange: boolean;
  readonly before: ExtensionState | undefined;
  /** Undefined where it is removed, or not there. */
  readonly after: ExtensionState | undefined;
  /** Where a program was, or is to be, verified. */
  readonly doctor: DoctorReport | undefined;
}

/** What an operation would do. Reads only, and starts nothing. */
export async function previewOperation(
  home: Database | undefined,
  operation: ExtensionOperation,
): Promise<OperationResult> {
  const before = await readState(home, operation.extensionId);
  const plan = decide(operation, before);
  return {
    changed: false,
    wouldChange: plan.change !== undefined,
    before,
    after: before,
    doctor: plan.probe === undefined ? undefined : previewProgram(plan.probe),
  };
}

/**
 * Carries an operation out. The program is verified first, while no lock is held; then the change is written if the
 * extension is still as it was read.
 *
 * Refuses with `extension_changed` where another process was faster, with `extension_not_ready` where the doctor verified
 * nothing, and with what the decision refuses with.
 */
export async function carryOutOperation(
  home: Database,
  operation: ExtensionOperation,
  world: ProbeWorld & Pick<Ambient, "now">,
): Promise<OperationResult> {
  const before = await readState(home, operation.extensionId);
  const plan = decide(operation, before);
  if (plan.change === undefined) {
    return { changed: false, wouldChange: false, before, after: before, doctor: undefined };
  }
  const doctor = plan.probe === undefined ? undefined : await probeProgram(plan.probe, world);
  const identity = doctor?.entrypoint_identity ?? undefined;
  if (doctor !== undefined && identity === undefined) {
    if (plan.erasesProof && before !== undefined && doctor.failure_kind !== "probe_aborted") {
      await replaceState(home, before, withoutProof(before, world.now()));
    }
    if (operation.answersUnverified === true)
      return { changed: true, wouldChange: true, before, after: before, doctor };
    throw toNotReadyError(doctor);
  }
  const proof =
    plan.probe === undefined || identity === undefined ? undefined : { revision: plan.probe.revision, identity };
  const refused = proof === undefined ? undefined : operation.allow?.(proof, before);
  if (refused !== undefined) throw fromRefusal(refused);
  const changed = plan.change(world.now(), proof);
  await replaceState(home, before ?? operation.extensionId, changed);
  return { changed: true, wouldChange: true, before, after: changed === "remove" ? undefined : changed, doctor };
}

async function readState(home: Database | undefined, extensionId: string): Promise<ExtensionState | undefined> {
  return home?.read((tx) => findExtensionState(tx, extensionId));
}

function decide(operation: ExtensionOperation, state: ExtensionState | undefined): OperationPlan {
  const plan = operation.decide(state);
  if ("ok" in plan) throw fromRefusal(plan);
  return plan;
}

/** Compare and swap: the lock is held for the comparison and the writing alone. */
async function replaceState(
  home: Database,
  seen: ExtensionState | string,
  next: ExtensionState | "remove",
): Promise<void> {
  const extensionId = typeof seen === "string" ? seen : seen.extension.extension_id;
  await home.write(async (tx) => {
    const current = await findExtensionState(tx, extensionId);
    if (!isSame(current, typeof seen === "string" ? undefined : seen)) throw toChangedError(extensionId);
    if (next === "remove") {
      await deleteExtension(tx, extensionId);
      return;
    }
    await saveExtension(tx, next.extension);
    await replaceRevisions(tx, extensionId, next.revisions);
  });
}

/** An extension that was removed and installed again counts from one again, at another time. */
function isSame(current: ExtensionState | undefined, seen: ExtensionState | undefined): boolean {
  return (
    current?.extension.change_count === seen?.extension.change_count &&
    current?.extension.changed_at === seen?.extension.changed_at
  );
}

function toChangedError(extensionId: string): LoopxError {
  return new LoopxError("extension_changed", {
    message: `${extensionId} was changed by another command meanwhile; nothing was written`,
    hint: "look at it with loopx extension list, then run the command again",
    details: { extension_id: extensionId },
  });
}

const NOT_READY: Readonly<Record<DoctorReport["status"], string>> = {
  ready: "was verified",
  probe_required: "was not probed",
  entrypoint_missing: "its program is not there or cannot be executed",
  doctor_not_configured: "its manifest names no doctor_args, so nothing can verify it",
  provider_unavailable: "its doctor did not verify it",
};

function toNotReadyError({ extension_id: id, status, failure_kind: failure }: DoctorReport): LoopxError {
  return new LoopxError("extension_not_ready", {
    message: `${id} is not ready: ${NOT_READY[status]}${failure === null ? "" : ` (${failure})`}; it was not taken into use`,
    hint: "loopx extension check <path>",
    details: { extension_id: id, status, failure_kind: failure },
  });
}
