// Makes what a deployment needs and a repository must not hold: the order database and the keys.
//
//   node prepare.mjs [DIR]     DIR is the folder of the binding, ./deployment unless given
import { randomBytes } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const folder = resolve(process.argv[2] ?? fileURLToPath(new URL("deployment", import.meta.url)));
const database = join(folder, "orders.db");
const keyset = join(folder, "support-desk.keyset.json");

if (!existsSync(database)) {
  const connection = await openDatabase(database);
  connection.exec(`
    CREATE TABLE orders (order_id TEXT PRIMARY KEY, summary TEXT NOT NULL, title TEXT, updated_at TEXT);
    INSERT INTO orders VALUES ('ORD-20001', 'Two desk lamps, shipped, due on Friday.', 'Order ORD-20001', '2026-10-08');
    INSERT INTO orders VALUES ('ORD-20002', 'One oak desk, waits for the wood.', 'Order ORD-20002', '2026-10-07');
  `);
  connection.close();
  process.stdout.write("made orders.db\n");
}
if (!existsSync(keyset)) {
  const key = { id: "key_1", state: "active", secret: randomBytes(32).toString("base64") };
  const document = { contract: "context-keyset.v1", id: "keyset_support_desk", keys: [key] };
  writeFileSync(keyset, `${JSON.stringify(document, null, 2)}\n`, { mode: 0o600, flag: "wx" });
  process.stdout.write("made support-desk.keyset.json\n");
}

/** Node's own SQLite where it is there, else the driver that this checkout has installed. */
async function openDatabase(path) {
  const builtin = process.getBuiltinModule("node:sqlite");
  if (builtin !== undefined) return new builtin.DatabaseSync(path);
  const { default: Database } = await import("better-sqlite3");
  return new Database(path);
}
