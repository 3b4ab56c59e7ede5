import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readField } from "../../support/read-field.ts";
import { ask, askWith, codeOf, connectProject, createMachine, hashTree, SHOULD_RUN, STRANGER } from "./machine.ts";

const BOOTSTRAP = ["bootstrap", "--project=.", "--objective=Ship"] as const;

describe("a machine without a home directory", () => {
  test("an empty HOME is refused by what needs the LoopX home, and nothing is stored", async () => {
    const world = createMachine();
    const before = hashTree(world.directory);
    for (const words of [BOOTSTRAP, ["status"], ["goal", "list"], ["backup"]]) {
      const answer = await askWith(world, words, { env: { HOME: "" } });
      expect({ words, code: codeOf(answer), exitCode: answer.exitCode }).toEqual({
        words,
        code: "home_missing",
        exitCode: 6,
      });
      expect(readField(answer.json, "error", "hint")).toContain("LOOPX_HOME");
    }
    expect(await askWith(world, SHOULD_RUN, { env: { HOME: "" } })).toMatchObject({
      exitCode: 6,
      json: { decision: "repair", should_run: false, code: "home_missing" },
    });
    expect(await askWith(world, ["doctor"], { env: { HOME: "" } })).toMatchObject({ exitCode: 1, json: { ok: false } });
    expect(hashTree(world.directory)).toEqual(before);
  });

  test.skipIf(STRANGER === undefined)("an unset HOME of a user that the system does not know is the same", async () => {
    const world = createMachine();
    const answer = await askWith(world, BOOTSTRAP, { env: {}, uid: 54_321 });
    expect({ code: codeOf(answer), exitCode: answer.exitCode }).toEqual({ code: "home_missing", exitCode: 6 });
    expect(existsSync(join(world.project, ".loopx"))).toBe(false);
  });

  test("LOOPX_HOME alone is enough", async () => {
    const world = createMachine();
    const own = join(world.directory, "own");
    const env = { HOME: "", LOOPX_HOME: own };
    expect(await askWith(world, BOOTSTRAP, { env })).toMatchObject({ exitCode: 0 });
    expect(await askWith(world, ["doctor"], { env })).toMatchObject({ exitCode: 0, json: { ok: true } });
    expect(readdirSync(own).toSorted()).toEqual(["backups", "home.db", "registry.global.json"]);
    expect(readdirSync(world.home)).toEqual([]);
  });

  test.each(["HOME", "LOOPX_HOME"])("a %s that is a file is said, and nothing is stored", async (variable) => {
    const world = createMachine();
    const file = join(world.directory, "a-file");
    writeFileSync(file, "not a directory\n");
    const before = hashTree(world.directory);
    const env = { HOME: world.home, [variable]: file };
    const answer = await askWith(world, BOOTSTRAP, { env });
    expect({ code: codeOf(answer), exitCode: answer.exitCode }).toEqual({ code: "home_not_writable", exitCode: 5 });
    expect(await askWith(world, ["doctor"], { env })).toMatchObject({ exitCode: 0 });
    expect(hashTree(world.directory)).toEqual(before);
  });
});

// Characters that a URI, a shell, a glob or a format string would read as something else.
const ODD_NAMES = [
  "two words",
  "项目 日本語",
  "a#b",
  "a?b=c&d",
  "100%25",
  `it's "quoted"`,
  "rocket-🚀-👩‍💻",
  "-leading",
  "$(id)`id`;x",
  "back\\slash",
  "[a-z]*",
];

describe("odd names of folders", () => {
  test.each(ODD_NAMES)("a home and a project called %s work to a settled turn", async (name) => {
    const world = createMachine({ projectName: name });
    const home = join(world.directory, "homes", name);
    const env = { LOOPX_HOME: home };
    const goalId = await connectProject(world, { env });
    const lane = [`--goal-id=${goalId}`, "--agent-id=codex-main"];
    const turn = await ask(world, ["quota", "should-run", ...lane], { env });
    expect(turn).toMatchObject({ exitCode: 0, json: { decision: "run" } });
    const turnId = String(readField(turn.json, "turn", "turn_id"));
    const todoId = String(readField(turn.json, "todo", "todo_id"));
    for (const words of [
      ["refresh-state", ...lane, `--turn=${turnId}`, `--todo-id=${todoId}`, "--outcome=progress", "--evidence=Done"],
      ["todo", "complete", ...lane, `--turn=${turnId}`, `--todo-id=${todoId}`, "--next-todo=Next"],
      ["quota", "spend", ...lane, `--turn=${turnId}`],
      ["backup"],
      ["restore", "--project=."],
      ["doctor"],
    ]) {
      const answer = await ask(world, words, { env });
      expect({ words, exitCode: answer.exitCode, ok: readField(answer.json, "ok") }).toEqual({
        words,
        exitCode: 0,
        ok: true,
      });
    }
    expect(await ask(world, ["status"], { env })).toMatchObject({ json: { project_root_label: name, used_turns: 1 } });
    expect(readdirSync(world.project).toSorted()).toEqual([".git", ".loopx"]);
    expect(readdirSync(join(world.directory, "homes"))).toEqual([name]);
  });

  test("a LOOPX_HOME that is relative is taken from the working directory", async () => {
    const world = createMachine();
    mkdirSync(join(world.project, "state"));
    await connectProject(world, { env: { LOOPX_HOME: "state" } });
    expect(existsSync(join(world.project, "state", "home.db"))).toBe(true);
  });
});
