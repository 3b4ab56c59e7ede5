import { existsSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { LoopxError } from "@loopx/contracts";
import { exportProject } from "@loopx/control-plane";
import { writeFileAtomically } from "@loopx/store";
import { printCommand } from "../../command-line/print-command.ts";
import { joinLines, renderNext, renderQuantity } from "../../packets/render-facts.ts";
import { withProject } from "../../project/resolve-project.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Writes a project's state as JSON lines, to a new file of mode 0600 or to stdout. */
export const run: CommandHandler<"export"> = async ({ flags, globals, ambient, note }) =>
  withProject({ globals, ambient, goalId: flags.goalId }, "read", async (project) => {
    const path = flags.output === undefined ? undefined : resolve(ambient.cwd, flags.output);
    if (path !== undefined && existsSync(path)) {
      throw new LoopxError("file_not_writable", {
        message: "--output names a file that exists; it was left as it is",
        hint: "name a new file",
        details: { field: "output" },
      });
    }
    const request = { goalId: flags.goalId ?? null, isPublic: flags.public, now: ambient.now() };
    const lines = await project.database.read(async (tx) => {
      const collected: string[] = [];
      for await (const line of exportProject(tx, request)) collected.push(line);
      return collected;
    });
    const text = `${lines.join("\n")}\n`;
    if (path !== undefined) await writeFileAtomically(path, text, { mode: 0o600, label: "the export" });
    else note(renderQuantity(lines.length - 2, "row"));
    // What a public export masks cannot be read back.
    const next =
      flags.output === undefined || flags.public
        ? []
        : [printCommand("import", { input: toShownPath(flags.output) }).shell];
    return {
      packet: {
        ok: true,
        schema_version: "loopx_export_result_v1",
        rows: lines.length - 2,
        bytes: Buffer.byteLength(text),
        public: flags.public,
        ...(path === undefined ? { lines } : {}),
        ...(next.length === 0 ? {} : { next }),
      },
      text: (style) =>
        path === undefined
          ? text
          : joinLines(
              `exported ${renderQuantity(lines.length - 2, "row")}${flags.public ? ", local paths and credentials masked" : ""}`,
              renderNext(next, style),
            ),
      ...(path === undefined ? { isData: true as const } : {}),
    };
  });

/** No absolute path leaves this machine in a packet. */
function toShownPath(output: string): string {
  return isAbsolute(output) ? "<the file>" : output;
}
