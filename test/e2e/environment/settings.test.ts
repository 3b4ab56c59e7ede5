import { describe, expect, test } from "vitest";
import { ask, askAsOwner, codeOf, connectProject, createMachine, hashTree } from "./machine.ts";

describe("settings and pages", () => {
  test("settings are changed by owners only, and an unknown one is refused", async () => {
    const world = createMachine();
    await connectProject(world);
    const before = hashTree(world.project);
    for (const [words, code, exitCode] of [
      [["config", "set", "--key=lease.ttl", "--value=30m"], "gate_needs_owner", 3],
      [["config", "set", "--key=unknown.key", "--value=1"], "unknown_setting", 4],
      [["config", "get", "--key=toString"], "unknown_setting", 4],
    ] as const) {
      const answer = await ask(world, words);
      expect({ words, code: codeOf(answer), exitCode: answer.exitCode }).toEqual({ words, code, exitCode });
    }
    for (const value of ["", "0", "0s", "forever", "30", "-5m", "999d"]) {
      const answer = await askAsOwner(world, ["config", "set", "--key=lease.ttl", `--value=${value}`]);
      expect({ value, code: codeOf(answer), exitCode: answer.exitCode }).toEqual({
        value,
        code: "invalid_value",
        exitCode: 2,
      });
    }
    expect(hashTree(world.project)).toEqual(before);
    expect(await askAsOwner(world, ["config", "set", "--key=lease.ttl", "--value=30m"])).toMatchObject({
      exitCode: 0,
      json: { value: "30m" },
    });
    expect(await ask(world, ["config", "get", "--key=lease.ttl"])).toMatchObject({ json: { value: "30m" } });
  });

  test("a limit, cursor or time that makes no sense is refused as a usage mistake", async () => {
    const world = createMachine();
    await connectProject(world);
    const before = hashTree(world.project);
    for (const line of [
      "todo list --limit=0",
      "todo list --limit=-1",
      "todo list --limit=1e3",
      "todo list --limit=501",
      "history --limit=0",
      "status --cursor=x",
      "todo list --cursor=0.0",
      "todo list --cursor=;DROP",
      "history --cursor=-1",
      "history --cursor=99999999999999999999",
      "history --at=yesterday",
      "history --at=2026-13-45T00:00:00Z",
      "history --at=2026-01-01",
      "history --at=999999",
      "todo defer --todo-id=todo_aaaaaaaaaaaaaaaa --agent-id=codex-main --resume=after:soon",
    ]) {
      const answer = await ask(world, line.split(" "));
      expect({ line, code: codeOf(answer), exitCode: answer.exitCode }).toEqual({
        line,
        code: "invalid_value",
        exitCode: 2,
      });
    }
    expect(hashTree(world.project)).toEqual(before);
  });
});
