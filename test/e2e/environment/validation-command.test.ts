import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { RunOptions, World } from "../../support/cli-world.ts";
import { readField } from "../../support/read-field.ts";
import type { ProgramResult } from "../../support/run-program.ts";
import { ask, codeOf, connectProject, createMachine, hashTree } from "./machine.ts";

interface Checked {
  readonly world: World;
  readonly todoId: string;
  readonly complete: (options?: RunOptions) => Promise<ProgramResult>;
}

/** A project whose one new todo has this check. */
async function createChecked(argv: readonly string[], more: readonly string[] = []): Promise<Checked> {
  const world = createMachine();
  await connectProject(world);
  const add = [
    "todo",
    "add",
    "--role=agent",
    "--text=Checked",
    `--validation-command=${JSON.stringify(argv)}`,
    ...more,
  ];
  const todoId = String(readField(await world.call(add), "todo", "todo_id"));
  return { world, todoId, complete: (options) => ask(world, completeOf(todoId), options) };
}

function completeOf(todoId: string): readonly string[] {
  return [
    "todo",
    "complete",
    "--goal-id=project-goal",
    `--todo-id=${todoId}`,
    "--agent-id=codex-main",
    "--evidence=Done",
    "--no-follow-up",
  ];
}

async function statusOf({ world, todoId }: Checked): Promise<unknown> {
  return readField((await ask(world, ["todo", "show", `--todo-id=${todoId}`])).json, "todo", "status");
}

/** A check written in JavaScript. */
function js(code: string): readonly string[] {
  return [process.execPath, "-e", code];
}

async function isGone(pid: number): Promise<boolean> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    try {
      process.kill(pid, 0);
      // A zombie that nobody has collected is dead too.
      if (process.platform === "linux" && / Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"))) return true;
    } catch {
      return true;
    }
    await pause(50);
  }
  return false;
}

