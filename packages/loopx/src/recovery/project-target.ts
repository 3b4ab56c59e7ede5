import { LoopxError, type Ambient } from "@loopx/contracts";
import {
  findStateFaults,
  isStateRow,
  listProjectsAtRoot,
  rebuildState,
  saveRecoveredState,
  type Actor,
  type RowsByTable,
} from "@loopx/control-plane";
import { DECISION_CONTEXT_TABLES } from "@loopx/decision-context";
import { assertStorePlace } from "@loopx/store";
import { withHomeToRead } from "../project/open-home.ts";
import { PROJECT_SCHEMA } from "../project/project-schema.ts";
import { hasStore, isOnServer, STORE_FILE, STORE_LABEL, toStorePath } from "../project/project-roots.ts";
import type { RecoveryTarget } from "./recover-store.ts";

/** Tables beside those of events and entities, whose rows nothing else tells. */
const OTHER_TABLES = ["settings", ...DECISION_CONTEXT_TABLES];

/** The store of a project's root. Refuses with `store_missing`, and one that a server keeps. */
export function toProjectTarget(root: string, actor: Actor, ambient: Ambient): RecoveryTarget {
  assertStorePlace(root, STORE_FILE);
  if (isOnServer(root)) throw toServerError();
  if (!hasStore(root)) throw toMissingError();
  return {
    path: toStorePath(root),
    label: STORE_LABEL,
    journal: "rollback",
    migrations: PROJECT_SCHEMA,
    mayBeRow: isStateRow,
    fill: async (database, salvaged, { damagedTables }) => {
      const projectId = await findProjectId(salvaged, root, ambient);
      const now = ambient.now();
      const rebuilt = rebuildState(salvaged, { actor, now, areEventsDamaged: damagedTables.has("events") });
      const others = new Map(OTHER_TABLES.map((table) => [table, salvaged.get(table) ?? []]));
      await database.write((tx) => saveRecoveredState(tx, { tables: rebuilt.tables, others, projectId, now }));
      const [fault] = await database.read(findStateFaults);
      if (fault !== undefined) {
        throw new LoopxError("internal", { message: `the recovered state has ${fault.count} ${fault.problem}` });
      }
      return rebuilt.counts;
    },
  };
}

/** What the store says, else what this machine knew at the root last. */
async function findProjectId(salvaged: RowsByTable, root: string, ambient: Ambient): Promise<string> {
  const [said] = salvaged.get("project") ?? [];
  if (typeof said?.["project_id"] === "string") return said["project_id"];
  const [known] = await withHomeToRead(ambient, async (home) =>
    home === undefined ? [] : home.read((tx) => listProjectsAtRoot(tx, root)),
  );
  if (known !== undefined) return known.project_id;
  throw new LoopxError("store_corrupt", {
    message: `neither ${STORE_LABEL} nor this machine's home says which project it is; it was left as it is`,
    hint: "restore a backup: loopx restore --from=FILE",
  });
}

function toServerError(): LoopxError {
  return new LoopxError("invalid_value", {
    message: "a server keeps this project's state; only files are recovered here",
    hint: "have the server's backup restored, or the newest of LoopX: loopx restore --execute",
    details: { field: "project" },
  });
}

function toMissingError(): LoopxError {
  return new LoopxError("store_missing", {
    message: `${STORE_LABEL} is not there, so there is nothing to read`,
    hint: "loopx restore --execute",
  });
}
