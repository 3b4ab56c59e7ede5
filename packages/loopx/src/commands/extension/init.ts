import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { LoopxError } from "@loopx/contracts";
import { renderStarter, type StarterLanguage } from "@loopx/extensions";
import { toFileError } from "@loopx/store";
import { printCommand } from "../../command-line/print-command.ts";
import { parseExtensionId } from "../../extension/extension-id.ts";
import { joinLines, renderFacts, renderNext } from "../../packets/render-facts.ts";
import type { CommandHandler } from "../command-handler.ts";

const FIRST_VERSION = "0.1.0";

/** Writes a new extension that keeps its contract as it stands; without `--execute` says which files that are. */
export const run: CommandHandler<"extension init"> = ({ flags, positionals, ambient }) => {
  const id = parseExtensionId(positionals);
  const version = parseVersion(flags.initialVersion ?? FIRST_VERSION);
  const { destination = id, execute, language } = flags;
  const folder = resolve(ambient.cwd, destination);
  const files = renderStarter({ id, version, language: language satisfies StarterLanguage });
  if (existsSync(folder)) {
    throw new LoopxError("file_not_writable", {
      message: "the folder of the new extension is there already; nothing was written",
      hint: "name a new folder with --destination",
      details: { field: "destination" },
    });
  }
  if (execute) writeFiles(folder, files);
  const next = execute
    ? printCommand("extension check", {}, { positionals: [destination] })
    : printCommand("extension init", { ...flags, execute: true }, { positionals: [id] });
  const names = files.map(({ name }) => name);
  return {
    packet: {
      ok: true,
      schema_version: "loopx_extension_operation_v0",
      operation: "init",
      dry_run: !execute,
      changed: execute,
      would_change: true,
      extension_id: id,
      version,
      files: names,
      next: [next.shell],
    },
    text: (style) =>
      joinLines(
        `${execute ? "wrote" : "would write"} ${style.bold(id)} ${version}`,
        renderFacts([["files", `${destination}: ${names.join(", ")}`]], style),
        renderNext([next.shell], style),
      ),
  };
};

function writeFiles(folder: string, files: ReturnType<typeof renderStarter>): void {
  try {
    mkdirSync(folder, { recursive: true });
    for (const { name, text, isProgram } of files) {
      const path = join(folder, name);
      writeFileSync(path, text, { flag: "wx" });
      if (isProgram) chmodSync(path, 0o755);
    }
  } catch (error) {
    throw toFileError(error, "the new extension");
  }
}

function parseVersion(version: string): string {
  if (/^\d{1,9}\.\d{1,9}\.\d{1,9}$/.test(version)) return version;
  throw new LoopxError("invalid_value", {
    message: "--initial-version takes three numbers with dots between them, such as 0.1.0",
    details: { field: "initial_version" },
  });
}
