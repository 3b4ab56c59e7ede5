import { expect, test } from "vitest";
import { removeContainedFile, saveCopy, writeContainedFile } from "../../src/host-files/change-contained-file.ts";
import { readContainedFile } from "../../src/host-files/contained-file.ts";
import { createHostWorld } from "./host-world.ts";

test("a file that its host wrote meanwhile is neither replaced nor removed", async () => {
  const world = createHostWorld();
  const file = { boundary: world.home, path: ".claude/settings.json", label: "~/.claude/settings.json" };
  const absent = readContainedFile(file);
  world.write(file.path, '{"model":"opus"}');
  const known = readContainedFile(file);
  if (absent.kind !== "absent" || known.kind !== "text") throw new Error("the file was not read");
  expect(await writeContainedFile(file, absent, "ours")).toBe("changed_meanwhile");
  world.write(file.path, '{"model":"sonnet"}');
  expect(await writeContainedFile(file, known, "ours")).toBe("changed_meanwhile");
  expect(await removeContainedFile(file, known)).toBe("changed_meanwhile");
  expect(await saveCopy(file, known)).toEqual({ fault: "changed_meanwhile" });
  expect(Object.entries(world.snapshot())).toEqual([[file.path, '644 {"model":"sonnet"}']]);
});
