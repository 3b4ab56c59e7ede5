import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toInstant } from "@loopx/contracts";
import {
  ADVISORY_CAPABILITY,
  ADVISORY_PERMISSION,
  ADVISORY_PROTOCOL,
  carryOutOperation,
  decideDisable,
  decideInstall,
  dispatchRequest,
  draftRevision,
  renderStarter,
  resolveProvider,
  type ResolvedProvider,
} from "@loopx/extensions";
import { openSqlite, type Database } from "@loopx/store";
import { expect, onTestFinished, test } from "vitest";
import { HOME_SCHEMA } from "../../../packages/loopx/src/project/home-schema.ts";
import { runSql } from "../../support/run-sql.ts";
import { verifies } from "../../support/verifies.ts";

const NEED = { capabilityId: ADVISORY_CAPABILITY, protocol: ADVISORY_PROTOCOL, permission: ADVISORY_PERMISSION };
const NOW = toInstant(1_772_366_400_000);
const WORLD = { environment: { PATH: process.env["PATH"] }, now: () => NOW };

interface Desk {
  readonly path: string;
  readonly home: Database;
  /** Installs the starter under an id; `change` edits its manifest first. Gives the folder. */
  readonly install: (id: string, change?: (manifest: string) => string) => Promise<string>;
  readonly resolve: (extensionId?: string) => Promise<ResolvedProvider>;
}

async function openDesk(): Promise<Desk> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "loopx-advisory-")));
  const path = join(directory, "home.db");
  const home = await openSqlite({
    path,
    label: "home.db",
    access: "write",
    journal: "rollback",
    migrations: HOME_SCHEMA,
    create: true,
    now: WORLD.now,
  });
  onTestFinished(async () => {
    await home.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return {
    path,
    home,
    install: async (id, change = (manifest) => manifest) => {
      const folder = join(directory, id);
      mkdirSync(folder);
      for (const { name, text, isProgram } of renderStarter({ id, version: "0.1.0", language: "ts" })) {
        writeFileSync(join(folder, name), name === "extension.toml" ? change(text) : text);
        if (isProgram) chmodSync(join(folder, name), 0o755);
      }
      const [manifest] = renderStarter({ id, version: "0.1.0", language: "ts" });
      const draft = await draftRevision(change(manifest?.text ?? ""), { folder, searchPath: undefined });
      await carryOutOperation(home, { extensionId: id, decide: (state) => decideInstall(state, draft) }, WORLD);
      return folder;
    },
    resolve: (extensionId) => home.read((tx) => resolveProvider(tx, { ...NEED, extensionId })),
  };
}

function statusOf({ readiness, binding }: ResolvedProvider): readonly unknown[] {
  return [readiness.status, readiness.extension_id, binding?.extensionId ?? null];
}

function without(line: string): (manifest: string) => string {
  return (manifest) => manifest.replace(line, "");
}

test("a provider declares permission, runtime protocol and capability, and is refused where one is missing", async () => {
  verifies("advisory.declaration");
  const { install, resolve } = await openDesk();
  for (const line of [
    'permissions = ["decision_context.read"]\n',
    'required_permissions = ["decision_context.read"]\n',
    'capability_id = "decision-context"\n',
    'protocol = "decision_context_advisory_provider_v0"\n',
  ]) {
    await expect(install(`without-${line.length}`, without(line))).rejects.toMatchObject({ code: "manifest_invalid" });
  }
  expect(statusOf(await resolve())).toEqual(["extension_provider_not_installed", null, null]);
  await install("whole");
  expect(statusOf(await resolve())).toEqual(["ready", "whole", "whole"]);
});

test.each([
  "enabled = true",
  "default_enabled = true",
  "max_results = 50",
  'scope_ref = "goal:g1"',
  "fail_open = false",
])("a manifest brings no activation, bound or policy of its own: %s", async (line) => {
  verifies("ownership.decision-context", "advisory.retrieval-only");
  const desk = await openDesk();
  const added = (manifest: string): string => manifest.replace("[[implements]]", () => `[[implements]]\n${line}`);
  await expect(desk.install("eager", added)).rejects.toMatchObject({ code: "manifest_invalid" });
  expect(statusOf(await desk.resolve())).toEqual(["extension_provider_not_installed", null, null]);
});

test("config.extension_id selects exactly that extension", async () => {
  verifies("advisory.exact-extension");
  const { install, resolve } = await openDesk();
  await install("first");
  await install("second");
  expect(statusOf(await resolve("first"))).toEqual(["ready", "first", "first"]);
  expect(statusOf(await resolve("second"))).toEqual(["ready", "second", "second"]);
  expect(statusOf(await resolve("third"))).toEqual(["extension_not_installed", "third", null]);
  const { binding } = await resolve("second");
  if (binding === undefined) throw new Error("no binding");
  const request = { schema_version: "decision_context_advisory_retrieve_request_v0", operation: "retrieve" };
  const fields = { namespace: "n", scope_ref: "notes:second", query: "pilot", query_summary: "q", observed_at: NOW };
  const outcome = await dispatchRequest(
    binding,
    { ...request, ...fields, max_results: 1, timeout_seconds: 10 },
    { timeoutMs: 10_000, environment: WORLD.environment },
  );
  expect(outcome).toMatchObject({ kind: "answered", response: { items: [{ resource_ref: "note-2" }] } });
});

test("without an id exactly one enabled and ready implementation is needed", async () => {
  verifies("advisory.only-candidate");
  const { home, install, resolve } = await openDesk();
  await install("first");
  const folder = await install("second");
  expect(statusOf(await resolve())).toEqual(["extension_provider_ambiguous", null, null]);
  appendFileSync(join(folder, "notes.txt"), "\nOne more note.\n");
  expect(statusOf(await resolve())).toEqual(["ready", "first", "first"]);
  await carryOutOperation(home, { extensionId: "first", decide: (state) => decideDisable(state, "first") }, WORLD);
  expect(statusOf(await resolve())).toEqual(["extension_provider_not_ready", null, null]);
});

test("a home that holds what LoopX never wrote is not read as if nothing were installed", async () => {
  const { install, path, resolve } = await openDesk();
  await install("first");
  for (const statement of [
    "UPDATE extension_revisions SET manifest = '{}'",
    "UPDATE extensions SET enabled = 7",
    "DELETE FROM extension_revisions",
  ]) {
    runSql(path, statement);
    expect(statusOf(await resolve())).toEqual(["extension_state_unavailable", null, null]);
    expect(statusOf(await resolve("first"))).toEqual(["extension_state_unavailable", "first", null]);
  }
});

test("without a home there is no extension", async () => {
  expect(statusOf(await resolveProvider(undefined, NEED))).toEqual(["extension_provider_not_installed", null, null]);
});
