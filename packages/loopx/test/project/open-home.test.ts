import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HOME_MIGRATIONS } from "@loopx/control-plane";
import { openSqlite } from "@loopx/store";
import { expect, onTestFinished, test } from "vitest";
import { HOME_SCHEMA } from "../../src/project/home-schema.ts";
import { openHomeToRead } from "../../src/project/open-home.ts";
import { START } from "../in-process-world.ts";

function now(): typeof START {
  return START;
}

test("a home that an older LoopX made is read, and brought up to date on the way", async () => {
  const directory = mkdtempSync(join(tmpdir(), "loopx-old-home-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, "home.db");
  const label = "home.db";
  const old = await openSqlite({
    path,
    label,
    access: "write",
    journal: "rollback",
    migrations: HOME_MIGRATIONS,
    create: true,
    now,
  });
  await old.close();

  const home = await openHomeToRead(directory, { now });
  const rows = await home?.read((tx) => tx.all("SELECT number FROM schema_migrations ORDER BY number"));
  await home?.close();
  expect(rows).toEqual(HOME_SCHEMA.map(({ number }) => ({ number })));
});
