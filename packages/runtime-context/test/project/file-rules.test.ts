import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as fc from "fast-check";
import { findPathFault, listCaseTwins } from "../../src/project/files/file-rules.ts";
import { readPlainFile } from "../../src/project/files/read-plain-file.ts";
import { createDirectory } from "./temporary-directory.ts";

describe("a path in a project", () => {
  test.each([
    "../x.md",
    "a/../b.md",
    "./a.md",
    "/etc/passwd",
    "~/x.md",
    "a//b.md",
    "",
    "a/",
    "a\\b.md",
    "C:/x.md",
    "C:x.md",
    "%2e%2e/x.md",
    "a\0.md",
    ".env",
    ".git/config",
    "a/.hidden",
    "con",
    "Aux.md",
    "layers/NUL",
    "com1.txt",
    "a.md.",
    "a.md ",
    "a b.md",
    "é.md",
    "e\u0301.md",
    "a/b/c/d/e/f/g/h/i.md",
    `${"a".repeat(129)}.md`,
    "a:b",
    "a*",
    "-rf",
    "customers.db",
    "x.SQLITE3",
    "\uFF0E\uFF0E/x",
  ])("%j is refused", (path) => {
    expect(findPathFault(path)).toBeDefined();
  });

  test.each(["layers/rules.md", "a", "A/b-c_d.1.json", "a/b/c/d/e/f/g/h.md", "console.md", "_x"])(
    "%j is taken",
    (path) => {
      expect(findPathFault(path)).toBeUndefined();
    },
  );

  test("that is taken never leads out of the root", () => {
    const names = fc.constantFrom("..", ".", "a", "b.md", "~", "", "\\", "C:", "%2e", "nul", "a.");
    fc.assert(
      fc.property(fc.array(names, { minLength: 1, maxLength: 10 }), (parts) => {
        const path = parts.join("/");
        if (findPathFault(path) === undefined) expect(join("/root/project", path)).toBe(`/root/project/${path}`);
      }),
    );
  });

  test("has no twin where case doesn't count, in files and folders", () => {
    expect(listCaseTwins(["a/Rules.md", "a/rules.md", "A/other.md", "b.md", "b.md"])).toEqual([
      ["a/Rules.md", "a/rules.md"],
      ["a", "A"],
    ]);
  });
});

describe("a file of a project", () => {
  const limit = 64;

  function readIn(files: Readonly<Record<string, string>>, path: string, change?: (root: string) => void): unknown {
    const root = createDirectory(files);
    change?.(root);
    const read = readPlainFile(root, path, limit);
    return "rule" in read ? `${read.rule}: ${read.message}` : read.toString();
  }

  test("is read whole up to its limit and not over it", () => {
    expect(readIn({ "a/b.md": "x".repeat(64) }, "a/b.md")).toBe("x".repeat(64));
    expect(readIn({ "a/b.md": "x".repeat(65) }, "a/b.md")).toBe("TOO_LARGE: is 65 bytes, the limit is 64");
    expect(readIn({ "a.md": "" }, "a.md")).toBe("");
  });

  test("is refused where it is missing or a directory", () => {
    expect(readIn({}, "a.md")).toBe("NOT_READABLE: does not exist");
    expect(readIn({ "a/b.md": "x" }, "a")).toBe("NOT_A_PLAIN_FILE: is not a regular file");
    expect(readIn({ a: "x" }, "a/b.md")).toBe(
      "NOT_A_PLAIN_FILE: leads through a symbolic link or something that is no directory",
    );
  });

  test("is refused behind a symbolic link, in the name itself and above it", () => {
    const outside = createDirectory({ "secret.md": "outside" });
    expect(readIn({}, "a.md", (root) => symlinkSync(join(outside, "secret.md"), join(root, "a.md")))).toBe(
      "NOT_A_PLAIN_FILE: is a symbolic link",
    );
    expect(readIn({}, "a/secret.md", (root) => symlinkSync(outside, join(root, "a")))).toBe(
      "NOT_A_PLAIN_FILE: leads through a symbolic link or something that is no directory",
    );
    expect(readIn({ "b.md": "inside" }, "a.md", (root) => symlinkSync("b.md", join(root, "a.md")))).toBe(
      "NOT_A_PLAIN_FILE: is a symbolic link",
    );
  });

  test("is refused with a second name", () => {
    expect(readIn({ "b.md": "x" }, "a.md", (root) => linkSync(join(root, "b.md"), join(root, "a.md")))).toBe(
      "NOT_A_PLAIN_FILE: has a second name (hard link), so it may be a file from elsewhere",
    );
  });

  test("is refused as a FIFO without waiting for a writer", () => {
    expect(readIn({}, "a.md", (root) => void execFileSync("mkfifo", [join(root, "a.md")]))).toBe(
      "NOT_A_PLAIN_FILE: is not a regular file",
    );
  });

  test("is never what lies behind a link that took its folder's place", () => {
    const root = createDirectory({ "a/x.md": "inside" });
    const outside = createDirectory({ "x.md": "outside" });
    const seen = new Set<string>();
    for (let round = 0; round < 50; round += 1) {
      const isLink = round % 2 === 1;
      rmSync(join(root, "a"), { recursive: true });
      if (isLink) symlinkSync(outside, join(root, "a"));
      else mkdirSync(join(root, "a"));
      if (!isLink) writeFileSync(join(root, "a/x.md"), "inside");
      const read = readPlainFile(root, "a/x.md", limit);
      seen.add("rule" in read ? read.rule : read.toString());
    }
    expect([...seen].toSorted()).toEqual(["NOT_A_PLAIN_FILE", "inside"]);
  });
});
