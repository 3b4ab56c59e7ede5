import { describe, expect, test } from "vitest";
import { renderTaskBody } from "../../src/activation/task-body.ts";
import { renderGuidedStartText } from "../../src/guided-start/guided-start-text.ts";
import { renderGuidedStart } from "../../src/guided-start/guided-start.ts";
import { parseThroughShell, printCommand } from "../printed-commands.ts";
import { BOUND_START, FIRST_START } from "./start-facts.ts";

/** Values that a person types as they stand. */
const RESTRICTED = ["destructive_git", "private_material", "external_publication"];

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
      "  codex-cli-1: go on as the agent this thread is bound to",
      "    loopx start-goal --guided --project=. --goal-id=demo-goal --host-surface=codex-cli-tui --thread-id=thread-a '--goal-text=Ship a CLI' --agent-id=codex-cli-1",
      "  codex-cli-1: unbind this thread from the agent first",
      "    loopx unbind-agent-thread --goal-id=demo-goal --thread-id=thread-a --host-surface=codex-cli-tui --agent-id=codex-cli-1 --execute",
      "    loopx start-goal --guided --project=. --goal-id=demo-goal --host-surface=codex-cli-tui --thread-id=thread-a '--goal-text=Ship a CLI' --new-peer",
      "",
      "Next: run the command of one choice.",
    ]);
  });

  test("numbers the steps of a start and ends with the first", () => {
    const lines = text(BOUND_START).split("\n");
    expect(lines).toContain(" 1. Look at the project");
    expect(lines).toContain("    loopx status --goal-id=demo-goal");
    expect(lines).toContain(" 6. Ask for the first turn");
    expect(lines.at(-1)).toBe("Next: step 1, look at the project, then the others in this order.");
  });

  test("prints the task body whole, where the steps of the host name it", () => {
    const lines = text({ ...BOUND_START, hostSurface: "claude-code" }).split("\n");
    expect(lines).toContain("  - Run /loop followed by the task body below.");
    const at = lines.indexOf("The task body:");
    expect(lines.slice(at + 1, at + 3)).toEqual([
      "    Advance LoopX goal demo-goal as agent codex-cli-1. Each turn:",
      "    1. Run loopx quota should-run --goal-id=demo-goal --agent-id=codex-cli-1 --thread-id=thread-a",
    ]);
  });

  test("of a lane whose loop is on record says to look first, in words", () => {
    const target = { goalId: "demo-goal", agentId: "codex-cli-1", threadId: "thread-a" };
    const record = {
      ...target,
      hostSurface: "codex-cli-tui",
      loopDriver: undefined,
      taskBodyDigest: renderTaskBody("codex-cli-tui", target, printCommand).digest,
      recordedAt: "2026-11-30T12:00:00.000Z",
    };
    expect(text({ ...BOUND_START, activations: [record] }).split("\n")).toContain(
      "  - A loop with the task body below is on record: look whether it runs, and set it up again only if not.",
    );
  });

  test.each([
    ["a start", FIRST_START],
    ["a bound start", BOUND_START],
    ["a choice of surface", { ...FIRST_START, hostSurface: undefined }],
    ["a choice of agent", { ...BOUND_START, binding: { status: "missing" } }],
    ["a way out of a binding", { ...BOUND_START, newPeer: true }],
  ] as const)("says %s in words, not in names of packet fields", (_, facts) => {
    const words = text(facts)
      .replaceAll(/^ {4}.*$/gm, "")
      .match(/\b(?!user_gate|user_action)[a-z]+_[a-z_]+\b/g);
    expect(words?.filter((word) => !RESTRICTED.includes(word)) ?? []).toEqual([]);
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
