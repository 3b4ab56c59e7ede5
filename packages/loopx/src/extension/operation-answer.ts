import { findActive, type ExtensionState, type OperationResult } from "@loopx/extensions";
import type { CommandResult } from "../output/command-result.ts";
import { joinLines, OWNER_RUNS_THESE, renderFacts, renderNext } from "../packets/render-facts.ts";
import type { OperationName } from "./operate.ts";
import { sayDoctor } from "./say-doctor.ts";

/** What a lifecycle command answers with besides its result. */
export interface OperationAnswer {
  readonly name: OperationName;
  readonly extensionId: string;
  readonly isExecuted: boolean;
  /** Where an operation goes to another revision: which. */
  readonly target?: { readonly revision: string; readonly version: string };
  readonly next: readonly string[];
  /** Whether only an owner carries out what comes next. */
  readonly isOwnersNext: boolean;
}

/** `loopx_extension_operation_v0`, and the same for people. */
export function answerOperation(result: OperationResult, answer: OperationAnswer): CommandResult {
  const { before, after, doctor, changed, wouldChange } = result;
  const { name, extensionId, isExecuted, target, next } = answer;
  const shown = after ?? before;
  const earlier = name === "rollback" && !changed && wouldChange ? findEarlier(before) : undefined;
  const version =
    (target ?? earlier)?.version ?? (shown === undefined ? null : findActive(shown).manifest.provider.version);
  return {
    packet: {
      ok: true,
      schema_version: "loopx_extension_operation_v0",
      operation: name,
      dry_run: !isExecuted,
      changed,
      would_change: wouldChange,
      extension_id: extensionId,
      version,
      ...(target === undefined
        ? { active_revision: after?.extension.active_revision ?? null }
        : { revision: target.revision, previous_revision: findPrevious(before, target.revision) }),
      enabled: after === undefined ? null : after.extension.enabled,
      rollback_available: (after?.extension.rollback_revision ?? null) !== null,
      ...(doctor === undefined ? {} : { doctor }),
      next,
    },
    text: (style) =>
      joinLines(
        `${sayDone(result, answer)} ${style.bold(extensionId)}${version === null ? "" : ` ${version}`}`,
        renderFacts(
          [
            ["doctor", doctor === undefined ? null : sayDoctor(doctor)],
            ["revision", (target ?? earlier)?.revision ?? after?.extension.active_revision ?? null],
            ["state", after === undefined ? null : sayState(after)],
          ],
          style,
        ),
        renderNext(next, style, answer.isOwnersNext ? OWNER_RUNS_THESE : undefined),
      ),
  };
}

/** What a rollback would go to. */
function findEarlier(state: ExtensionState | undefined): OperationAnswer["target"] {
  const revision = state?.revisions.find((each) => each.revision === state.extension.rollback_revision);
  return revision === undefined
    ? undefined
    : { revision: revision.revision, version: revision.manifest.provider.version };
}

function findPrevious(before: ExtensionState | undefined, revision: string): string | null {
  const active = before?.extension.active_revision;
  return active === undefined || active === revision ? null : active;
}

const DONE: Readonly<Record<OperationName, readonly [done: string, already: string]>> = {
  install: ["installed", "already installed:"],
  upgrade: ["upgraded", "already in use:"],
  enable: ["enabled", "already enabled:"],
  disable: ["disabled", "already disabled:"],
  rollback: ["rolled back", "already in use:"],
  doctor: ["verified", "already verified:"],
  remove: ["removed", "already removed:"],
};

function sayDone({ changed, wouldChange }: OperationResult, { name }: OperationAnswer): string {
  if (changed) return DONE[name][0];
  return wouldChange ? `would be ${DONE[name][0]}:` : DONE[name][1];
}

function sayState({ extension }: ExtensionState): string {
  return extension.enabled ? "enabled" : "disabled";
}
