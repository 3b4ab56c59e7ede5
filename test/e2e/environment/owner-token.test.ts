import { chownSync, existsSync, mkdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createOwnerToken } from "../../support/create-owner-token.ts";
import { ask, askAsOwner, codeOf, connectProject, createMachine, STRANGER } from "./machine.ts";

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

test.skipIf(STRANGER === undefined)(
  "an owner token in a file of another user shows nothing about who calls",
  async () => {
    const world = createMachine();
    await connectProject(world);
    const token = await createOwnerToken(world);
    const resume = ["goal", "resume", `--owner-token-file=${token}`];
    expect(await ask(world, resume)).toMatchObject({ exitCode: 0 });
    chownSync(token, STRANGER ?? 0, STRANGER ?? 0);
    expect(await ask(world, resume)).toMatchObject({
      exitCode: 3,
      json: { error: { code: "gate_needs_owner", details: { field: "owner_token_file" } } },
    });
  },
);
