import { LoopxError } from "@loopx/contracts";

/** The refusal of a store that a later LoopX has migrated. */
export function toNewerSchemaError(label: string): LoopxError {
  return new LoopxError("store_newer_schema", {
    message: `${label} was written by a newer LoopX; nothing was changed`,
    hint: "npm install -g loopx@latest",
  });
}

/** The refusal of a store with an old schema where it cannot be written. */
export function toNeedsMigrationError(label: string): LoopxError {
  return new LoopxError("store_needs_migration", {
    message: `${label} has an older schema and cannot be migrated without writing it`,
    hint: "run `loopx doctor` where the store can be written",
  });
}

/** The refusal of a database that some other program made. */
export function toForeignDatabaseError(label: string): LoopxError {
  return new LoopxError("store_corrupt", {
    message: `${label} is a database, but not a LoopX store; it was left as it is`,
    hint: "loopx doctor",
  });
}

/** The refusal of a store that lacks definitions of ours, or has others. */
export function toForeignSchemaError(label: string): LoopxError {
  return new LoopxError("store_corrupt", {
    message: `${label} does not define the tables and indexes that LoopX makes, or defines more; it was left as it is`,
    hint: "loopx doctor",
  });
}

/** The refusal of a store that is not there. */
export function toMissingError(label: string): LoopxError {
  return new LoopxError("store_missing", { message: `${label} does not exist`, hint: "loopx doctor" });
}