describe("a validation command", () => {
  test("that passes completes the todo, and its words never reach a shell", async () => {
    const words = ["; touch pwned", "$(touch pwned)", "`touch pwned`", "a b", "*", "'\"", "", "-n", "\\", "中文"];
    const checked = await createChecked([
      ...js("require('fs').writeFileSync('argv.json', JSON.stringify(process.argv.slice(1)))"),
      "--",
      ...words,
    ]);
    expect(await checked.complete()).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(readFileSync(join(checked.world.project, "argv.json"), "utf8"))).toEqual(words);
    expect(existsSync(join(checked.world.project, "pwned"))).toBe(false);
    expect(await statusOf(checked)).toBe("done");
  });

  test.each([
    ["exits with another code", js("process.exit(3)")],
    ["is killed", js("process.kill(process.pid, 'SIGKILL')")],
    ["cannot be started", ["no-such-program-anywhere"]],
    ["is no program", ["./README.md"]],
  ])("that %s keeps the todo open", async (_name, argv) => {
    const checked = await createChecked(argv);
    writeFileSync(join(checked.world.project, "README.md"), "no program\n");
    const answer = await checked.complete();
    expect({ code: codeOf(answer), exitCode: answer.exitCode }).toEqual({ code: "validation_failed", exitCode: 1 });
    expect(await statusOf(checked)).toBe("open");
  });

  test("that runs over its time is killed with its whole tree, even when a grandchild ignores TERM and keeps stdout", async () => {
    const grandchild =
      "process.on('SIGTERM', () => {}); require('fs').writeFileSync('pid', String(process.pid)); setInterval(() => console.log('x'), 20)";
    const parent = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(grandchild)}], { stdio: 'inherit' }); process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)`;
    const checked = await createChecked(js(parent), ["--validation-timeout=1s"]);
    const answer = await checked.complete();
    expect({ code: codeOf(answer), exitCode: answer.exitCode }).toEqual({ code: "validation_failed", exitCode: 1 });
    expect(answer.stdout).toContain('"timed_out":true');
    expect(await isGone(Number(readFileSync(join(checked.world.project, "pid"), "utf8")))).toBe(true);
    expect(await statusOf(checked)).toBe("open");
  });

  test("that passes but leaves a process behind has it ended", async () => {
    const left = "require('fs').writeFileSync('pid', String(process.pid)); setInterval(() => {}, 1000)";
    const parent = `const c = require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(left)}], { stdio: 'ignore' }); c.unref(); const t = setInterval(() => { if (require('fs').existsSync('pid')) process.exit(0) }, 20)`;
    const checked = await createChecked(js(parent));
    expect(await checked.complete()).toMatchObject({ exitCode: 0 });
    expect(await isGone(Number(readFileSync(join(checked.world.project, "pid"), "utf8")))).toBe(true);
  });

  test("that exits but leaves a grandchild on its stdout does not hold the command", async () => {
    const left = "require('fs').writeFileSync('pid', String(process.pid)); setInterval(() => {}, 1000)";
    const parent = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(left)}], { stdio: 'inherit' }); const t = setInterval(() => { if (require('fs').existsSync('pid')) process.exit(0) }, 20)`;
    const checked = await createChecked(js(parent), ["--validation-timeout=10m"]);
    expect(await checked.complete({ killAfterMs: 30_000 })).toMatchObject({ exitCode: 0 });
    expect(await isGone(Number(readFileSync(join(checked.world.project, "pid"), "utf8")))).toBe(true);
  });

  test("that leaves a daemon outside its process group does not hold the command", async () => {
    const left = "require('fs').writeFileSync('pid', String(process.pid)); setTimeout(() => {}, 20_000)";
    const parent = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(left)}], { stdio: 'inherit', detached: true }); setInterval(() => { if (require('fs').existsSync('pid')) { console.log('the last line'); process.exit(7) } }, 20)`;
    const checked = await createChecked(js(parent));
    const answer = await checked.complete({ killAfterMs: 15_000 });
    process.kill(Number(readFileSync(join(checked.world.project, "pid"), "utf8")), "SIGKILL");
    expect(codeOf(answer)).toBe("validation_failed");
    expect(answer.stdout).toContain("the last line");
  });

  test("that floods its output is capped, and secrets and paths in the tail are masked", async () => {
    const secret = `ghp_${"a1B2".repeat(9)}`;
    const flood = `for (let i = 0; i < 3000; i++) process.stdout.write('y'.repeat(10000)); process.stdout.write('\\nBearer ghp_' + 'a1B2'.repeat(9) + ' in /home/ada/project/file.js\\n\\u0000\\u001b[31mred'); process.exitCode = 1`;
    const checked = await createChecked(js(flood));
    const answer = await checked.complete();
    expect(codeOf(answer)).toBe("validation_failed");
    expect(answer.stdout.length).toBeLessThan(4_096);
    expect(answer.stdout).not.toContain(secret);
    expect(answer.stdout).not.toContain("/home/ada");
    await ask(checked.world, ["export", "--output=all.jsonl"]);
    expect(readFileSync(join(checked.world.project, "all.jsonl"), "utf8")).not.toMatch(/yyyyyyyyyy.{2000}/);
  });

  test("that prints a private key or a long token shows and keeps nothing of it, wherever the tail begins", async () => {
    const body = Array.from({ length: 24 }, (_, line) => `MIIE${line + 10}${"kQ9xTz".repeat(10)}`.slice(0, 64));
    const key = ["-----BEGIN PRIVATE KEY-----", ...body, "-----END PRIVATE KEY-----"].join("\n");
    const token = `eyJhbGciOiJSUzI1NiJ9.${"eyJzdWIiOiI0MiIs".repeat(80)}`;
    for (const secret of [key, token]) {
      const checked = await createChecked([process.execPath, "check.cjs"]);
      const { project } = checked.world;
      writeFileSync(join(project, "secret.txt"), `${secret}\nthe last line\n`);
      const print = "process.stdout.write(require('fs').readFileSync('secret.txt'));";
      writeFileSync(join(project, "check.cjs"), `${print} process.exitCode = 1;`);
      const failed = await checked.complete();
      expect(codeOf(failed)).toBe("validation_failed");
      expect(failed.stdout).toContain("the last line");
      writeFileSync(join(project, "check.cjs"), print);
      expect((await checked.complete()).exitCode).toBe(0);
      await ask(checked.world, ["export", "--output=all.jsonl"]);
      const exported = readFileSync(join(project, "all.jsonl"), "utf8");
      expect(exported).toContain("the last line");
      for (const shown of [failed.stdout, exported]) expect(shown).not.toMatch(/kQ9xTzkQ9xTz|eyJzdWIiOiI0MiIs/);
    }
  });

  test("runs in the caller's linked worktree, else in the root, and which it was is recorded", async () => {
    const checked = await createChecked(js("require('fs').writeFileSync('cwd.txt', process.cwd())"));
    const { world } = checked;
    const linked = join(world.directory, "linked tree");
    const git = (...words: string[]) =>
      spawnSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.org", ...words], {
        cwd: world.project,
        env: world.env,
      });
    git("commit", "--allow-empty", "--message=first", "--quiet");
    git("worktree", "add", "--quiet", "-b", "linked", linked);
    expect(await checked.complete({ cwd: linked })).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(linked, "cwd.txt"), "utf8")).toBe(realpathSync(linked));
    expect((await ask(world, ["export"])).stdout).toContain('ran_in\\\\\\":\\\\\\"worktree');
    const rooted = await createChecked(js("require('fs').writeFileSync('cwd.txt', process.cwd())"));
    const other = rooted.world.addProject("unrelated");
    expect(await rooted.complete({ cwd: other })).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(rooted.world.project, "cwd.txt"), "utf8")).toBe(realpathSync(rooted.world.project));
    expect((await ask(rooted.world, ["export"])).stdout).toContain('ran_in\\\\\\":\\\\\\"root');
  });

  test("holds no lock: other commands write while it runs, and a todo that changed meanwhile is said", async () => {
    const checked = await createChecked(
      js(
        "const t = setInterval(() => { if (require('fs').existsSync('go')) process.exit(0) }, 20); require('fs').writeFileSync('started', '')",
      ),
    );
    const { world, todoId } = checked;
    const completing = checked.complete();
    while (!existsSync(join(world.project, "started"))) await pause(20);
    expect(await ask(world, ["todo", "add", "--text=Meanwhile"])).toMatchObject({ exitCode: 0 });
    expect(
      await ask(world, [
        "todo",
        "supersede",
        `--todo-id=${todoId}`,
        "--agent-id=codex-main",
        "--reason=Changed",
        "--next-todo=Other",
      ]),
    ).toMatchObject({ exitCode: 0 });
    writeFileSync(join(world.project, "go"), "");
    const answer = await completing;
    expect(["todo_not_open", "todo_changed"]).toContain(codeOf(answer));
    expect(answer.exitCode).toBe(1);
    expect(await statusOf(checked)).toBe("superseded");
  });
});

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)(
  "%s while a check runs kills the check, exits with %i and leaves the todo as it was",
  async (signal, exitCode) => {
    const checked = await createChecked(
      js(
        "process.on('SIGINT', () => {}); process.on('SIGTERM', () => {}); require('fs').writeFileSync('pid', String(process.pid)); setInterval(() => {}, 1000)",
      ),
    );
    const { world, todoId } = checked;
    const before = hashTree(join(world.project, ".loopx"));
    const child = spawn(process.execPath, [world.program, "--json", ...completeOf(todoId)], {
      cwd: world.project,
      env: { ...world.env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    const ended = new Promise((resolve) => child.on("close", resolve));
    const pidFile = join(world.project, "pid");
    while (!existsSync(pidFile) || readFileSync(pidFile, "utf8") === "") await pause(20);
    child.kill(signal);
    expect(await ended).toBe(exitCode);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { code: "interrupted" } });
    expect(await isGone(Number(readFileSync(pidFile, "utf8")))).toBe(true);
    expect(hashTree(join(world.project, ".loopx"))).toEqual(before);
    expect(await statusOf(checked)).toBe("open");
  },
);
