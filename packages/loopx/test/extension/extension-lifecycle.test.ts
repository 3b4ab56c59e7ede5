import { appendFileSync, chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { codeOf, createInProcessWorld, type Answer, type InProcessWorld, type Who } from "../in-process-world.ts";

type Packet = Answer & Readonly<Record<string, unknown>>;

interface ExtensionWorld extends InProcessWorld {
  readonly folder: string;
  /** Writes manifest and program, as an author does. */
  readonly write: (version: string, program?: string) => void;
  readonly extension: (words: string, who?: Who) => Promise<Packet>;
  readonly listed: () => Promise<unknown>;
}

const GOOD = "#!/bin/sh\nexit 0\n";
const BAD = "#!/bin/sh\nexit 3\n";

function createExtensionWorld(): ExtensionWorld {
  const world = createInProcessWorld();
  onTestFinished(() => world.remove());
  const folder = join(world.directory, "project", "history");
  mkdirSync(folder);
  const write = (version: string, program = GOOD): void => {
    writeFileSync(join(folder, "provider"), program);
    chmodSync(join(folder, "provider"), 0o755);
    writeFileSync(
      join(folder, "extension.toml"),
      `schema_version = "loopx_extension_manifest_v0"
id = "history"
version = "${version}"
requires_loopx_api = ">=1,<2"
permissions = ["decision_context.read"]
[runtime]
protocol = "decision_context_advisory_provider_v0"
entrypoint = "./provider"
doctor_args = ["--doctor"]
required_permissions = ["decision_context.read"]
timeout_seconds = 10
[[implements]]
capability_id = "decision-context"
protocol = "decision_context_advisory_provider_v0"
`,
    );
  };
  write("0.1.0");
  const extension = async (words: string, who: Who = "owner"): Promise<Packet> =>
    (await world.run(["extension", ...words.split(" ")], who)) as Packet;
  const listed = async (): Promise<unknown> => {
    const [only] = (await extension("list"))["extensions"] as readonly Packet[];
    return only && [only["version"], only["enabled"], only["doctor_verified"], only["rollback_available"]];
  };
  return { ...world, folder, write, extension, listed };
}

test("without --execute nothing is written, not even a folder, and the command that would is printed", async () => {
  const { directory, extension } = createExtensionWorld();
  expect(await extension("install --manifest history", "agent")).toMatchObject({
    ok: true,
    schema_version: "loopx_extension_operation_v0",
    operation: "install",
    dry_run: true,
    changed: false,
    would_change: true,
    version: "0.1.0",
    enabled: null,
    doctor: { status: "probe_required", verified: false, executed: false },
    next: ["loopx extension install --manifest=history --execute"],
  });
  expect(await extension("init other")).toMatchObject({ dry_run: true, files: expect.any(Array) as unknown });
  expect(await extension("list")).toMatchObject({ extensions: [] });
  for (const words of ["enable history", "disable history", "rollback history", "doctor history", "remove history"]) {
    expect(codeOf(await extension(words))).toBe("unknown_extension");
  }
  expect(readdirSync(directory)).toEqual(["project"]);
  expect(existsSync(join(directory, "project", "other"))).toBe(false);
});

test("an extension goes from install over upgrade and rollback to disable and remove", async () => {
  const { extension, listed, write } = createExtensionWorld();
  const installed = await extension("install --manifest history --execute");
  expect(installed).toMatchObject({ changed: true, enabled: true, doctor: { status: "ready", verified: true } });
  expect(await listed()).toEqual(["0.1.0", true, true, false]);
  expect(await extension("install --manifest history --execute")).toMatchObject({ ok: true, changed: false });
  write("0.2.0");
  expect(codeOf(await extension("install --manifest history --execute"))).toBe("extension_state_conflict");
  expect(await extension("upgrade --manifest history --execute")).toMatchObject({
    changed: true,
    previous_revision: installed["revision"],
    rollback_available: true,
  });
  expect(await listed()).toEqual(["0.2.0", true, true, true]);
  expect(await extension("rollback history")).toMatchObject({ would_change: true, version: "0.1.0" });
  expect(await extension("rollback history --execute")).toMatchObject({ changed: true, version: "0.1.0" });
  expect(await listed()).toEqual(["0.1.0", true, true, true]);
  await extension("rollback history --execute");
  expect(await listed()).toEqual(["0.2.0", true, true, true]);
  expect(codeOf(await extension("remove history --execute"))).toBe("extension_state_conflict");
  expect(await extension("disable history --execute")).toMatchObject({ changed: true, enabled: false });
  expect(await extension("disable history --execute")).toMatchObject({ changed: false });
  expect(await listed()).toEqual(["0.2.0", false, false, true]);
  expect(await extension("remove history")).toMatchObject({ changed: false, would_change: true });
  expect(await extension("remove history --execute")).toMatchObject({ changed: true });
  expect(await listed()).toBeUndefined();
});

test("five revisions are kept, and the one to go back to is among them", async () => {
  const { extension, write } = createExtensionWorld();
  await extension("install --manifest history --execute");
  for (let minor = 2; minor <= 8; minor += 1) {
    write(`0.${minor}.0`);
    await extension("upgrade --manifest history --execute");
  }
  const [only] = (await extension("list"))["extensions"] as readonly Packet[];
  expect(only?.["revision_count"]).toBe(5);
  expect(await extension("rollback history --execute")).toMatchObject({ version: "0.7.0" });
});

test("what the doctor doesn't verify is not taken into use, and leaves what there was", async () => {
  const { extension, listed, write } = createExtensionWorld();
  write("0.1.0", BAD);
  const refused = await extension("install --manifest history --execute");
  expect(refused.error).toMatchObject({
    code: "extension_not_ready",
    details: { status: "provider_unavailable", failure_kind: "probe_nonzero_exit" },
  });
  expect(await listed()).toBeUndefined();
  write("0.1.0");
  await extension("install --manifest history --execute");
  await extension("disable history --execute");
  write("0.1.0", BAD);
  expect(codeOf(await extension("enable history --execute"))).toBe("extension_not_ready");
  expect(await listed()).toEqual(["0.1.0", false, false, false]);
  write("0.1.0");
  expect(await extension("enable history --execute")).toMatchObject({ enabled: true });
});

test("a program that changed is not ready until its doctor has verified it again", async () => {
  const { extension, folder, listed, must } = createExtensionWorld();
  await extension("install --manifest history --execute");
  expect(await extension("doctor history")).toMatchObject({
    ok: true,
    status: "ready",
    executed: false,
    verified: true,
  });
  appendFileSync(join(folder, "provider"), "# a change\n");
  expect(await listed()).toEqual(["0.1.0", true, false, false]);
  expect(await extension("doctor history")).toMatchObject({ status: "probe_required", verified: false });
  expect(await must(["doctor"])).toMatchObject({
    checks: expect.arrayContaining([
      expect.objectContaining({
        name: "extensions",
        state: "warning",
        remedy: "loopx extension doctor --execute history",
      }),
    ]) as unknown,
  });
  expect(await extension("doctor history --execute")).toMatchObject({ ok: true, status: "ready", executed: true });
  expect(await listed()).toEqual(["0.1.0", true, true, false]);
});

test("a doctor that fails says so, also with its exit code, and takes the proof away", async () => {
  const { extension, listed, write } = createExtensionWorld();
  await extension("install --manifest history --execute");
  write("0.1.0", BAD);
  expect(await extension("doctor history --execute")).toMatchObject({
    ok: false,
    schema_version: "loopx_extension_doctor_v0",
    status: "provider_unavailable",
    verified: false,
    failure_kind: "probe_nonzero_exit",
  });
  expect(await listed()).toEqual(["0.1.0", true, false, false]);
});

test("an agent takes out of use; only an owner takes a program into use", async () => {
  const { extension, folder, listed } = createExtensionWorld();
  expect(codeOf(await extension("install --manifest history --execute", "agent"))).toBe("gate_needs_owner");
  expect(await listed()).toBeUndefined();
  await extension("install --manifest history --execute");
  expect(await extension("doctor history --execute", "agent")).toMatchObject({ verified: true });
  expect(await extension("disable history --execute", "agent")).toMatchObject({ changed: true });
  for (const words of ["enable history", "rollback history", "remove history", "upgrade --manifest history"]) {
    const answer = await extension(`${words} --execute`, "agent");
    expect([words, codeOf(answer)]).toEqual([
      words,
      words.startsWith("rollback") ? "extension_state_conflict" : "gate_needs_owner",
    ]);
  }
  await extension("enable history --execute");
  appendFileSync(join(folder, "provider"), "# a change\n");
  expect(codeOf(await extension("doctor history --execute", "agent"))).toBe("gate_needs_owner");
  expect(await listed()).toEqual(["0.1.0", true, false, false]);
});

test("the same manifest in another folder is an upgrade, with nothing else to go back to", async () => {
  const { directory, extension, listed, folder } = createExtensionWorld();
  await extension("install --manifest history --execute");
  const moved = join(directory, "project", "moved");
  mkdirSync(moved);
  for (const name of readdirSync(folder)) {
    copyFileSync(join(folder, name), join(moved, name));
  }
  expect(await extension("upgrade --manifest moved/extension.toml --execute")).toMatchObject({
    changed: true,
    previous_revision: null,
    rollback_available: false,
  });
  expect(await listed()).toEqual(["0.1.0", true, true, false]);
});

test("no packet holds a path of the machine", async () => {
  const { directory, extension } = createExtensionWorld();
  const packets = [];
  for (const words of [
    "install --manifest history",
    "install --manifest history --execute",
    "list",
    "doctor history",
  ]) {
    packets.push(await extension(words));
  }
  expect(JSON.stringify(packets)).not.toContain(directory);
  expect(codeOf(await extension("install --manifest nowhere"))).toBe("file_not_readable");
  expect(codeOf(await extension("install --bundled sesion-history"))).toBe("unknown_extension");
  expect(codeOf(await extension("enable ../history"))).toBe("invalid_id");
});

test("a new extension is written once, and checked as it stands", async () => {
  const { extension } = createExtensionWorld();
  expect(await extension("init fresh-notes --language ts --execute", "agent")).toMatchObject({ changed: true });
  expect(codeOf(await extension("init fresh-notes --execute"))).toBe("file_not_writable");
  expect(await extension("check fresh-notes", "agent")).toMatchObject({
    ok: true,
    schema_version: "loopx_extension_check_v0",
    failed_count: 0,
    next: ["loopx extension install --manifest=fresh-notes --execute"],
  });
});
