import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { publishNewFile } from "../../src/files/publish-new-file.ts";
import { createTemporaryDirectory } from "../temporary-directory.ts";

describe("publishNewFile", () => {
  test("gives a finished file its name", () => {
    const directory = createTemporaryDirectory();
    writeFileSync(join(directory, "finished"), "new");
    expect(publishNewFile(join(directory, "finished"), join(directory, "name"))).toBe(true);
    expect(readdirSync(directory)).toEqual(["name"]);
    expect(readFileSync(join(directory, "name"), "utf8")).toBe("new");
  });

  test("leaves a file that has the name already", () => {
    const directory = createTemporaryDirectory();
    writeFileSync(join(directory, "name"), "first");
    writeFileSync(join(directory, "finished"), "second");
    expect(publishNewFile(join(directory, "finished"), join(directory, "name"))).toBe(false);
    expect(readdirSync(directory)).toEqual(["name"]);
    expect(readFileSync(join(directory, "name"), "utf8")).toBe("first");
  });

  test("throws what the system said when the directory is missing, and removes the finished file", () => {
    const directory = createTemporaryDirectory();
    writeFileSync(join(directory, "finished"), "new");
    expect(() => publishNewFile(join(directory, "finished"), join(directory, "none", "name"))).toThrow("ENOENT");
    expect(readdirSync(directory)).toEqual([]);
  });
});
