import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { writeFileAtomically } from "../../src/files/write-file-atomically.ts";
import { createTemporaryDirectory } from "../temporary-directory.ts";

describe("writeFileAtomically", () => {
  test("creates a file with its mode, and leaves nothing beside it", async () => {
    const directory = createTemporaryDirectory();
    await writeFileAtomically(join(directory, "a.json"), '{"a":1}\n', { mode: 0o600 });
    expect(readFileSync(join(directory, "a.json"), "utf8")).toBe('{"a":1}\n');
    expect(statSync(join(directory, "a.json")).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory)).toEqual(["a.json"]);
  });

  test("replaces a file with bytes", async () => {
    const path = join(createTemporaryDirectory(), "a.bin");
    writeFileSync(path, "a much longer old content");
    await writeFileAtomically(path, new Uint8Array([0, 255, 10]), { mode: 0o600 });
    expect([...readFileSync(path)]).toEqual([0, 255, 10]);
  });

  test("20 writers at once: a reader only ever sees one whole content", async () => {
    const directory = createTemporaryDirectory();
    const path = join(directory, "registry.json");
    const contents = Array.from({ length: 20 }, (_, index) => `${index}`.padStart(2, "0").repeat(20_000));
    writeFileSync(path, contents[0] ?? "");
    const seen = new Set<string>();
    const reader = setInterval(() => seen.add(readFileSync(path, "utf8")), 0);
    await Promise.all(contents.map((content) => writeFileAtomically(path, content, { mode: 0o600 })));
    clearInterval(reader);
    seen.add(readFileSync(path, "utf8"));
    expect([...seen].filter((content) => !contents.includes(content))).toEqual([]);
    expect(readdirSync(directory)).toEqual(["registry.json"]);
  });

  test("a failed replacement leaves what was there and no temporary file", async () => {
    const directory = createTemporaryDirectory();
    mkdirSync(join(directory, "taken", "inside"), { recursive: true });
    const writing = writeFileAtomically(join(directory, "taken"), "x", { mode: 0o600, label: "the registry" });
    await expect(writing).rejects.toMatchObject({
      code: "file_not_writable",
      message: "the registry cannot be written (EISDIR)",
    });
    expect(readdirSync(directory)).toEqual(["taken"]);
  });

  test("a missing directory is refused without naming it", async () => {
    const path = join(createTemporaryDirectory(), "nowhere", "a.json");
    await expect(writeFileAtomically(path, "x", { mode: 0o600 })).rejects.toMatchObject({
      code: "file_not_writable",
      message: "a.json cannot be written (ENOENT)",
    });
  });

  test("a symbolic link is replaced, not followed", async () => {
    const directory = createTemporaryDirectory();
    writeFileSync(join(directory, "outside"), "precious");
    symlinkSync(join(directory, "outside"), join(directory, "link"));
    await writeFileAtomically(join(directory, "link"), "new", { mode: 0o600 });
    expect(readFileSync(join(directory, "outside"), "utf8")).toBe("precious");
    expect(readFileSync(join(directory, "link"), "utf8")).toBe("new");
  });
});
