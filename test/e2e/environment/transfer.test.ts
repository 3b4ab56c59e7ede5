import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { World } from "../../support/cli-world.ts";
import { readField, readText } from "../../support/read-field.ts";
import {
  ask,
  askAsOwner,
  codeOf,
  connectProject,
  createMachine,
  hashTree,
  nextOf,
  read,
  readAsOwner,
} from "./machine.ts";

const TEXT = 'Read /home/ada/secret plans/notes.md, C:\\Users\\ada\\x and "中文 🧑‍💻"\nsecond line';

/** A project with a bit of everything: an unfinished turn, evidence, a gate, a dependency, a finished todo. */
async function createRich(): Promise<World> {
  const world = createMachine();
  await connectProject(world);
  const run = await world.call(["quota", "should-run", "--goal-id=project-goal", "--agent-id=codex-main"]);
  const lane = [
    "--goal-id=project-goal",
    "--agent-id=codex-main",
    `--turn=${String(readField(run, "turn", "turn_id"))}`,
  ];
  const first = String(readField(run, "todo", "todo_id"));
  writeFileSync(join(world.project, "result.txt"), "42\n");
  await world.call([
    "refresh-state",
    ...lane,
    `--todo-id=${first}`,
    "--outcome=progress",
    `--evidence=Wrote ${world.project}/out.txt`,
    "--evidence-file=result.txt",
  ]);
  await world.call(["todo", "complete", ...lane, `--todo-id=${first}`, `--next-todo=${TEXT}`]);
  await world.call(["quota", "spend", ...lane]);
  await world.call([
    "todo",
    "add",
    "--role=agent",
    "--text=Depends",
    `--depends-on=${first}`,
    '--validation-command=["npm","test","--","/srv/private/suite.js"]',
  ]);
  await world.call([
    "todo",
    "add",
    "--role=user",
    "--task-class=user_gate",
    "--text=May we publish?",
    "--gate-kind=external_publication",
    "--blocks=goal",
  ]);
  await world.call([
    "bind-agent-thread",
    "--goal-id=project-goal",
    "--thread-id=thr-1",
    "--host-surface=codex-app",
    "--agent-id=codex-main",
    "--execute",
  ]);
  return world;
}

