import type { Migration } from "@loopx/store";

/** The schema of the stores under test: what PostgreSQL takes too. */
export const ITEM_MIGRATIONS: readonly Migration[] = [
  {
    number: 1,
    name: "items",
    sql: `CREATE TABLE item (id INTEGER PRIMARY KEY, title TEXT, rank INTEGER NOT NULL DEFAULT 0, ratio DOUBLE PRECISION);
          CREATE TABLE note (id INTEGER PRIMARY KEY, item_id INTEGER NOT NULL REFERENCES item (id));`,
  },
];

/** The same schema one step later. */
export const LATER_MIGRATIONS: readonly Migration[] = [
  ...ITEM_MIGRATIONS,
  {
    number: 2,
    name: "owners",
    sql: "ALTER TABLE item ADD COLUMN owner TEXT NOT NULL DEFAULT 'nobody';",
    redefines: [
      `CREATE TABLE item (id INTEGER PRIMARY KEY, title TEXT, rank INTEGER NOT NULL DEFAULT 0, ratio DOUBLE PRECISION, owner TEXT NOT NULL DEFAULT 'nobody')`,
    ],
  },
];
