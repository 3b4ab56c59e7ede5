import { join } from "node:path";
import { describe, onTestFinished } from "vitest";
import { describeDatabaseContract } from "./database-contract.ts";
import { isPostgresThere, newSchemaName, openPostgresItems } from "./postgres-store.ts";
import { createTemporaryDirectory, isDriverMissing, openItemStore, SQLITE_DRIVERS } from "./temporary-store.ts";

for (const driver of SQLITE_DRIVERS) {
  for (const journal of ["rollback", "wal"] as const) {
    describe.skipIf(isDriverMissing(driver))(`${driver}, ${journal} journal`, () => {
      const directories = new Map<string, string>();
      const directoryOf = (storeName: string): string => {
        const known = directories.get(storeName);
        if (known !== undefined) return known;
        const directory = createTemporaryDirectory();
        directories.set(storeName, directory);
        onTestFinished(() => void directories.delete(storeName));
        return directory;
      };
      describeDatabaseContract("database", (storeName) =>
        openItemStore(join(directoryOf(storeName), "state.db"), { driver, journal }),
      );
    });
  }
}

describe.skipIf(!isPostgresThere())("postgres", () => {
  const schemas = new Map<string, string>();
  const schemaOf = (storeName: string): string => {
    const schema = schemas.get(storeName) ?? newSchemaName();
    schemas.set(storeName, schema);
    return schema;
  };
  describeDatabaseContract("database", (storeName) => openPostgresItems(schemaOf(storeName)));
});
