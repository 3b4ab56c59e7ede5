import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readField } from "../../support/read-field.ts";
import { runSql } from "../../support/run-sql.ts";
import { ask, askAsOwner, codeOf, connectProject, createMachine, hashTree, SHOULD_RUN } from "./machine.ts";

const ENDLESS = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n";
const KILL_AFTER_MS = 20_000;

const PLANTED: Readonly<Record<string, string>> = {
  "an endless view": `DROP TABLE project; CREATE VIEW project AS ${ENDLESS} AS project_id, n AS created_at FROM r`,
  "an endless view of settings": `DROP TABLE settings; CREATE VIEW settings AS ${ENDLESS} AS name, n AS value FROM r`,
  "a trigger": "CREATE TRIGGER planted AFTER INSERT ON events BEGIN UPDATE todos SET text = 'planted'; END",
};

test.each(Object.entries(PLANTED))("%s in a cloned store is refused by each command", async (_, statements) => {
  const world = createMachine();
  await connectProject(world);
  const cwd = join(world.directory, "clones", "project");
  cpSync(world.project, cwd, { recursive: true });
  runSql(join(cwd, ".loopx", "state.db"), statements);
  const place = { cwd, env: { LOOPX_HOME: join(world.directory, "other-home") }, killAfterMs: KILL_AFTER_MS };
  const before = hashTree(cwd);
  for (const words of [["status"], ["history"], ["todo", "list"], ["todo", "add", "--role=agent", "--text=x"]]) {
    const refused = await ask(world, words, place);
    expect([words, codeOf(refused), refused.exitCode]).toEqual([words, "store_corrupt", 5]);
  }
  const decision = await ask(world, SHOULD_RUN, place);
  expect(decision.json).toMatchObject({ decision: "repair", should_run: false, code: "store_corrupt" });
  const doctor = await ask(world, ["doctor"], place);
  const checks = readField(doctor.json, "checks") as readonly { readonly name: string; readonly state: string }[];
  expect(checks.find(({ name }) => name === "project")).toMatchObject({ state: "failed" });
  const connecting = await askAsOwner(world, ["connect", "--project=."], place);
  expect(codeOf(connecting)).toBe("store_corrupt");
  expect(hashTree(cwd)).toEqual(before);
});

test("a home store with a view in a table's place is refused", async () => {
  const world = createMachine();
  await connectProject(world);
  const planted = `DROP TABLE projects; CREATE VIEW projects AS ${ENDLESS} AS project_id, n AS root FROM r`;
  runSql(join(world.loopxHome, "home.db"), planted);
  const decision = await ask(world, SHOULD_RUN, { killAfterMs: KILL_AFTER_MS });
  expect(decision.json).toMatchObject({ decision: "repair", code: "store_corrupt" });
});