function withoutTime(path: string): readonly string[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .map((line) => line.replace(/"exported_at":"[^"]*"/, ""));
}

let world: World;
beforeEach(async () => {
  world = await createRich();
});

describe("export and import", () => {
  test("move a project's state exactly into another one", async () => {
    const file = join(world.project, "state.jsonl");
    await ask(world, ["export", "--output=state.jsonl"]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const env = { LOOPX_HOME: join(world.directory, "other-home") };
    const target = { cwd: world.addProject("target"), env };
    await ask(world, ["bootstrap", "--project=."], target);
    const preview = await ask(world, ["import", "--input=../project/state.jsonl"], target);
    expect(preview).toMatchObject({ exitCode: 0, json: { dry_run: true, written: false, goal_ids: ["project-goal"] } });
    const before = hashTree(target.cwd);
    expect(codeOf(await ask(world, ["import", "--input=../project/state.jsonl", "--execute"], target))).toBe(
      "gate_needs_owner",
    );
    expect(hashTree(target.cwd)).toEqual(before);
    expect(await askAsOwner(world, nextOf(preview).split(" ").slice(1), target)).toMatchObject({
      exitCode: 0,
      json: { written: true },
    });
    await ask(world, ["export", "--output=again.jsonl"], target);
    expect(withoutTime(join(target.cwd, "again.jsonl"))).toEqual(withoutTime(file));
    const twice = await askAsOwner(world, nextOf(preview).split(" ").slice(1), target);
    expect({ code: codeOf(twice), exitCode: twice.exitCode }).toEqual({ code: "goal_id_taken", exitCode: 1 });
  });

  test("into a second project of the same machine is refused, and the first keeps its goal", async () => {
    await ask(world, ["export", "--output=state.jsonl"]);
    const target = { cwd: world.addProject("target") };
    await ask(world, ["bootstrap", "--project=."], target);
    const before = hashTree(target.cwd);
    for (const more of [[], ["--execute"]]) {
      const answer = await askAsOwner(world, ["import", "--input=../project/state.jsonl", ...more], target);
      expect({ code: codeOf(answer), exitCode: answer.exitCode }).toEqual({ code: "goal_id_taken", exitCode: 1 });
    }
    expect(hashTree(target.cwd)).toEqual(before);
    expect(await ask(world, ["goal", "show", "--goal-id=project-goal"], { cwd: "/" })).toMatchObject({ exitCode: 0 });
  });

  test("refuse a spoilt file with the line, and import nothing", async () => {
    const spoils: readonly (readonly [string, (text: string) => string, string])[] = [
      ["cut off in a line", (text: string) => text.slice(0, -40), "line"],
      ["cut off after a line", (text: string) => `${text.split("\n").slice(0, -3).join("\n")}\n`, "line"],
      [
        "with a conflict marker in line 4",
        (text: string) => text.split("\n").toSpliced(3, 0, "<<<<<<< HEAD").join("\n"),
        "line 4:",
      ],
      ["with a row missing", (text: string) => text.split("\n").toSpliced(2, 1).join("\n"), "line"],
      ["with an unknown column", (text: string) => text.replace('"objective"', '"objektive"'), "line 2:"],
      ["with a doubled key", (text: string) => text.replace('"revision":1', '"revision":1,"revision":2'), "line 2:"],
      ["with NUL runs", (text: string) => `${text.slice(0, 200)}${"\0".repeat(64)}${text.slice(200)}`, "line"],
      ["of another program", () => '{"version":3}\n', "line 1:"],
      ["of zero bytes", () => "", "line 1:"],
    ];
    await ask(world, ["export", "--output=state.jsonl"]);
    const good = readFileSync(join(world.project, "state.jsonl"), "utf8");
    const env = { LOOPX_HOME: join(world.directory, "other-home") };
    const target = { cwd: world.addProject("target"), env };
    await ask(world, ["bootstrap", "--project=."], target);
    for (const [name, spoil, says] of spoils) {
      writeFileSync(join(target.cwd, "in.jsonl"), spoil(good));
      const before = hashTree(target.cwd);
      for (const words of [
        ["import", "--input=in.jsonl"],
        ["import", "--input=in.jsonl", "--execute"],
      ]) {
        const answer = await askAsOwner(world, words, target);
        expect({ name, code: codeOf(answer), exitCode: answer.exitCode }).toEqual({
          name,
          code: "import_invalid",
          exitCode: 5,
        });
        expect(readField(answer.json, "error", "message")).toContain(says);
      }
      expect(hashTree(target.cwd)).toEqual(before);
    }
  });

  test("refuse files that are not there, not text, or there already", async () => {
    writeFileSync(join(world.project, "latin1"), Buffer.from([0xff, 0xfe, 0x41]));
    for (const input of ["none.jsonl", "latin1", "."]) {
      const answer = await ask(world, ["import", `--input=${input}`]);
      expect({ code: codeOf(answer), exitCode: answer.exitCode }).toEqual({ code: "file_not_readable", exitCode: 6 });
    }
    writeFileSync(join(world.project, "mine.txt"), "mine\n");
    for (const words of [
      ["export", "--output=mine.txt"],
      ["backup", "--output=mine.txt"],
      ["export", "--output=."],
      ["export", "--output=none/x.jsonl"],
      ["backup", "--output=none/x.db"],
    ]) {
      const answer = await ask(world, words);
      expect({ words, code: codeOf(answer), exitCode: answer.exitCode }).toEqual({
        words,
        code: "file_not_writable",
        exitCode: 6,
      });
    }
    expect(readFileSync(join(world.project, "mine.txt"), "utf8")).toBe("mine\n");
    expect(existsSync(join(world.project, "none"))).toBe(false);
  });
});

test("a public export masks paths everywhere, in rows and in the images of events", async () => {
  await ask(world, ["export", "--public", "--output=public.jsonl"]);
  const text = readFileSync(join(world.project, "public.jsonl"), "utf8");
  expect(statSync(join(world.project, "public.jsonl")).mode & 0o777).toBe(0o600);
  for (const secret of ["/home/ada", "secret plans", "ada\\\\", world.directory, "/srv/private", "suite.js"])
    expect(text).not.toContain(secret);
  expect(text).toContain("second line");
  expect(text).toContain("result.txt");
  expect(JSON.parse(text.split("\n")[0] ?? "")).toMatchObject({ public: true });
  const masked = await ask(world, ["import", "--input=public.jsonl"]);
  expect({ code: codeOf(masked), exitCode: masked.exitCode }).toEqual({ code: "import_invalid", exitCode: 5 });
  const shown = await ask(world, ["export", "--public"]);
  expect(shown.stdout).not.toContain("/home/ada");
});

test("a backup brings back what it held, with the state it replaces kept", async () => {
  await ask(world, ["export", "--output=before.jsonl"]);
  await ask(world, ["backup", "--output=copy.db"]);
  expect(statSync(join(world.project, "copy.db")).mode & 0o777).toBe(0o600);
  await world.call(["todo", "add", "--role=agent", "--text=Written after the backup"]);
  expect(await ask(world, ["restore", "--from=copy.db"])).toMatchObject({
    exitCode: 0,
    json: { written: false, next: ["loopx restore --from=copy.db --execute"] },
  });
  expect(await ask(world, ["todo", "list"])).toMatchObject({
    stdout: expect.stringContaining("Written after the backup"),
  });
  expect(codeOf(await ask(world, ["restore", "--from=copy.db", "--execute"]))).toBe("gate_needs_owner");
  const restored = await askAsOwner(world, ["restore", "--from=copy.db", "--execute"]);
  const kept = readText(restored.json, "replaced_state");
  expect(restored).toMatchObject({
    exitCode: 0,
    json: { way: "replaced", undo: `loopx restore --from=${kept} --execute` },
  });
  expect(existsSync(join(world.loopxHome, "backups", kept))).toBe(true);
  await ask(world, ["export", "--output=after.jsonl"]);
  expect(withoutTime(join(world.project, "after.jsonl"))).toEqual(withoutTime(join(world.project, "before.jsonl")));
  const newest = await askAsOwner(world, ["restore", "--project=.", "--execute"]);
  expect(newest).toMatchObject({ exitCode: 0 });
  expect(await ask(world, ["todo", "list"])).toMatchObject({
    stdout: expect.not.stringContaining("Written after the backup"),
  });
  expect(await askAsOwner(world, ["restore", `--from=${kept}`, "--execute"])).toMatchObject({ exitCode: 0 });
  expect(await ask(world, ["todo", "list"])).toMatchObject({
    stdout: expect.stringContaining("Written after the backup"),
  });
  const other = createMachine();
  await connectProject(other);
  chmodSync(world.directory, 0o755);
  const foreign = await askAsOwner(other, ["restore", `--from=${join(world.project, "copy.db")}`, "--execute"]);
  expect({ code: codeOf(foreign), exitCode: foreign.exitCode }).toEqual({ code: "project_id_conflict", exitCode: 1 });
});

test("a restore for people says where the state before is kept and how it comes back; a backup tempts nobody to restore", async () => {
  expect(await read(world, ["backup"])).toMatch(
    /^backed up project \(\d+ KiB\)\n  in the LoopX home's backups: project_[a-z0-9]+-\d{14}-[a-z0-9]{6}\.db\n$/,
  );
  const shown = await readAsOwner(world, ["restore", "--execute", "--no-color"]);
  const [, kept = ""] = /the state before is kept in the LoopX home's backups: (\S+)\n/.exec(shown) ?? [];
  expect(kept).toMatch(/^replaced-/);
  expect(shown).toContain(`  bring it back with: loopx restore --from=${kept} --execute\n`);
  expect(await read(world, ["export", "--output=named.jsonl"])).toContain("\n  loopx import --input=named.jsonl\n");
});
