import { existsSync, mkdirSync, readdirSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ask, askAsOwner, codeOf, connectProject, createMachine, hashTree, SHOULD_RUN } from "./machine.ts";

const WRITERS = [
  ["todo", "add", "--role=agent", "--text=through the link"],
  ["goal", "pause"],
  ["bootstrap", "--objective=x"],
  ["connect", "--project=."],
];

test.each(["the folder", "the file"])(
  "a store whose %s is a link to another project's is never opened",
  async (what) => {
    const world = createMachine();
    await connectProject(world);
    const clone = world.addProject("clone");
    if (what === "the folder") symlinkSync("../project/.loopx", join(clone, ".loopx"));
    else {
      mkdirSync(join(clone, ".loopx"));
      symlinkSync(join(world.project, ".loopx", "state.db"), join(clone, ".loopx", "state.db"));
    }
    const before = hashTree(world.directory);
    for (const words of [["status"], ["todo", "list"], ["export"], ...WRITERS]) {
      const refused = words[0] === "connect" ? askAsOwner : ask;
      expect([words, codeOf(await refused(world, words, { cwd: clone }))]).toEqual([words, "store_failed"]);
    }
    expect((await ask(world, SHOULD_RUN, { cwd: clone })).json).toMatchObject({
      decision: "repair",
      code: "store_failed",
    });
    expect(hashTree(world.directory)).toEqual(before);
  },
);

test("a link to a store that is not there is refused before anything is written", async () => {
  const world = createMachine();
  mkdirSync(join(world.project, ".loopx"));
  symlinkSync(join(world.directory, "nowhere"), join(world.project, ".loopx", "state.db"));
  const refused = await ask(world, ["bootstrap", "--objective=x"]);
  expect(codeOf(refused)).toBe("store_failed");
  expect(refused.stdout).not.toContain("SQLITE");
  expect(readdirSync(join(world.project, ".loopx"))).toEqual(["state.db"]);
  expect([existsSync(join(world.directory, "nowhere")), existsSync(world.loopxHome)]).toEqual([false, false]);
});

test("a .loopx that leads in a circle is refused", async () => {
  const world = createMachine();
  symlinkSync(".loopx", join(world.project, ".loopx"));
  expect(codeOf(await ask(world, ["bootstrap", "--objective=x"]))).toBe("store_failed");
});

test("a store folder that is a link within the project is followed", async () => {
  const world = createMachine();
  await connectProject(world);
  renameSync(join(world.project, ".loopx"), join(world.project, "state"));
  symlinkSync("state", join(world.project, ".loopx"));
  expect(await ask(world, SHOULD_RUN)).toMatchObject({ json: { decision: "run" } });
});
