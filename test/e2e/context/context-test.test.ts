import { spawn } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { createWorld } from "../../support/cli-world.ts";
import { findRefusedCommands } from "../../support/printed-commands.ts";
import { readField, readText } from "../../support/read-field.ts";
import { runProgram, type ProgramResult } from "../../support/run-program.ts";
import { createSupportDesk } from "../../support/support-desk.ts";
import { hasStrace } from "../../support/system-calls.ts";
import { verifies } from "../../support/verifies.ts";

const EXAMPLE = fileURLToPath(new URL("../../../examples/support-desk/project", import.meta.url));
const world = createWorld();
let count = 0;

afterAll(() => world.remove());

/** The example's project, changed. */
function createProject(edit: (text: string) => string = (text) => text): string {
  const folder = join(world.directory, `project-${(count += 1)}`);
  cpSync(EXAMPLE, folder, { recursive: true });
  editProject(folder, edit);
  return folder;
}

function editProject(folder: string, edit: (text: string) => string): void {
  const path = join(folder, "context.project.yaml");
  writeFileSync(path, edit(readFileSync(path, "utf8")));
}

function runTests(folder: string, ...flags: readonly string[]): Promise<ProgramResult> {
  return world.run(["context", "test", ...flags], { cwd: folder });
}

function showTests(folder: string, ...flags: readonly string[]): Promise<ProgramResult> {
  return runProgram(process.execPath, [world.program, "context", "test", ...flags], { cwd: folder, env: world.env });
}

describe("the tests of a project", () => {
  test("pass on fixtures alone: no provider is running, no secret is set", async () => {
    verifies("fixtures.tests");
    const passed = await runTests(createProject());
    expect(passed).toMatchObject({
      exitCode: 0,
      json: {
        ok: true,
        verdict: "PASSED",
        evaluation: { providers: "FIXTURE" },
        counts: { total: 4, passed: 4, failed: 0, unknown: 0 },
        tests: [],
      },
    });
    const again = await runTests(createProject(), "--filter=slow");
    expect(again.json).toMatchObject({ counts: { total: 1 } });
  });

  test("come to the same bytes wherever they run", async () => {
    verifies("fixtures.deterministic");
    const folder = createProject((text) =>
      text.replace("content: Solved in a day.", 'content: Solved., updatedAt: "2026-10-09T09:00:00"'),
    );
    const runIn = (env: Readonly<Record<string, string>>): Promise<ProgramResult> =>
      world.run(["context", "test", "--filter=hand"], { cwd: folder, env });
    const [here, there] = [await runIn({ TZ: "UTC" }), await runIn({ TZ: "Asia/Tokyo", LANG: "tr_TR.UTF-8" })];
    expect(here).toMatchObject({ exitCode: 1, json: { verdict: "FAILED" } });
    expect(there.stdout).toBe(here.stdout);
  });

  test("say where they fail, what was expected and what came instead", async () => {
    const folder = createProject((text) => text.replace("contains: Enterprise plan", "contains: Gold plan"));
    const { exitCode, stdout } = await showTests(folder);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /^FAILED {3}everything-at-hand {2}The agent gets .*\n {2}context\.project\.yaml:\d+\n {4}expected {2}a text that contains "Gold plan"\n {4}got {7}it stands nowhere in the text\n/,
    );
    expect(stdout).toMatch(/\n +14 {2}On the Enterprise plan since 2024\.\n/);
    expect(stdout).toMatch(/\n3 passed, 1 failed\n$/);
    const [, line] = /yaml:(\d+)/.exec(stdout) ?? [];
    const written = readFileSync(join(folder, "context.project.yaml"), "utf8").split("\n")[Number(line) - 1];
    expect(written).toContain("Gold plan");
  });

  test("are UNKNOWN, never passed, without a fixture for a provider that would be asked: exit code 4", async () => {
    verifies("fixtures.missing");
    const folder = createProject((text) => text.replace("      order-data: { status: NOT_FOUND }\n", ""));
    const unverified = await runTests(folder);
    expect(unverified).toMatchObject({
      exitCode: 4,
      json: {
        ok: false,
        verdict: "NOT_VERIFIED",
        counts: { passed: 3, failed: 0, unknown: 1 },
        tests: [
          {
            test: "slow-ticket-history",
            status: "UNKNOWN",
            warnings: [{ code: "PROVIDER_FIXTURE_MISSING", provider: "order-data" }],
          },
        ],
      },
    });
  });

  test("are refused whole when the project has a fault, with its place", async () => {
    const folder = createProject((text) => text.replace("- outcome: DEGRADED", "- outcom: DEGRADED"));
    const refused = await runTests(folder);
    expect(refused).toMatchObject({ exitCode: 2, json: { error: { code: "project_invalid" } } });
    expect(readText(refused.json, "error", "message")).toMatch(
      /^context\.project\.yaml:\d+ \/tests\/1\/expect\/0\/outcom: unknown key "outcom" \(did you mean "outcome"\?\)/,
    );
  });

  test("hold no secret: one in a fixture is refused", async () => {
    verifies("fixtures.synthetic");
    const secret = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
    const folder = createProject((text) => text.replace("Solved in a day.", secret));
    const refused = await runTests(folder);
    expect(refused).toMatchObject({ exitCode: 2, json: { error: { code: "project_invalid" } } });
    expect(refused.stdout).not.toContain(secret);
    const checked = await world.run(["context", "check"], { cwd: folder });
    expect(checked.json).toMatchObject({ ok: false, findings: [{ rule: "SECRET_IN_FILE" }] });
  });
});

