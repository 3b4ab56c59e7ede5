import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { renderAdvisoryManifest } from "../../support/advisory-manifest.ts";
import { createWorld, type World } from "../../support/cli-world.ts";
import { createOwnerToken } from "../../support/create-owner-token.ts";
import { runProgram } from "../../support/run-program.ts";

let world: World;
let token: string;

beforeAll(async () => {
  world = createWorld();
  token = await createOwnerToken(world);
});
afterAll(() => world.remove());

/** An extension whose program is this text; its doctor always ends with 0 unless the program says otherwise. */
function writeExtension(id: string, program: string): string {
  const folder = join(world.directory, id);
  mkdirSync(folder);
  writeFileSync(join(folder, "provider"), program);
  chmodSync(join(folder, "provider"), 0o755);
  writeFileSync(join(folder, "extension.toml"), renderAdvisoryManifest({ id }));
  return folder;
}

function isAlive(pid: number): boolean {
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, "utf8") : "";
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return !/\) Z /.test(stat);
}

async function waitFor(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(10);
}

describe("a provider's program and the end of LoopX", () => {
  test.each(["SIGINT", "SIGTERM"] as const)("%s of ours leaves none of its processes behind", async (signal) => {
    const pids = join(world.directory, `pids-${signal}`);
    const program = `#!/bin/sh\ntrap '' TERM INT\nsleep 600 &\necho "$$ $!" > '${pids}'\nwait\nsleep 600\n`;
    const folder = writeExtension(`held-${signal.toLowerCase()}`, program);
    const child = spawn(process.execPath, [world.program, "--json", "extension", "check", folder], {
      cwd: world.project,
      env: { ...world.env },
      stdio: ["ignore", "pipe", "ignore"],
    });
    const ended = new Promise<number | null>((resolve) => child.on("exit", (exitCode) => resolve(exitCode)));
    await waitFor(() => existsSync(pids) && readFileSync(pids, "utf8").includes("\n"));
    child.kill(signal);
    expect(await ended).toBe(signal === "SIGINT" ? 130 : 143);
    const left = readFileSync(pids, "utf8").trim().split(" ").map(Number);
    await waitFor(() => !left.some(isAlive));
  });
});

test("a provider that calls loopx gets no other provider started", async () => {
  const inner = writeExtension("inner", "#!/bin/sh\nexit 0\n");
  const said = join(world.directory, "said");
  const command = `'${process.execPath}' '${world.program}' --json extension check '${inner}'`;
  const outer = writeExtension("outer", `#!/bin/sh\n${command} > '${said}'\nexit 0\n`);
  await world.run(["extension", "check", outer]);
  expect(JSON.parse(readFileSync(said, "utf8"))).toMatchObject({
    ok: false,
    checks: expect.arrayContaining([
      expect.objectContaining({ name: "verifies itself", found: "provider_unavailable: probe_reentrant" }),
    ]) as unknown,
  });
});

test("what a program reads, writes and is given reaches no packet and no file", async () => {
  const program = `#!/bin/sh
echo canary-stderr >&2
[ "$1" = --doctor ] && { echo canary-stdout; exit 0; }
cat > request-canary-file
echo canary-stdout
`;
  const folder = writeExtension("loud", program);
  const env = { SECRET_TOKEN: "canary-env", TMPDIR: join(world.directory, "tmp") };
  mkdirSync(env.TMPDIR);
  const answers = [];
  for (const words of [
    ["install", "--manifest", folder, "--execute", "--owner-token-file", token],
    ["doctor", "loud", "--execute"],
    ["check", folder, "--query", "canary-query", "--scope-ref", "canary-scope"],
    ["list"],
  ]) {
    answers.push(await world.run(["extension", ...words], { env }));
  }
  expect(answers.map(({ exitCode }) => exitCode)).toEqual([0, 0, 1, 0]);
  const shown = answers.map(({ stdout, stderr }) => `${stdout}${stderr}`);
  expect(shown.join("\n")).not.toMatch(/canary/);
  expect(readdirSync(env.TMPDIR)).toEqual([]);
  const found = await runProgram("grep", ["-rlE", "canary", world.home, world.project], {
    cwd: world.directory,
    env: { PATH: process.env["PATH"] ?? "" },
  });
  expect(found.stdout).toBe("");
});

test("of many processes that upgrade and roll back at once each is whole or says that it was too late", async () => {
  const program = "#!/bin/sh\nsleep 0.2\nexit 0\n";
  const folders = ["0.1.0", "0.2.0", "0.3.0"].map((version) => {
    const folder = writeExtension(`raced-${version.replaceAll(".", "-")}`, program);
    const path = join(folder, "extension.toml");
    const text = readFileSync(path, "utf8")
      .replace(/^id = .*$/m, 'id = "raced"')
      .replace("0.1.0", version);
    writeFileSync(path, text);
    return folder;
  });
  const owner = ["--execute", "--owner-token-file", token];
  await world.call(["extension", "install", "--manifest", folders[0] ?? "", ...owner]);
  await world.call(["extension", "upgrade", "--manifest", folders[1] ?? "", ...owner]);
  const results = await world.spawnMany(6, (index) =>
    index % 2 === 0
      ? ["extension", "upgrade", "--manifest", folders[2] ?? "", ...owner]
      : ["extension", "rollback", "raced", ...owner],
  );
  const outcomes = results.map(({ json }) => {
    const packet = json as { readonly ok: boolean; readonly error?: { readonly code: string } };
    return packet.ok ? "ok" : (packet.error?.code ?? "");
  });
  expect(outcomes).toContain("ok");
  expect(outcomes.filter((outcome) => outcome !== "ok" && outcome !== "extension_changed")).toEqual([]);
  const { json } = await world.run(["extension", "list"]);
  expect(json).toMatchObject({
    extensions: expect.arrayContaining([expect.objectContaining({ id: "raced", doctor_verified: true })]) as unknown,
  });
});
