import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { LoopxError } from "@loopx/contracts";
import { createKeyset, renderKeyset, scaffoldProject } from "@loopx/runtime-context";
import { loadSqliteDriver, makeDirectories, toFileError } from "@loopx/store";
import { printCommand } from "../../command-line/print-command.ts";
import { BINDING_FILE, findBindingHome } from "../../context/binding-place.ts";
import { joinLines, renderFacts, renderNext } from "../../packets/render-facts.ts";
import type { CommandHandler, CommandInput } from "../command-handler.ts";

type Flags = CommandInput<"context init">["flags"];

/** Scaffolds a Context Project, and outside of it the binding, its keys and a sample database. */
export const run: CommandHandler<"context init"> = async ({ flags, ambient }) => {
  const id = parseProjectId(flags.id);
  const bindingFolder =
    flags.bindingDir === undefined ? findBindingHome(id, ambient) : resolve(ambient.cwd, flags.bindingDir);
  const projectFolder = resolve(ambient.cwd, flags.output);
  const scaffold = scaffoldProject(id);
  const keyset = `${id}.keyset.json`;
  const project = Object.entries(scaffold.project).map(([name, text]) => ({ path: join(projectFolder, name), text }));
  const binding = Object.entries(scaffold.binding).map(([name, text]) => ({ path: join(bindingFolder, name), text }));
  const keys = {
    path: join(bindingFolder, keyset),
    text: renderKeyset(createKeyset((prefix) => ambient.newId(prefix))),
  };
  const database = join(bindingFolder, scaffold.database.path);
  refuseExisting([...project, ...binding, keys, { path: database }].map(({ path }) => path));
  await writeNew(project, 0o666);
  await writeNew([...binding, keys], 0o600);
  createDatabase(database, scaffold.database.statements);
  const next = listNext(flags, id);
  return {
    packet: {
      ok: true,
      schema_version: "loopx_context_init_v1",
      project_id: id,
      project_files: Object.keys(scaffold.project),
      binding: toBindingFlag(flags, id),
      binding_files: [...Object.keys(scaffold.binding), keyset, scaffold.database.path],
      next,
    },
    text: (style) =>
      joinLines(
        renderFacts(
          [
            ["project", `${flags.output}: ${Object.keys(scaffold.project).join(", ")}`],
            [
              "binding",
              `${flags.bindingDir ?? `${id} in the LoopX home`}: ${BINDING_FILE}, ${keyset}, ${scaffold.database.path}`,
            ],
          ],
          style,
        ),
        renderNext(next, style),
      ),
  };
};

function parseProjectId(id: string): string {
  if (/^[a-z][a-z0-9-]{0,62}$/.test(id)) return id;
  throw new LoopxError("invalid_value", {
    message: "--id takes lower-case letters, digits and -, beginning with a letter",
    details: { field: "id" },
  });
}

/** The word that names the new binding in every other command. */
function toBindingFlag({ bindingDir }: Flags, id: string): string {
  return bindingDir === undefined ? id : join(bindingDir, BINDING_FILE);
}

function listNext(flags: Flags, id: string): readonly string[] {
  const globals = { project: flags.output };
  return [
    printCommand("context check", { binding: toBindingFlag(flags, id) }, { globals }).shell,
    printCommand("context build", { output: "builds" }, { globals }).shell,
  ];
}

function refuseExisting(paths: readonly string[]): void {
  const present = paths.find((path) => existsSync(path));
  if (present === undefined) return;
  throw new LoopxError("file_not_writable", {
    message: `${present.slice(dirname(present).length + 1)} is there already; nothing was written`,
    hint: "name a new folder with --output, and another --id or --binding-dir",
  });
}

async function writeNew(
  files: readonly { readonly path: string; readonly text: string }[],
  mode: number,
): Promise<void> {
  try {
    for (const { path, text } of files) {
      makeDirectories(dirname(path), mode === 0o600 ? 0o700 : 0o777);
      await writeFile(path, text, { flag: "wx", mode });
    }
  } catch (error) {
    throw toFileError(error, "the new project");
  }
}

function createDatabase(path: string, statements: readonly string[]): void {
  const connection = loadSqliteDriver().open(path, { readonly: false });
  try {
    for (const statement of statements) connection.exec(statement);
  } finally {
    connection.close();
  }
}
