import { existsSync, mkdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { askAsOwner, codeOf, createMachine } from "./machine.ts";

test("an owner token is never written into a git work tree, whatever way leads there", async () => {
  const world = createMachine();
  mkdirSync(join(world.project, "docs"));
  symlinkSync(world.project, join(world.home, "link"));
  for (const output of [
    "owner-token",
    "docs/owner-token",
    ".git/owner-token",
    join(world.home, "link", "owner-token"),
  ]) {
    const refused = await askAsOwner(world, ["owner", "token", "create", `--output=${output}`]);
    expect({ output, exitCode: refused.exitCode, code: codeOf(refused) }).toEqual({
      output,
      exitCode: 2,
      code: "invalid_value",
    });
    expect(refused).toMatchObject({
      json: {
        error: {
          hint: 'name a file outside, such as --output "$HOME/.loopx-owner-token"',
          details: { field: "output" },
        },
      },
    });
    expect(existsSync(join(world.project, output))).toBe(false);
  }
  const list = await askAsOwner(world, ["owner", "token", "list"]);
  expect(list).toMatchObject({ json: { tokens: [] } });
  const outside = join(world.home, ".loopx-owner-token");
  expect(await askAsOwner(world, ["owner", "token", "create", `--output=${outside}`])).toMatchObject({ exitCode: 0 });
  expect(statSync(outside).mode & 0o777).toBe(0o600);
});
