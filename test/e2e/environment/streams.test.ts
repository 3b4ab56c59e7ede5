import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import type { World } from "../../support/cli-world.ts";
import { ask, connectProject, createMachine, hashTree, SHOULD_RUN } from "./machine.ts";

function shell(world: World, line: string, env: Readonly<Record<string, string>> = {}): ReturnType<typeof spawnSync> {
  const script = `loopx() { "${process.execPath}" "${world.program}" "$@"; }; ${line}`;
  return spawnSync("bash", ["-o", "pipefail", "-c", script], {
    cwd: world.project,
    env: { ...world.env, ...env },
    encoding: "utf8",
  });
}

describe("streams that are not there", () => {
  test("a closed stdin changes nothing", async () => {
    const world = createMachine();
    await connectProject(world);
    const closed = shell(world, `loopx --json ${SHOULD_RUN.join(" ")} <&-`);
    expect(closed).toMatchObject({ status: 0, stderr: "" });
    expect(JSON.parse(String(closed.stdout))).toMatchObject({ decision: "run" });
    expect(shell(world, "loopx todo add --text='With closed stdin' <&- 2>&1")).toMatchObject({ status: 0 });
  });

  test("a reader that leaves early, or a closed stdout or stderr, is no crash, and the write is kept", async () => {
    const world = createMachine();
    await connectProject(world);
    for (let index = 0; index < 3; index += 1) {
      expect(shell(world, "loopx help | head -1")).toMatchObject({ status: 0, stderr: "" });
    }
    expect(shell(world, "loopx history | head -c 1")).toMatchObject({ status: 0, stderr: "" });
    const closed = shell(world, "loopx --json todo add --text='With closed stdout' >&-");
    expect(closed.stderr).not.toMatch(/ at |Error:/);
    const quiet = shell(world, "loopx todo add --text='With closed stderr' 2>&-");
    expect(quiet.status).toBe(0);
    const todos = await ask(world, ["todo", "list"]);
    expect(todos.stdout).toContain("With closed stdout");
    expect(todos.stdout).toContain("With closed stderr");
  });

  test("a full device as stdout is no success", async () => {
    const world = createMachine();
    await connectProject(world);
    const full = shell(world, "loopx --json status > /dev/full");
    expect(full.stderr).not.toMatch(/\n\s+at /);
    expect(full.status).not.toBe(0);
  });
});

describe.each([{ LC_ALL: "C" }, { LC_ALL: "POSIX", LANG: "POSIX" }, { LC_ALL: "zh_CN.GBK" }, { LC_ALL: "nonsense" }])(
  "in the locale %o",
  (env) => {
    test("names and texts in any script stay what they are", async () => {
      const world = createMachine({ projectName: "日本語 项目" });
      await ask(world, ["bootstrap", "--project=.", "--objective=中文目标 🚀", "--goal-id=names"], { env });
      const added = await ask(world, ["todo", "add", "--text=Ελληνικά ü 👩‍💻"], { env });
      expect(added).toMatchObject({ exitCode: 0, json: { todo: { text: "Ελληνικά ü 👩‍💻" } } });
      expect(await ask(world, ["status"], { env })).toMatchObject({
        json: { project_root_label: "日本語 项目", goal: { objective: "中文目标 🚀" } },
      });
      const before = hashTree(world.project);
      const text = shell(world, "loopx status", env);
      expect(text.status).toBe(0);
      expect(text.stdout).toContain("中文目标 🚀");
      expect(hashTree(world.project)).toEqual(before);
    });
  },
);
