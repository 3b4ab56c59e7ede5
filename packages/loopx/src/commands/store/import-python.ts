import { realpathSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import { LoopxError, type Ambient } from "@loopx/contracts";
import {
  carryProject,
  importCarried,
  listTakenGoalIds,
  parsePythonRegistry,
  type Actor,
  type CarriedProject,
  type NotCarried,
} from "@loopx/control-plane";
import { parseHostSurface } from "@loopx/host-commands";
import { printCommand } from "../../command-line/print-command.ts";
import type { CommandResult } from "../../output/command-result.ts";
import { joinLines, renderNext } from "../../packets/render-facts.ts";
import { unwrap } from "../../packets/unwrap.ts";
import { connectRoot } from "../../project/connect.ts";
import { findPythonHomeRegistry, setAsidePythonHomeRegistry } from "../../project/python-home-registry.ts";
import { withHomeToRead } from "../../project/open-home.ts";
import { openProject } from "../../project/open-project.ts";
import { findProjectFolder } from "../../project/project-folder.ts";
import { hasStore } from "../../project/project-roots.ts";
import { findFileContent, readNamedFile } from "../../project/regular-file.ts";
import type { CommandInput } from "../command-handler.ts";

const REGISTRY_MAX_BYTES = 2 ** 24;
/** Room for some hundred thousand todos. */
const STATE_MAX_BYTES = 2 ** 26;

interface PythonImport {
  readonly input: CommandInput<"import">;
  /** As it was named. */
  readonly folder: string;
  readonly actor: Actor;
}

/**
 * Carries a project of the public Python implementation over into a store beside it: all goals or none. Its own files
 * stay as they are, but for a registry of the whole machine that stands where ours belongs: that is set aside.
 */
export async function importPython({ input, folder, actor }: PythonImport): Promise<CommandResult> {
  const { flags, globals, ambient } = input;
  const root = findProjectFolder({ globals: { ...globals, project: folder }, ambient });
  const carried = readProject(root, ambient);
  const goalIds = carried.goals.map(({ goalId }) => goalId);
  await assertFree(root, carried, ambient);
  const homeRegistry = findPythonHomeRegistry(ambient);
  const isWritten = flags.execute && goalIds.length > 0;
  if (isWritten) {
    if (homeRegistry !== undefined) setAsidePythonHomeRegistry(homeRegistry, ambient);
    const connecting = { root, actor, goalId: undefined, objective: undefined, newId: false };
    await connectRoot(connecting, ambient);
    const project = await openProject(root, "write", ambient);
    try {
      const now = ambient.now();
      unwrap(await importCarried(project.database, carried.goals, { actor, now, isDryRun: false }));
    } finally {
      await project.database.close();
    }
    await connectRoot(connecting, ambient);
  }
  return render(carried, { folder, isWritten, hasHomeRegistry: homeRegistry !== undefined });
}

function readProject(root: string, ambient: Ambient): CarriedProject {
  const hint = "name the project's folder, the one with .loopx/registry.json: loopx import --from-python-loopx=DIR";
  const path = join(root, ".loopx", "registry.json");
  const bytes = readNamedFile({ path, field: "from_python_loopx", maxBytes: REGISTRY_MAX_BYTES, hint });
  const registry = unwrap(parsePythonRegistry(bytes.toString("utf8")));
  const readState = (stateFile: string): string | undefined => readStateFile(root, stateFile);
  return carryProject(registry, readState, { now: ambient.now(), parseSurface: parseHostSurface });
}

/** The text of a file in the project, or undefined: a registry from elsewhere may name any file, by a link too. */
function readStateFile(root: string, stateFile: string): string | undefined {
  let real: string;
  try {
    real = realpathSync(resolve(root, stateFile));
  } catch {
    return undefined;
  }
  if (!real.startsWith(root + sep)) return undefined;
  return findFileContent(real, STATE_MAX_BYTES)?.toString("utf8");
}

/** Store and home are looked at before the first row is written. */
async function assertFree(root: string, { goals }: CarriedProject, ambient: Ambient): Promise<void> {
  let projectId: string | null = null;
  if (hasStore(root)) {
    const project = await openProject(root, "read", ambient);
    try {
      projectId = project.projectId;
      const asked = { actor: { kind: "process" }, now: ambient.now(), isDryRun: true } as const;
      unwrap(await importCarried(project.database, goals, asked));
    } finally {
      await project.database.close();
    }
  }
  const goalIds = goals.map(({ goalId }) => goalId);
  const [taken] = await withHomeToRead(ambient, async (home) =>
    home === undefined ? [] : listTakenGoalIds(home, goalIds, projectId),
  );
  if (taken === undefined) return;
  throw new LoopxError("goal_id_taken", {
    message: "another project on this machine has this goal; nothing was imported",
    hint: "import with a LOOPX_HOME of its own: LOOPX_HOME=DIR loopx import --from-python-loopx=DIR",
    details: { goal_id: taken },
  });
}

interface Outcome {
  readonly folder: string;
  readonly isWritten: boolean;
  readonly hasHomeRegistry: boolean;
}

function render(carried: CarriedProject, { folder, isWritten, hasHomeRegistry }: Outcome): CommandResult {
  const { goals, counts, notCarried } = carried;
  const goalIds = goals.map(({ goalId }) => goalId);
  const again = printCommand("import", { fromPythonLoopx: folder, execute: true }).shell;
  const next = isWritten
    ? goalIds.slice(0, 3).map((goalId) => printCommand("status", { goalId }).shell)
    : goals.length > 0
      ? [again]
      : [];
  return {
    packet: {
      ok: true,
      schema_version: "loopx_import_python_v1",
      dry_run: !isWritten,
      written: isWritten,
      goal_ids: goalIds,
      carried: { goals: goals.length, ...counts },
      not_carried: notCarried,
      home_registry: hasHomeRegistry ? (isWritten ? "set_aside" : "would_be_set_aside") : "none",
      next,
    },
    text: (style) => {
      const aside = `registry.global.json in the LoopX home ${isWritten ? "was" : "would be"} set aside: it is the other implementation's`;
      return joinLines(
        `${isWritten ? "imported" : "would import"} ${goals.length} goals, ${counts.agents} lanes, ${counts.thread_bindings} thread bindings, ${counts.todos} todos: ${goalIds.join(", ")}`,
        ...(hasHomeRegistry ? [aside] : []),
        ...notCarried.map(sayNotCarried),
        renderNext(next, style),
      );
    },
  };
}

function sayNotCarried({ goal_id: goalId, what, why, count, lines }: NotCarried): string {
  const where = lines.length === 0 ? "" : ` (line ${lines.join(", ")}${count > lines.length ? ", …" : ""})`;
  return `not carried: ${count} × ${what}${goalId === null ? "" : ` of ${goalId}`}: ${why}${where}`;
}
