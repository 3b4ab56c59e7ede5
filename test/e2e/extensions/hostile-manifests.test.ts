import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { renderAdvisoryManifest } from "../../support/advisory-manifest.ts";
import { createWorld, type World } from "../../support/cli-world.ts";
import { readField } from "../../support/read-field.ts";

const MANIFEST = renderAdvisoryManifest({ id: "odd" });

let world: World;
let folder: string;
let manifest: string;
beforeAll(() => {
  world = createWorld();
  folder = join(world.directory, "odd");
  manifest = join(folder, "extension.toml");
});
afterAll(() => world.remove());
beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  writeFileSync(join(folder, "provider"), "#!/bin/sh\nexit 0\n", { mode: 0o755 });
});

async function preview(): Promise<string> {
  const { json, stdout } = await world.run(["extension", "install", `--manifest=${folder}`], { killAfterMs: 30_000 });
  if (readField(json, "ok") === true) return String(readField(json, "revision"));
  expect(stdout).not.toContain(world.directory);
  return String(readField(json, "error", "code"));
}

test.each<[string, () => void, string]>([
  ["a pipe", () => spawnSync("mkfifo", [manifest]), "file_not_readable"],
  ["a folder", () => mkdirSync(manifest), "file_not_readable"],
  ["a device without an end", () => symlinkSync("/dev/zero", manifest), "file_not_readable"],
  ["a gigabyte", () => (writeFileSync(manifest, MANIFEST), truncateSync(manifest, 2 ** 30)), "file_not_readable"],
  ["a link to itself", () => symlinkSync(manifest, manifest), "file_not_readable"],
  ["not there", () => undefined, "file_not_readable"],
  ["not UTF-8", () => writeFileSync(manifest, Buffer.from([0x69, 0x64, 0xff])), "manifest_invalid"],
  ["two of one key", () => writeFileSync(manifest, `id = "odd"\n${MANIFEST}`), "manifest_invalid"],
  ["a table named __proto__", () => writeFileSync(manifest, `${MANIFEST}[__proto__]\nid = "x"\n`), "manifest_invalid"],
  ["a key constructor", () => writeFileSync(manifest, `constructor = 1\n${MANIFEST}`), "manifest_invalid"],
  ["deep", () => writeFileSync(manifest, `x = ${"[".repeat(5000)}${"]".repeat(5000)}\n`), "manifest_invalid"],
  ["with NUL in a path", () => writeFileSync(manifest, MANIFEST.replace("./pro", "./pro\\u0000")), "manifest_invalid"],
])("a manifest that is %s is refused, and nothing is waited for", async (_, write, code) => {
  write();
  expect(await preview()).toBe(code);
});

test("line ends of Windows, a byte order mark and a link to the file change no revision", async () => {
  writeFileSync(manifest, MANIFEST);
  const revision = await preview();
  expect(revision).toMatch(/^[0-9a-f]{16}$/);
  writeFileSync(manifest, MANIFEST.replaceAll("\n", "\r\n"));
  expect(await preview()).toBe(revision);
  writeFileSync(manifest, `\uFEFF${MANIFEST}`);
  expect(await preview()).toBe(revision);
  rmSync(manifest);
  writeFileSync(join(folder, "real.toml"), MANIFEST);
  symlinkSync("real.toml", manifest);
  expect(await preview()).toBe(revision);
});