describe("reports", () => {
  test("are written as JUnit and as JSON, with every test in them", async () => {
    const folder = createProject((text) => text.replace("- outcome: BLOCKED", "- outcome: READY"));
    await runTests(folder, "--report=junit=out.xml", "--report=json=out.json");
    expect(readFileSync(join(folder, "out.xml"), "utf8")).toContain('tests="4" failures="1" errors="0"');
    const json: unknown = JSON.parse(readFileSync(join(folder, "out.json"), "utf8"));
    expect(json).toMatchObject({ verdict: "FAILED", tests: [{ status: "PASSED" }, {}, { status: "FAILED" }, {}] });
    const refused = await runTests(folder, "--report=html=out.html");
    expect(refused).toMatchObject({
      exitCode: 2,
      json: { error: { message: "--report takes junit=FILE or json=FILE" } },
    });
  });
});

describe("a golden digest", () => {
  test("that no longer holds is accepted with --update, which says what it was and is", async () => {
    const folder = createProject((text) => text.replace("name: House rules", "name: Rules of the house"));
    const failed = await runTests(folder);
    const next = readField(failed.json, "next");
    expect(failed).toMatchObject({ exitCode: 1, json: { next: ["loopx context test --update"] } });
    expect(findRefusedCommands([String(Array.isArray(next) ? next[0] : "")])).toEqual([]);
    const accepted = await showTests(folder, "--update");
    expect(accepted.exitCode).toBe(0);
    expect(accepted.stdout).toMatch(
      /^accepted {2}planning-asks-nobody: the digest was sha256:[0-9a-f]{64} and is sha256:[0-9a-f]{64}\n4 passed\n$/,
    );
    expect(await runTests(folder)).toMatchObject({ exitCode: 0 });
  });

  test("is not accepted in a test of which more fails, and that is said", async () => {
    const folder = createProject((text) =>
      text.replace("name: House rules", "name: Rules of the house").replaceAll("outcome: READY", "outcome: BLOCKED"),
    );
    const written = readFileSync(join(folder, "context.project.yaml"), "utf8");
    const shown = await showTests(folder, "--update", "--filter=planning");
    expect([shown.exitCode, readFileSync(join(folder, "context.project.yaml"), "utf8")]).toEqual([1, written]);
    expect(shown.stdout).toContain("--update accepted no digest");
  });

  test("is not accepted while watching", async () => {
    expect(await runTests(createProject(), "--watch", "--update")).toMatchObject({
      exitCode: 2,
      json: { error: { code: "usage" } },
    });
  });
});

