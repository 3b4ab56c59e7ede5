import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { createOwnerToken } from "../../support/create-owner-token.ts";
import { createWorld, type World } from "../../support/cli-world.ts";
import { readField, readText } from "../../support/read-field.ts";

const server = inject("postgres");
const url = new URL("url" in server ? server.url : "postgresql://nobody:none@127.0.0.1:1/none");
const { password } = url;
const plain = new URL(url);
plain.password = "";

function code(json: unknown): unknown {
  return readField(json, "error", "code");
}

describe.skipIf(!("url" in server))("choosing a server for a project's state", () => {
  let world: World;
  let token: string;
  const env = { STORE_SECRET: password };
  beforeEach(async () => {
    world = createWorld();
    token = await createOwnerToken(world);
  });
  afterEach(() => world.remove());

  const connectArgs = (...more: string[]): string[] => [
    ...["connect", "--objective=Ship it", `--store=${plain.href}`, `--owner-token-file=${token}`, ...more],
  ];
  test("an owner's flags keep the address and the password's reference, and every later command follows them", async () => {
    await world.call(connectArgs("--store-password=env:STORE_SECRET"), { env });
    const added = await world.call(["todo", "add", "--agent-id=agent-1", "--text=Write it"], { env }).catch(String);
    expect(added).toContain("unknown_agent");
    expect(readFileSync(join(world.project, ".loopx", "store.json"), "utf8")).not.toContain(password);
    const without = await world.run(["status"]);
    expect(code(without.json)).toBe("secret_unavailable");
    expect(await world.call(["status"], { env })).toMatchObject({ ok: true });
  });

  test("a password in a file of mode 0600 is read from there, and one that others may read is refused", async () => {
    const file = join(world.directory, "password");
    writeFileSync(file, `${password}\n`, { mode: 0o600 });
    await world.call(connectArgs(`--store-password=file:${file}`));
    expect(await world.call(["status"])).toMatchObject({ ok: true });
    chmodSync(file, 0o644);
    expect(code((await world.run(["status"])).json)).toBe("secret_unavailable");
  });

  test.each([
    { what: "a password in the URL", flags: [`--store=${url.href}`], expected: "credential_refused" },
    { what: "a password instead of its reference", flags: [`--store-password=${password}`], expected: "invalid_value" },
    { what: "no server at all", flags: ["--store=mysql://me@db/x"], expected: "invalid_value" },
    { what: "nobody's port", flags: ["--store=postgresql://me@127.0.0.1:1/x"], expected: "store_unreachable" },
    { what: "a wrong password", flags: ["--store-password=env:WRONG"], expected: "store_access_denied" },
    {
      what: "a database that is not there",
      flags: [`--store=${plain.href}x`, "--store-password=env:STORE_SECRET"],
      expected: "store_missing",
    },
  ])("$what is refused, nothing is written and nothing repeated", async ({ flags, expected }) => {
    const base = connectArgs().filter((word) => flags.every((flag) => flag.split("=")[0] !== word.split("=")[0]));
    const result = await world.run([...base, ...flags], { env: { ...env, WRONG: "not-it-5531" } });
    expect(code(result.json)).toBe(expected);
    expect(result.stdout + result.stderr).not.toContain(password);
    expect(result.stdout + result.stderr).not.toContain("not-it-5531");
    expect(existsSync(join(world.project, ".loopx", "store.json"))).toBe(false);
    expect(existsSync(join(world.project, ".loopx", "state.db"))).toBe(false);
  });

  test("who is no owner chooses no server, and a project that has a store keeps it", async () => {
    const nobody = connectArgs("--store-password=env:STORE_SECRET").filter((word) => !word.startsWith("--owner"));
    expect(code((await world.run(nobody, { env })).json)).toBe("gate_needs_owner");
    await world.call(["connect", "--objective=Ship it"]);
    const second = await world.run(connectArgs("--store-password=env:STORE_SECRET"), { env });
    expect(code(second.json)).toBe("invalid_value");
  });

  test("a clone that brings a reference asks no server: neither to read nor to write, nor does an agent's guard", async () => {
    await world.call(connectArgs("--store-password=env:STORE_SECRET"), { env });
    const clone = world.addProject("clone");
    mkdirSync(join(clone, ".loopx"));
    const place = join(clone, ".loopx", "store.json");
    cpSync(join(world.project, ".loopx", "store.json"), place);
    for (const command of [["status"], ["todo", "add", "--text=Write it"], ["connect", "--objective=Mine"]]) {
      expect([command, code((await world.run(command, { cwd: clone, env })).json)]).toEqual([
        command,
        "project_not_trusted",
      ]);
    }
    writeFileSync(
      join(world.project, ".loopx", "store.json"),
      readFileSync(place, "utf8").replace("127.0.0.1", "127.0.0.2"),
    );
    expect(code((await world.run(["status"], { env })).json)).toBe("project_not_trusted");
  });

  test("another machine joins the project by its id, sees its goal, and its lanes work there", async () => {
    const connected = await world.call(connectArgs("--store-password=env:STORE_SECRET"), { env });
    const projectId = readText(connected, "project_id");
    const second = createWorld();
    try {
      const secondToken = await createOwnerToken(second);
      const join2 = [`--store=${plain.href}`, "--store-password=env:STORE_SECRET", `--owner-token-file=${secondToken}`];
      const wrong = await second.run(["connect", ...join2, "--project-id=project_0000000000000000"], { env });
      expect(code(wrong.json)).toBe("store_missing");
      await second.call(["connect", ...join2, `--project-id=${projectId}`], { env });
      const goals = await second.call(["goal", "list"], { env });
      const goalId = readText(goals, "goals", "0", "goal_id");
      await second.call(["register-agent", `--goal-id=${goalId}`, "--agent-id=far", "--execute"], { env });
      await world.call(["register-agent", `--goal-id=${goalId}`, "--agent-id=near", "--execute"], { env });
      await world.call(["todo", "add", `--goal-id=${goalId}`, "--agent-id=near", "--text=Write it"], { env });
      const ask = (agent: string): string[] => ["quota", "should-run", `--goal-id=${goalId}`, `--agent-id=${agent}`];
      expect(await second.call(ask("far"), { env })).toMatchObject({ decision: "run" });
      expect(readField((await world.run(ask("near"), { env })).json, "decision")).not.toBe("run");
    } finally {
      second.remove();
    }
  });

  test("a server that is gone is never a reason to run: should-run says what is amiss", async () => {
    await world.call(connectArgs("--store-password=env:STORE_SECRET"), { env });
    const asked = await world.run(["quota", "should-run", "--goal-id=project-goal", "--agent-id=a1"], {
      env: { ...env, LOOPX_STORE_URL: "postgresql://me@127.0.0.1:1/x" },
    });
    expect(asked.exitCode).not.toBe(0);
    expect(readField(asked.json, "decision")).toBe("repair");
    expect(JSON.stringify(asked.json)).toContain("store_unreachable");
  });
});
