import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { renderAdvisoryManifest } from "../support/advisory-manifest.ts";
import { createWorld, type World } from "../support/cli-world.ts";
import { createOwnerToken } from "../support/create-owner-token.ts";
import { readField } from "../support/read-field.ts";

const VERSIONS = ["0.1.0", "0.2.0", "0.3.0"] as const;

export type OperationName = "install" | "upgrade" | "rollback" | "enable" | "disable" | "doctor" | "remove";
export const OPERATION_NAMES: readonly OperationName[] = [
  "install",
  "upgrade",
  "rollback",
  "enable",
  "disable",
  "doctor",
  "remove",
];

/** A machine with one extension in its second version, that can go back to its first and on to its third. */
export interface ExtensionWorld extends World {
  readonly operation: (name: OperationName) => readonly string[];
}

export async function createExtensionWorld(program?: string): Promise<ExtensionWorld> {
  const world = createWorld(program === undefined ? {} : { program });
  const owner = ["--execute", `--owner-token-file=${await createOwnerToken(world)}`];
  for (const version of VERSIONS) writeVersion(join(world.directory, version), version);
  const from = (version: string): string => `--manifest=${join(world.directory, version)}`;
  const words: Readonly<Record<OperationName, readonly string[]>> = {
    install: ["install", from("0.1.0"), ...owner],
    upgrade: ["upgrade", from("0.3.0"), ...owner],
    rollback: ["rollback", "raced", ...owner],
    enable: ["enable", "raced", ...owner],
    disable: ["disable", "raced", "--execute"],
    doctor: ["doctor", "raced", ...owner],
    remove: ["remove", "raced", ...owner],
  };
  await world.call(["extension", ...words.install]);
  await world.call(["extension", "upgrade", from("0.2.0"), ...owner]);
  return { ...world, operation: (name) => ["extension", ...words[name]] };
}

/** Runs a check in a world of its own, on this program. */
export async function inExtensionWorld(
  program: string,
  check: (world: ExtensionWorld) => Promise<void>,
): Promise<void> {
  const world = await createExtensionWorld(program);
  try {
    await check(world);
  } finally {
    world.remove();
  }
}

/** Doctors take a moment, so that operations overlap; the third version's is done long before the others'. */
function writeVersion(folder: string, version: string): void {
  mkdirSync(folder);
  const seconds = version === "0.3.0" ? 0.02 : 0.4;
  writeFileSync(join(folder, "provider"), `#!/bin/sh\nsleep ${seconds}\n`, { mode: 0o755 });
  const manifest = renderAdvisoryManifest({ id: "raced", version });
  writeFileSync(join(folder, "extension.toml"), manifest);
}

/** What of two operations may be refused: the other was faster, or made it pointless. */
const FAIR = ["extension_changed", "extension_state_conflict", "unknown_extension"];

/** Of two operations at once each is done or fairly refused, and what is reported as done is there afterwards. */
export async function keepsWhatTwoDid(
  world: ExtensionWorld,
  [one, other]: readonly [OperationName, OperationName],
): Promise<void> {
  await makeRoomFor(world, [one, other]);
  const results = await world.spawnMany(2, (index) => world.operation(index === 0 ? one : other));
  const codes = results.map(({ json }) => (readField(json, "ok") === true ? "ok" : readField(json, "error", "code")));
  expect(codes).toContain("ok");
  expect(codes.filter((code) => code !== "ok" && !FAIR.includes(String(code)))).toEqual([]);
  const version = await expectWhole(world);
  const isUpgraded = [one, other].some((name, at) => name === "upgrade" && codes[at] === "ok");
  if (!isUpgraded || [one, other].includes("remove")) return;
  // Whoever went back afterwards went back from the third to the second.
  expect([one, other].includes("rollback") ? ["0.3.0", "0.2.0"] : ["0.3.0"]).toContain(version);
}

/** Brings it to where both operations could be done: an enabled one isn't removed, an installed one not installed. */
async function makeRoomFor(world: ExtensionWorld, names: readonly OperationName[]): Promise<void> {
  if (!names.includes("remove") && !names.includes("install")) return;
  await world.call(world.operation("disable"));
  if (names.includes("install")) await world.call(world.operation("remove"));
}

/** The extension is gone, or one of its versions is in use, verified where it is enabled. Gives its version. */
export async function expectWhole(world: ExtensionWorld): Promise<string | undefined> {
  const list = await world.call(["extension", "list"]);
  const found = readField(list, "extensions") as readonly Readonly<Record<string, unknown>>[];
  expect(found.length).toBeLessThanOrEqual(1);
  for (const { version, enabled, doctor_verified: isVerified } of found) {
    expect(VERSIONS).toContain(version);
    if (enabled === true) expect(isVerified).toBe(true);
  }
  return found[0]?.["version"] as string | undefined;
}
