import { fromRefusal, LoopxError, toGoalIdFromName, type Ambient } from "@loopx/contracts";
import {
  connectProject,
  ensureProjectId,
  findProjectId,
  replaceProjectId,
  type Actor,
  type ConnectedProject,
} from "@loopx/control-plane";
import { prepareStoreDirectory } from "@loopx/store";
import { unwrap } from "../packets/unwrap.ts";
import { backupWhenOld } from "./backups.ts";
import { withHomeToWrite } from "./open-home.ts";
import { hasStore, openProjectStore } from "./open-project.ts";
import { toRootLabel } from "./project-roots.ts";

export interface ConnectOptions {
  readonly root: string;
  readonly actor: Actor;
  readonly goalId: string | undefined;
  readonly objective: string | undefined;
  /** Gives a copied store an id of its own first. */
  readonly newId: boolean;
}

/**
 * Connects a folder: makes its store when it has none, registers it with the home, and creates the goal asked for.
 *
 * The home is opened first, so that a home that cannot be written stores nothing at all.
 */
export async function connectRoot(options: ConnectOptions, ambient: Ambient): Promise<ConnectedProject> {
  const { root } = options;
  return withHomeToWrite(ambient, async (home) => {
    const isNewStore = !hasStore(root);
    if (isNewStore) await prepareStoreDirectory(root);
    const database = await openProjectStore(root, { access: "write", create: isNewStore }, ambient);
    try {
      if (!database.isWritable) throw toReadOnlyError();
      const isUnfinished = (await database.read(findProjectId)) === undefined;
      const projectId = options.newId ? await replaceProjectId(database, ambient) : await ensureProjectId(database, ambient);
      const label = toRootLabel(root);
      const connected = unwrap(
        await connectProject(
          home,
          database,
          {
            projectId,
            root,
            label,
            actor: options.actor,
            isNewStore: isNewStore || isUnfinished,
            holdsSameProject: (other) => holdsProject(other, projectId, ambient),
            goal: toWantedGoal(options),
          },
          ambient,
        ),
      );
      await backupWhenOld({ root, label, database, projectId }, ambient);
      return connected;
    } finally {
      await database.close();
    }
  });
}

/** The id a goal gets when nobody names one. */
export function toDefaultGoalId(root: string): string {
  return `${toGoalIdFromName(toRootLabel(root))}-goal`;
}

function toWantedGoal({ goalId, objective, root }: ConnectOptions): Parameters<typeof connectProject>[2]["goal"] {
  if (objective === undefined) {
    if (goalId === undefined) return null;
    throw new LoopxError("missing_flag", {
      message: "a new goal needs its objective",
      hint: "add '--objective=<what to reach>'",
      details: { field: "objective" },
    });
  }
  return { goalId: goalId ?? toDefaultGoalId(root), isExplicit: goalId !== undefined, objective };
}

async function holdsProject(root: string, projectId: string, ambient: Ambient): Promise<boolean> {
  if (!hasStore(root)) return false;
  const database = await openProjectStore(root, { access: "read", create: false }, ambient);
  try {
    return (await database.read(findProjectId)) === projectId;
  } finally {
    await database.close();
  }
}

function toReadOnlyError(): LoopxError {
  return fromRefusal({
    ok: false,
    code: "store_read_only",
    message: "the project's store can be read but not written; nothing was changed",
    hint: "let this process write to the project's .loopx directory, then connect again",
  });
}
