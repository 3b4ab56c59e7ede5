import { refuse } from "@loopx/contracts";
import { checkOwner, type Actor } from "@loopx/control-plane";
import {
  bindVerified,
  decideDoctor,
  findActive,
  type DoctorReport,
  type ExtensionOperation,
  type OperationResult,
} from "@loopx/extensions";
import { printCommand } from "../../command-line/print-command.ts";
import { parseExtensionId } from "../../extension/extension-id.ts";
import { operate } from "../../extension/operate.ts";
import { sayDoctor } from "../../extension/say-doctor.ts";
import { joinLines, renderFacts, renderNext } from "../../packets/render-facts.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Verifies the program in use; `--execute` starts it, and keeps what came of it. */
export const run: CommandHandler<"extension doctor"> = async (input) => {
  const { flags } = input;
  const extensionId = parseExtensionId(input.positionals);
  const operation: ExtensionOperation = {
    extensionId,
    decide: (state) => decideDoctor(state, extensionId),
    answersUnverified: true,
  };
  const result = await operate(input, operation, { forActor: limitToKnownProgram });
  const report = toReport(result);
  const next = report.verified
    ? []
    : [printCommand("extension doctor", { execute: true }, { positionals: [extensionId] }).shell];
  return {
    packet: { ...report, dry_run: !flags.execute, next },
    text: (style) =>
      joinLines(
        `${style.bold(extensionId)} ${report.version}`,
        renderFacts([["doctor", sayDoctor(report)]], style),
        renderNext(next, style),
      ),
    exitCode: report.verified || (!flags.execute && report.status === "probe_required") ? 0 : 1,
  };
};

/** Without a start the proof on record is what counts, if the program is still the one it is of. */
function toReport({ doctor, before }: OperationResult): DoctorReport {
  if (doctor === undefined) throw new TypeError("the doctor of an extension reported nothing");
  if (doctor.status !== "probe_required" || before === undefined) return doctor;
  const binding = bindVerified({ extension: before.extension, revision: findActive(before) });
  if (binding === undefined) return doctor;
  return { ...doctor, status: "ready", verified: true, entrypoint_identity: binding.entrypointIdentity };
}

/** Taking another program into use loosens; to look at the one that was verified does not. */
function limitToKnownProgram(operation: ExtensionOperation, actor: Actor): ExtensionOperation {
  return {
    ...operation,
    allow: ({ revision, identity }, before) => {
      const known = before?.extension;
      if (known?.verified_revision === revision && known.verified_identity === identity) return undefined;
      if (checkOwner(actor, "") === undefined) return undefined;
      return refuse("gate_needs_owner", {
        message: `${operation.extensionId} has another program than the one that was verified; only an owner may take it into use`,
        hint: `at your own terminal: loopx extension doctor ${operation.extensionId} --execute`,
        details: { extension_id: operation.extensionId },
      });
    },
  };
}
