import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { toInstant, type Instant } from "@loopx/contracts";
import { openSqlite, type Database } from "@loopx/store";
import { expect, onTestFinished, test } from "vitest";
import {
  carryOutOperation,
  decideDisable,
  decideDoctor,
  decideEnable,
  decideInstall,
  decideRemove,
  decideRollback,
  decideUpgrade,
  draftRevision,
  EXTENSIONS_MIGRATION,
  listExtensionStates,
  type ExtensionOperation,
  type ExtensionState,
  type RevisionDraft,
} from "../../src/index.ts";
import { sampleManifest } from "../manifest/sample-manifest.ts";
import { createFolder, placeProgram } from "../provider-place.ts";

const ID = "loopx-fakehist";
let tick = 0;
const WORLD = {
  environment: { PATH: process.env["PATH"] },
  now: (): Instant => toInstant(1_772_366_400_000 + (tick += 1)),
};

/** Two connections to one home: two processes in all but name. */
async function openHomes(): Promise<readonly [Database, Database]> {
  const path = join(createFolder(), "home.db");
  const open = async (): Promise<Database> => {
    const home = await openSqlite({
      path,
      label: "home.db",
      access: "write",
      journal: "rollback",
      migrations: [{ ...EXTENSIONS_MIGRATION, number: 1 }],
      create: true,
      now: WORLD.now,
    });
    onTestFinished(() => home.close());
    return home;
  };
  return [await open(), await open()];
}

async function draft(version: string, program = "answers-well.mjs"): Promise<RevisionDraft> {
  const { folder } = placeProgram(program);
  const source = sampleManifest({ version: `"${version}"`, entrypoint: `"./${program}"`, timeout_seconds: "20" });
  writeFileSync(join(folder, "extension.toml"), source);
  return draftRevision(source, { folder, searchPath: undefined });
}

function install(revision: RevisionDraft): ExtensionOperation {
  return { extensionId: ID, decide: (state) => decideInstall(state, revision) };
}

function upgrade(revision: RevisionDraft): ExtensionOperation {
  return { extensionId: ID, decide: (state) => decideUpgrade(state, revision) };
}

const BY_ID = {
  disable: { extensionId: ID, decide: (state: ExtensionState | undefined) => decideDisable(state, ID) },
  enable: { extensionId: ID, decide: (state: ExtensionState | undefined) => decideEnable(state, ID) },
  rollback: { extensionId: ID, decide: (state: ExtensionState | undefined) => decideRollback(state, ID) },
  doctor: { extensionId: ID, decide: (state: ExtensionState | undefined) => decideDoctor(state, ID) },
  remove: { extensionId: ID, decide: (state: ExtensionState | undefined) => decideRemove(state, ID) },
} satisfies Record<string, ExtensionOperation>;

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "ok";
  } catch (error) {
    return String((error as { readonly code?: unknown }).code);
  }
}

test.each([
  ["two upgrades", "0.2.0", "0.3.0"],
  ["an upgrade and a rollback", "0.3.0", "rollback"],
  ["an upgrade and a doctor", "0.3.0", "doctor"],
  ["a rollback and a rollback", "rollback", "rollback"],
] as const)("of %s at once one is written, and the other says that the extension changed", async (_, left, right) => {
  const [first, second] = await openHomes();
  await carryOutOperation(first, install(await draft("0.0.1")), WORLD);
  await carryOutOperation(first, upgrade(await draft("0.1.0")), WORLD);
  const toOperation = async (word: string): Promise<ExtensionOperation> =>
    word === "rollback" || word === "doctor" ? BY_ID[word] : upgrade(await draft(word));
  const [one, other] = [await toOperation(left), await toOperation(right)];
  // Both read before either program has ended: nothing is written while one is probed.
  const codes = await Promise.all([
    codeOf(carryOutOperation(first, one, WORLD)),
    codeOf(carryOutOperation(second, other, WORLD)),
  ]);
  expect(codes.toSorted()).toEqual(["extension_changed", "ok"]);
});

test("of two installations at once one is written", async () => {
  const [first, second] = await openHomes();
  const [one, other] = [await draft("0.1.0"), await draft("0.2.0")];
  const codes = await Promise.all([
    codeOf(carryOutOperation(first, install(one), WORLD)),
    codeOf(carryOutOperation(second, install(other), WORLD)),
  ]);
  expect(codes.toSorted()).toEqual(["extension_changed", "ok"]);
  const [state] = await first.read(listExtensionStates);
  expect(state?.revisions).toHaveLength(1);
});

test("an extension that was removed while its program ran is not written again", async () => {
  const [first, second] = await openHomes();
  const revision = await draft("0.1.0");
  await carryOutOperation(first, install(revision), WORLD);
  const doctor = codeOf(carryOutOperation(second, BY_ID.doctor, WORLD));
  await carryOutOperation(first, BY_ID.disable, WORLD);
  await carryOutOperation(first, BY_ID.remove, WORLD);
  expect(await doctor).toBe("extension_changed");
});

test.each([
  ["hangs.sh", "probe_timeout"],
  ["floods-stdout.sh", "probe_output_too_large"],
  ["floods-stderr.sh", "probe_output_too_large"],
  ["changes-its-own-file.sh", "entrypoint_changed_during_probe"],
  ["ends-with-1.sh", "probe_nonzero_exit"],
] as const)("a doctor that %s verifies nothing: %s, and nothing is stored", async (program, failure) => {
  const [home] = await openHomes();
  const { manifest, ...rest } = await draft("0.1.0", program);
  const short = { ...rest, manifest: { ...manifest, runtime: { ...manifest.runtime, timeout_seconds: 1 } } };
  await expect(carryOutOperation(home, install(short), WORLD)).rejects.toMatchObject({
    code: "extension_not_ready",
    details: { failure_kind: failure },
  });
  expect(await home.read(listExtensionStates)).toEqual([]);
});

test("a doctor is not started by what a provider started", async () => {
  const [home] = await openHomes();
  const nested = { ...WORLD, environment: { LOOPX_EXTENSION_DEPTH: "1" } };
  await expect(carryOutOperation(home, install(await draft("0.1.0")), nested)).rejects.toMatchObject({
    details: { failure_kind: "probe_reentrant" },
  });
});

test("a stored manifest that its revision doesn't name is refused: nothing of it was verified", async () => {
  const [home] = await openHomes();
  await carryOutOperation(home, install(await draft("1.0.0")), WORLD);
  const alter = "UPDATE extension_revisions SET manifest = json_set(manifest, '$.runtime.args', json('[\"--other\"]'))";
  await home.write((tx) => tx.run(alter));
  await expect(home.read(listExtensionStates)).rejects.toMatchObject({
    code: "store_corrupt",
    details: { table: "extension_revisions", column: "revision" },
  });
});
