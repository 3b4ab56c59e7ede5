import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { prepareStoreDirectory } from "../../src/files/prepare-store-directory.ts";
import { createTemporaryDirectory } from "../temporary-directory.ts";

describe("prepareStoreDirectory", () => {
  test("makes .loopx for its user only, ignored by git as a whole", async () => {
    const root = createTemporaryDirectory();
    expect(await prepareStoreDirectory(root)).toBe(join(root, ".loopx"));
    expect(statSync(join(root, ".loopx")).mode & 0o777).toBe(0o700);
    expect(readFileSync(join(root, ".loopx", ".gitignore"), "utf8")).toBe("*\n");
    expect(readdirSync(join(root, ".loopx"))).toEqual([".gitignore"]);
  });

  test("20 at once and once more: the same directory, nothing else in it", async () => {
    const root = createTemporaryDirectory();
    await Promise.all(Array.from({ length: 20 }, () => prepareStoreDirectory(root)));
    await prepareStoreDirectory(root);
    expect(readdirSync(join(root, ".loopx"))).toEqual([".gitignore"]);
  });

  test("a .gitignore that is there stays as it is", async () => {
    const root = createTemporaryDirectory();
    mkdirSync(join(root, ".loopx"));
    writeFileSync(join(root, ".loopx", ".gitignore"), "*.db\n");
    await prepareStoreDirectory(root);
    expect(readFileSync(join(root, ".loopx", ".gitignore"), "utf8")).toBe("*.db\n");
  });

  test("a .gitignore that is a link leading nowhere is not followed", async () => {
    const root = createTemporaryDirectory();
    mkdirSync(join(root, ".loopx"));
    symlinkSync(join(root, "elsewhere"), join(root, ".loopx", ".gitignore"));
    await prepareStoreDirectory(root);
    expect(readdirSync(root)).toEqual([".loopx"]);
  });

  test("a link to a directory inside the root is followed", async () => {
    const root = createTemporaryDirectory();
    mkdirSync(join(root, "state"));
    symlinkSync(join(root, "state"), join(root, ".loopx"));
    await prepareStoreDirectory(root);
    expect(readdirSync(join(root, "state"))).toEqual([".gitignore"]);
  });

  test("a link out of the root is refused and nothing is written there", async () => {
    const root = createTemporaryDirectory();
    const outside = createTemporaryDirectory();
    symlinkSync(outside, join(root, ".loopx"));
    await expect(prepareStoreDirectory(root)).rejects.toMatchObject({
      code: "store_failed",
      message: ".loopx leads out of the project root",
    });
    expect(readdirSync(outside)).toEqual([]);
  });

  test("a link to a sibling whose name starts like the root's is refused", async () => {
    const parent = createTemporaryDirectory();
    mkdirSync(join(parent, "app"));
    mkdirSync(join(parent, "app-secrets"));
    symlinkSync(join(parent, "app-secrets"), join(parent, "app", ".loopx"));
    await expect(prepareStoreDirectory(join(parent, "app"))).rejects.toMatchObject({ code: "store_failed" });
  });

  test("a link to the root itself is refused", async () => {
    const root = createTemporaryDirectory();
    symlinkSync(root, join(root, ".loopx"));
    await expect(prepareStoreDirectory(root)).rejects.toMatchObject({ code: "store_failed" });
  });

  test("a file and a link leading nowhere are refused", async () => {
    const root = createTemporaryDirectory();
    writeFileSync(join(root, ".loopx"), "mine");
    await expect(prepareStoreDirectory(root)).rejects.toMatchObject({ message: ".loopx is not a directory" });
    expect(readFileSync(join(root, ".loopx"), "utf8")).toBe("mine");
    const other = createTemporaryDirectory();
    symlinkSync(join(other, "nowhere"), join(other, ".loopx"));
    await expect(prepareStoreDirectory(other)).rejects.toMatchObject({ message: ".loopx is not a directory" });
  });

  test("a root that does not exist is refused without naming it", async () => {
    const root = join(createTemporaryDirectory(), "none");
    await expect(prepareStoreDirectory(root)).rejects.toMatchObject({
      code: "file_not_writable",
      message: ".loopx cannot be written (ENOENT)",
    });
  });
});
