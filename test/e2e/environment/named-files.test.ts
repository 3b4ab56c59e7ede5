import { execFileSync } from "node:child_process";
import { chmodSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ask, askAsOwner, codeOf, connectProject, createMachine } from "./machine.ts";

const CREDENTIAL = "ghp_16c7e42f292c6912e7710c838347ae178b4a";

test("a pipe, a device or a folder named as a file is refused at once", async () => {
  const world = createMachine();
  const goalId = await connectProject(world);
  const pipe = join(world.home, "pipe");
  execFileSync("mkfifo", [pipe]);
  for (const path of [pipe, "/dev/zero", world.home, join(world.home, "none")]) {
    const commands = {
      evidence_file: ["refresh-state", `--goal-id=${goalId}`, "--agent-id=codex-main", `--evidence-file=${path}`],
      input: ["import", `--input=${path}`],
      owner_token_file: ["goal", "pause", `--goal-id=${goalId}`, `--owner-token-file=${path}`],
    };
    for (const [field, words] of Object.entries(commands)) {
      const more = field === "evidence_file" ? ["--outcome=progress", "--evidence=ran it"] : [];
      const refused = await ask(world, [...words, ...more]);
      expect({ field, path, code: codeOf(refused) }).toEqual({ field, path, code: "file_not_readable" });
      expect(refused).toMatchObject({ json: { error: { details: { field } } } });
    }
  }
});

test("a place where nothing can be looked at is refused as a file, whatever the system says of it", async () => {
  const world = createMachine();
  await connectProject(world);
  const loop = join(world.home, "loop");
  symlinkSync("loop", loop);
  writeFileSync(join(world.home, "file"), "x");
  const places = ["a".repeat(300), "a/".repeat(2500), join(loop, "x"), join(world.home, "file", "x"), "/proc/1/root/x"];
  for (const path of places) {
    const commands = {
      file_not_writable: [
        ["export", `--output=${path}`],
        ["backup", `--output=${path}`],
      ],
      file_not_readable: [["restore", `--from=${path}`]],
    };
    for (const [code, lines] of Object.entries(commands)) {
      for (const words of lines) {
        const refused = await ask(world, words);
        expect([words[0], path.slice(0, 99), codeOf(refused)]).toEqual([words[0], path.slice(0, 99), code]);
      }
    }
  }
});

test("an owner token that others can read, or that an agent's process carries, shows no owner", async () => {
  const world = createMachine();
  const goalId = await connectProject(world);
  const token = join(world.home, "token");
  expect((await askAsOwner(world, ["owner", "token", "create", `--output=${token}`])).exitCode).toBe(0);
  const resume = ["goal", "resume", `--goal-id=${goalId}`, `--owner-token-file=${token}`];
  expect((await ask(world, resume)).exitCode).toBe(0);
  const marked = await ask(world, resume, { env: { CLAUDECODE: "1" } });
  expect([codeOf(marked), marked.exitCode]).toEqual(["gate_needs_owner", 3]);
  chmodSync(token, 0o644);
  expect(codeOf(await ask(world, resume))).toBe("gate_needs_owner");
  writeFileSync(token, "x".repeat(5000), { mode: 0o600 });
  expect(codeOf(await ask(world, resume))).toBe("file_not_readable");
});

test("a credential is kept out of whatever is stored as it was written", async () => {
  const world = createMachine();
  const goalId = await connectProject(world);
  const add = ["todo", "add", `--goal-id=${goalId}`, "--role=agent", "--text=work"];
  writeFileSync(join(world.project, CREDENTIAL), "report");
  const commands = {
    target_key: [...add, `--target-key=${CREDENTIAL}`],
    action_kind: [...add, `--action-kind=${CREDENTIAL}`],
    goal_id: ["bootstrap", "--project=.", `--goal-id=${CREDENTIAL}`, "--objective=x", "--new-id"],
    evidence_file: [
      "refresh-state",
      `--goal-id=${goalId}`,
      "--agent-id=codex-main",
      "--outcome=progress",
      "--evidence=ran it",
      `--evidence-file=${CREDENTIAL}`,
    ],
  };
  for (const [field, words] of Object.entries(commands)) {
    const refused = await ask(world, words);
    expect([field, codeOf(refused)]).toEqual([field, "credential_refused"]);
    expect(`${refused.stdout}${refused.stderr}`).not.toContain(CREDENTIAL);
  }
});
