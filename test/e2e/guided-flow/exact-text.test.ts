import { existsSync } from "node:fs";
import { join } from "node:path";
import { quoteForShell } from "@loopx/contracts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findRefusedCommands, listPrintedCommands } from "../../support/printed-commands.ts";
import { listRows, loadProjectState } from "../../support/project-state.ts";
import { readField, readText } from "../../support/read-field.ts";
import { createShellWorld, digestWorld, type ShellWorld } from "../../support/shell-world.ts";
import { verifies } from "../../support/verifies.ts";

const TEXTS: readonly (readonly [string, string])[] = [
  ["quotes and a backslash", String.raw`I'm "done" \ ok \n '' "'"`],
  ["command substitutions", "fix $(touch pwned) and `touch pwned`; touch pwned | touch pwned & touch pwned > pwned"],
  ["replacement patterns", "pay $15,000 $& $$ $1 $` $' ${HOME} $HOME"],
  ["newlines and tabs", "first\n\tsecond\r\nthird\n\n"],
  ["white space around it", "  padded \u00a0\u3000 "],
  ["flags", "--agent-id=evil --new-peer"],
  ["a lone dash", "-"],
  ["placeholders", "replace <agent-id> and <goal text>"],
  ["emoji and CJK", "👨‍👩‍👧 漢字 ／loopx é e\u0301"],
  ["bidi and zero width", "\u202eoverride\u200b"],
  ["an escape sequence", "\u001b[31mred\u0007"],
  ["local paths", "see /home/alice/x and C:\\new\\users"],
  ["prose about credentials", "Rotate the API keys, keep the password in the vault and document token handling"],
  ["16 KiB", `${"é".repeat(8 * 1024 - 1)}ab`],
];

let world: ShellWorld;
beforeEach(() => {
  world = createShellWorld();
});
afterEach(() => world.remove());

function expectNothingRan(): void {
  for (const folder of [world.worktree, world.project, world.home])
    expect(existsSync(join(folder, "pwned"))).toBe(false);
}

describe("the user's task text", () => {
  test.each(TEXTS)("is kept byte for byte in packet, store and export: %s", async (_case, text) => {
    verifies("start.text-is-exact");
    const gate = await world.shell(`loopx start-goal --guided --project . --goal-text=${quoteForShell(text)}`);
    expect(readField(gate.json, "goal_text")).toBe(text);
    const line = `${readText(gate.json, "host_surface_selection_gate", "rerun_command")} --host-surface=shell`;
    const start = await world.shell(line);
    expect(readField(start.json, "goal_text")).toBe(text);
    expect(findRefusedCommands(start.json)).toEqual([]);

    const bootstrap = listPrintedCommands(start.json).find((command) => command.startsWith("loopx bootstrap "));
    expect(await world.shell(bootstrap ?? "")).toMatchObject({ exitCode: 0 });
    const goal = await world.shell("loopx goal show --goal-id=work-goal");
    expect(readField(goal.json, "goal", "objective")).toBe(text);
    const exported = await loadProjectState(world, { cwd: world.worktree });
    expect(listRows(exported, "goals").map((row) => row["objective"])).toEqual([text]);

    const detail = await world.shell(readText(start.json, "detail_command"));
    expect(readField(detail.json, "goal_text")).toBe(text);
    expectNothingRan();
  });

  test("is taken raw from a slash command, and white space alone is bare /loopx", async () => {
    verifies("start.text-is-exact", "commands.bare-loopx-reads");
    const raw = "  fix it --new-peer $(touch pwned)\n";
    const start = await world.shell(
      `loopx start-goal --guided --host-surface=shell --slash-command-arguments=${quoteForShell(raw)}`,
    );
    expect(readField(start.json, "goal_text")).toBe(raw);
    expectNothingRan();
  });

  test("says what it contains", async () => {
    const start = await world.shell("loopx start-goal --guided --host-surface=shell --goal-text='see /home/alice/x'");
    expect(readField(start.json, "task_text_contains")).toEqual(["local_path"]);
  });

  const SECRET = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
  const REFUSED: readonly (readonly [string, string, string])[] = [
    ["one byte over 16 KiB", `${"é".repeat(8 * 1024)}Z`, "text_too_long"],
    ["a token", `Deploy with ${SECRET} now`, "credential_refused"],
    ["a password", "log in with password=hunter2-Zq9x and go", "credential_refused"],
    ["a key in a URL", "clone https://alice:s3cr3tZq9x@example.org/x.git", "credential_refused"],
  ];

  test.each(REFUSED)("is refused before anything is stored, and not repeated: %s", async (_case, text, code) => {
    verifies("start.text-is-exact");
    const before = digestWorld(world);
    const quoted = quoteForShell(text);
    for (const line of [
      `loopx start-goal --guided --project . --goal-text=${quoted} --host-surface=shell`,
      `loopx start-goal --guided --project . --slash-command-arguments=${quoted} --host-surface=shell`,
      `loopx start-goal --guided --project . --goal-text=${quoted}`,
      `loopx bootstrap-command-pack --goal-text=${quoted}`,
      `loopx bootstrap --project . --objective=${quoted}`,
    ]) {
      const { exitCode, json, stdout, stderr } = await world.shell(line);
      expect({ line: line.slice(0, 60), exitCode, code: readField(json, "error", "code") }).toEqual({
        line: line.slice(0, 60),
        exitCode: 2,
        code,
      });
      expect(`${stdout}${stderr}`).not.toMatch(/é|ghp_|Zq9x|hunter2/);
    }
    expect(digestWorld(world)).toBe(before);
  });
});
