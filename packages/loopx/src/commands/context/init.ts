import { join, resolve } from "node:path";
import { LoopxError } from "@loopx/contracts";
import {
  createKeyset,
  parseBinding,
  renderKeyset,
  scaffoldProject,
  type DeploymentBinding,
} from "@loopx/runtime-context";
import { loadSqliteDriver } from "@loopx/store";
import { printCommand } from "../../command-line/print-command.ts";
import { BINDING_FILE, findBindingHome } from "../../context/binding-place.ts";
import { refuseExisting, writeNewFiles } from "../../context/write-new-files.ts";
import type { TextStyle } from "../../output/text-style.ts";
import { joinLines, renderFacts, renderNext } from "../../packets/render-facts.ts";
import type { CommandHandler, CommandInput } from "../command-handler.ts";

type Flags = CommandInput<"context init">["flags"];

const LABEL = "the new project";

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
    text: renderKeyset(createKeyset((prefix) => ambient.newId(prefix), ambient.now())),
  };
  const database = join(bindingFolder, scaffold.database.path);
  refuseExisting(
    project.map(({ path }) => path),
    { says: (name) => `${flags.output} has ${name}`, hint: "name a new folder with --output" },
  );
  refuseExisting(
    [...binding, keys, { path: database }].map(({ path }) => path),
    {
      says: (name) =>
        flags.bindingDir === undefined ? `the binding ${id} is in the LoopX home` : `${flags.bindingDir} has ${name}`,
      hint: "name another --id or --binding-dir",
    },
  );
  writeNewFiles(project, { mode: 0o666, label: LABEL });
  writeNewFiles([...binding, keys], { mode: 0o600, label: LABEL });
  createDatabase(database, scaffold.database.statements);
  const needs = listNeeds(
    await parseBinding(scaffold.binding[BINDING_FILE] ?? "", { path: join(bindingFolder, BINDING_FILE) }),
  );
  const isReady = needs.every(({ env }) => env === null || (ambient.env[env] ?? "") !== "");
  const check = printCheck(flags, toBindingFlag(flags, id));
  // The first command succeeds as it stands: a binding is looked at where its secrets are there.
  const first = isReady ? check : printCheck(flags, undefined);
  const next = [
    first,
    // Needs no provider, no secret and no network.
    printCommand("context test", {}, { globals: { project: flags.output } }).shell,
    printCommand("context build", { output: "builds" }, { globals: { project: flags.output } }).shell,
  ];
  return {
    packet: {
      ok: true,
      schema_version: "loopx_context_init_v1",
      project_id: id,
      project_files: Object.keys(scaffold.project),
      binding: toBindingFlag(flags, id),
      binding_files: [...Object.keys(scaffold.binding), keyset, scaffold.database.path],
      before_first_turn: { needs, check },
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
        renderNeeds(needs, check, style),
      ),
  };
};

/** What a provider of the new binding needs before it can be asked. */
interface Need {
  readonly provider: string;
  /** Where a program must answer for it. */
  readonly url: string;
  /** Environment variable of the secret it is asked with. */
  readonly env: string | null;
}

function listNeeds({ providers }: DeploymentBinding): readonly Need[] {
  return Object.entries(providers).flatMap(([provider, entry]) => {
    if (entry.type !== "http") return [];
    return [{ provider, url: entry.url, env: entry.secret?.kind === "env" ? entry.secret.name : null }];
  });
}

/** What shows a program that answers as the new binding expects. */
const SHOWN_IN = "loopx context guide shows one";

function renderNeeds(needs: readonly Need[], check: string, style: TextStyle): string {
  const steps = needs.flatMap(({ provider, url, env }) => [
    ...(env === null
      ? []
      : [`  ${style.cyan(`export ${env}='<the-secret>'`)}  the secret that ${provider} is asked with`]),
    `  a program that answers for ${provider} at ${url}: ${SHOWN_IN}`,
  ]);
  return joinLines(`\n${style.dim("before the first turn")}`, ...steps, `  ${style.cyan(check)}`);
}

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

function printCheck(flags: Flags, binding: string | undefined): string {
  const globals = { project: flags.output };
  return printCommand("context check", binding === undefined ? {} : { binding }, { globals }).shell;
}

function createDatabase(path: string, statements: readonly string[]): void {
  const connection = loadSqliteDriver().open(path, { readonly: false });
  try {
    for (const statement of statements) connection.exec(statement);
  } finally {
    connection.close();
  }
}
