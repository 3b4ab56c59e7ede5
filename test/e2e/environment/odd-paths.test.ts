import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runProgram } from "../../support/run-program.ts";
import { ask, codeOf, connectProject, createMachine } from "./machine.ts";

test("a path that SQLite cannot take is called too long, and no store is left", async () => {
  const world = createMachine();
  const folder = join(world.directory, ...Array.from({ length: 3 }, () => "a".repeat(160)));
  mkdirSync(folder, { recursive: true });
  const refused = await ask(world, ["bootstrap", "--objective=x"], { cwd: folder });
  expect(codeOf(refused)).toBe("store_failed");
  expect(refused.stdout).toContain("is longer than SQLite takes");
  expect(refused.stdout).toContain("shorter path");
});

// Other systems refuse such a name, or have no bytes that are no text.
test.skipIf(process.platform !== "linux")("a working directory whose name is not UTF-8 is called that", async () => {
  const world = createMachine();
  const script = `name=$(printf 'a\\377b'); mkdir "$name" && cd "$name" && "$@"; code=$?; rmdir "$PWD"; exit $code`;
  const words = [process.execPath, world.program, "--json", "bootstrap", "--objective=x"];
  const refused = await runProgram("sh", ["-c", script, "sh", ...words], { cwd: world.directory, env: world.env });
  expect(codeOf(refused)).toBe("project_not_resolved");
  expect(refused.stdout).toContain("not UTF-8");
});

test("a cursor that is no number is told how to get one", async () => {
  const world = createMachine();
  await connectProject(world);
  const refused = await ask(world, ["history", "--cursor=x"]);
  expect(refused).toMatchObject({ exitCode: 2, json: { error: { details: { field: "cursor" } } } });
  expect(refused.stdout).not.toContain("--at");
});
