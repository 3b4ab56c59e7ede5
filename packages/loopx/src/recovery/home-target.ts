import { existsSync } from "node:fs";
import { join } from "node:path";
import { LoopxError, type Ambient } from "@loopx/contracts";
import { saveRecoveredHome } from "@loopx/control-plane";
import { HOME_STORE, resolveHomeDirectory } from "../project/home-location.ts";
import { HOME_SCHEMA } from "../project/home-schema.ts";
import type { RecoveryTarget } from "./recover-store.ts";

/** The store of this machine's home. Refuses with `store_missing`. */
export function toHomeTarget(ambient: Ambient): RecoveryTarget {
  const path = join(resolveHomeDirectory(ambient), HOME_STORE);
  if (!existsSync(path)) {
    throw new LoopxError("store_missing", {
      message: "this machine has no LoopX home store, so there is nothing to read",
      hint: "connect each project at your own terminal: loopx connect",
    });
  }
  return {
    path,
    label: HOME_STORE,
    journal: "rollback",
    migrations: HOME_SCHEMA,
    mayBeRow: () => true,
    fill: (database, salvaged) => database.write((tx) => saveRecoveredHome(tx, salvaged)),
  };
}