describe("a preview", () => {
  const asked = ["--objective=answer-ticket", "--consumer=support-agent"];

  test("shows what a turn would give, with fixtures by lookup value and without a provider", async () => {
    verifies("fixtures.preview");
    const folder = createProject();
    const inputs = ["--input=customerId=CUST-1042", "--input=orderId=ORD-20001"];
    const shown = await world.run(["context", "preview", ...asked, ...inputs], { cwd: folder });
    expect(shown).toMatchObject({
      exitCode: 0,
      json: {
        outcome: "READY",
        evaluation: { providers: "FIXTURE" },
        sources: [{ source: "TEST_FIXTURE", tests: ["everything-at-hand"] }, {}, {}],
      },
    });
    expect(readText(shown.json, "rendered")).toContain("Enterprise plan");
    const other = await world.run(["context", "preview", ...asked, "--input=customerId=CUST-9999"], { cwd: folder });
    expect(other).toMatchObject({
      exitCode: 0,
      json: { outcome: "BLOCKED", sources: [{ source: null, warning: { code: "PROVIDER_FIXTURE_MISSING" } }, {}] },
    });
  });

  test("is shown to people as a turn is, with the test whose fixture it took", async () => {
    const words = ["preview", ...asked, "--input=customerId=CUST-2077", "--input=orderId=ORD-20077"];
    const { stdout } = await runProgram(process.execPath, [world.program, "context", ...words], {
      cwd: createProject(),
      env: world.env,
    });
    expect(stdout).toMatch(/^DEGRADED {2}a preview: nobody was asked, nothing is kept\nLAYER +RULE +STATE/);
    expect(stdout).toContain("\nTEST_FIXTURE  ticket-history: as in the test slow-ticket-history\n");
    expect(stdout).toContain("\nunknown  Earlier tickets: current facts are unknown");
  });
});

test.skipIf(!hasStrace)("no socket is opened, while the same project's turn opens one", async () => {
  const desk = await createSupportDesk();
  try {
    const trace = async (words: readonly string[]): Promise<string> => {
      const log = join(world.directory, "network.log");
      const flags = ["-f", "-o", log, "-e", "trace=network", process.execPath, world.program, "--json", "context"];
      const { exitCode } = await runProgram("strace", [...flags, ...words], { cwd: desk.folder, env: desk.env });
      expect(exitCode).toBe(0);
      return readFileSync(log, "utf8");
    };
    const [binding, store] = ["--binding=deployment/context-binding.json", "--store=traces"];
    const asked = ["--objective=answer-ticket", "--consumer=support-agent", "--input=customerId=CUST-1042"];
    expect(await trace(["turn", `--build=${desk.build}`, binding, store, ...asked])).toContain("AF_INET");
    for (const words of [["test"], ["preview", ...asked]]) {
      expect(await trace([...words, "--project=project"])).not.toMatch(/socket\(|connect\(|AF_INET/);
    }
  } finally {
    await desk.remove();
  }
});

test("a watch runs again for every change, outlives a broken file, and ends with the last answer on SIGINT", async () => {
  const folder = createProject();
  const child = spawn(process.execPath, [world.program, "--json", "context", "test", "--watch"], {
    cwd: folder,
    env: world.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  const runs = async (wanted: number): Promise<void> => {
    while (stderr.split("waiting for a change").length <= wanted) {
      await new Promise<void>((resolve) => {
        child.stderr.once("data", (chunk: Buffer) => {
          stderr += chunk.toString();
          resolve();
        });
      });
    }
  };
  await runs(1);
  expect(stderr).toContain("4 passed");
  editProject(folder, (text) => text.replace("- outcome: BLOCKED", "- outcome READY"));
  await runs(2);
  expect(stderr).toContain("not run  context.project.yaml:");
  editProject(folder, (text) => text.replace("- outcome READY", "- outcome: BLOCKED"));
  await runs(3);
  writeFileSync(join(folder, "layers", "house-rules.md"), "Be brief.\n");
  await runs(4);
  expect(stderr).toMatch(/2 passed, 2 failed\n/);
  const ended = new Promise<number | null>((resolve) => {
    child.once("close", resolve);
  });
  child.kill("SIGINT");
  expect(await ended).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ verdict: "FAILED", counts: { passed: 2, failed: 2 } });
});
