import { describe, expect, test } from "vitest";
import { renderGuidedStartText } from "../../src/guided-start/guided-start-text.ts";
import { renderGuidedStart } from "../../src/guided-start/guided-start.ts";
import { parseThroughShell, printCommand } from "../printed-commands.ts";
import { BOUND_START, FIRST_START } from "./start-facts.ts";

function text(facts: typeof FIRST_START): string {
  return renderGuidedStartText(renderGuidedStart(facts, printCommand));
}

describe("the guided start for people", () => {
  test("spells out the exact rerun command of every choice", () => {
    const commands = [...text({ ...FIRST_START, hostSurface: undefined }).matchAll(/^ {4}(loopx .*)$/gm)];
    const surfaces = parseThroughShell(commands.map((match) => match[1] ?? "")).map(({ flags }) =>
      flags.get("host-surface"),
    );
    expect(surfaces).toHaveLength(10);
    expect(surfaces[0]).toBe("codex-app");
  });

  test("prints a long command once, with the arguments to append", () => {
    const goalText = "long ".repeat(200);
    const shown = text({ ...FIRST_START, hostSurface: undefined, goalText });
    expect(shown.split(goalText)).toHaveLength(2);
    expect(shown).toContain("    --host-surface=codex-app\n");
  });

  test("ends a gate with what to do", () => {
    expect(text({ ...BOUND_START, newPeer: true }).split("\n")).toEqual([
      "Guided start (preview, nothing is written)",
      "  project          demo",
      "  active state id  demo-goal",
      "  thread           thread-a",
      "  surface          codex-cli-tui",
      "",
      "This thread already has a lane, so it can't become a new peer.",
      "  codex-cli-1: keep_bound_agent",
      "    loopx start-goal --guided --project=. --goal-id=demo-goal --host-surface=codex-cli-tui --thread-id=thread-a '--goal-text=Ship a CLI' --agent-id=codex-cli-1",
      "  codex-cli-1: unbind_thread",
      "    loopx unbind-agent-thread --goal-id=demo-goal --thread-id=thread-a --host-surface=codex-cli-tui --agent-id=codex-cli-1 --execute",
      "    loopx start-goal --guided --project=. --goal-id=demo-goal --host-surface=codex-cli-tui --thread-id=thread-a '--goal-text=Ship a CLI' --new-peer",
      "",
      "Next: run the command of one choice.",
    ]);
  });

  test("numbers the steps of a start and ends with the first", () => {
    const lines = text(BOUND_START).split("\n");
    expect(lines).toContain(" 1. inspect_connection");
    expect(lines).toContain("    loopx status --goal-id=demo-goal");
    expect(lines).toContain(" 6. quota_guard");
    expect(lines.at(-1)).toBe("Next: inspect_connection, then the steps in this order.");
  });

  test("shows control characters of a stored objective as text", () => {
    const goals = [
      { goalId: "a", objective: "\u001b[2Jgone", status: "active" },
      { goalId: "b", objective: "fine", status: "active" },
    ] as const;
    const shown = text({ ...BOUND_START, goals });
    expect(shown).not.toContain("\u001b");
    expect(shown).toContain(String.raw`\x1b[2Jgone`);
  });

  test("marks a command that a terminal would not show as it is", () => {
    const shown = text({ ...FIRST_START, hostSurface: undefined, goalText: "a\u202eb" });
    expect(shown).not.toContain("\u202e");
    expect(shown).toContain("take the exact command from --format=json");
  });
});
