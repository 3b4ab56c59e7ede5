import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { LoopxError } from "@loopx/contracts";
import { readProfile, sketchProfile } from "@loopx/decision-context";
import { toFileError, writeNewFile } from "@loopx/store";
import { printCommand } from "../../command-line/print-command.ts";
import { joinLines, renderFacts, renderNext } from "../../packets/render-facts.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Writes a new profile with mode 0600, or shows it. A file that is there is never replaced. */
export const run: CommandHandler<"decision-context init-profile"> = ({ flags, ambient }) => {
  const profile = sketchProfile({
    goalId: flags.goalId,
    agentIds: [flags.agentId],
    extensionId: flags.extensionId ?? null,
    sourceFile: flags.sourceFile === undefined ? null : resolve(ambient.cwd, flags.sourceFile),
  });
  const read = readProfile(profile);
  if (!read.ok) {
    const [first] = read.problems;
    throw new LoopxError("invalid_value", {
      message: `the profile would break a rule: ${first?.pointer ?? ""} ${first?.message ?? ""}`,
      details: { problems: read.problems },
    });
  }
  if (flags.execute) writeNew(resolve(ambient.cwd, flags.output), `${JSON.stringify(profile, null, 2)}\n`);
  const inspect = { goalId: flags.goalId, agentId: flags.agentId, profile: flags.output };
  const next = flags.execute
    ? printCommand("decision-context inspect-profile", inspect).shell
    : printCommand("decision-context init-profile", { ...flags, execute: true }).shell;
  return {
    packet: {
      ok: true,
      schema_version: "loopx_decision_context_init_profile_v1",
      dry_run: !flags.execute,
      changed: flags.execute,
      goal_id: flags.goalId,
      enabled_agents: profile.enabled_agents,
      source_count: profile.sources.length,
      extension_id: flags.extensionId ?? null,
      mode: "0600",
      next: [next],
    },
    text: (style) =>
      joinLines(
        style.bold(flags.execute ? "profile written" : "preview: nothing was written"),
        renderFacts(
          [
            ["active state id", flags.goalId],
            ["agents", profile.enabled_agents.join(", ")],
            ["recall by", flags.extensionId ?? "the only extension that is ready"],
            ["authority", saySource(flags.sourceFile, ambient.cwd)],
          ],
          style,
        ),
        renderNext([next], style),
      ),
  };
};

function saySource(file: string | undefined, cwd: string): string {
  if (file === undefined) return "none: the profile only recalls";
  return existsSync(resolve(cwd, file)) ? file : `${file}: not there yet, and until it is a review stays incomplete`;
}

function writeNew(path: string, text: string): void {
  try {
    if (writeNewFile(path, text, 0o600)) return;
  } catch (error) {
    throw toFileError(error, "the file named with --output");
  }
  throw new LoopxError("file_not_writable", {
    message: "the file named with --output is there already; it was left as it is",
    hint: "name a new file, or change that one by hand",
    details: { field: "output" },
  });
}
