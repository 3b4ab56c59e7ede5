import type { HostSurface } from "../surfaces/surface.ts";

/** The words in which the hosts differ. Each is read on its own host: none names another's means. */
export interface HostWords {
  /** Who keeps the loop: nothing outside of it can set it up. */
  readonly owner: string;
  /** What wakes the agent for its next turn. */
  readonly loop: string;
  /** How the next turn comes and how the loop ends: the last rule of the task body. */
  readonly loopRule: string;
  readonly steps: readonly string[];
  readonly successCriteria: readonly string[];
  /** What stands before the task body where it is pasted. */
  readonly pastePrefix?: string;
  /** What to say when the host lacks the means; never "done". */
  readonly missingHostTool: string;
}

const VISIBLE_GOAL = {
  loop: "a visible /goal",
  loopRule:
    "Then start the next turn. Complete this goal only on decision done; after three turns blocked by the same thing mark it blocked.",
  steps: ["In the visible task, set /goal followed by task_body.", "Check that the goal is active."],
  successCriteria: ["The goal is active in the visible task.", "Every turn begins with its first command."],
  pastePrefix: "/goal ",
  missingHostTool: "No /goal here: show the user /goal and task_body to paste. No loop runs until they do.",
} as const;

const OWN_TURNS = {
  loop: "its own turns, while a session lasts",
  loopRule: "Then start the next turn while this session lasts. End on decision done or paused.",
  steps: ["Take task_body as this session's objective.", "Begin every turn with its first command."],
  successCriteria: ["Every turn begins with its first command.", "The session ends on decision done or paused."],
  missingHostTool: "This host has no timer: the loop ends with the session. Tell the user; claim no autonomy.",
} as const;

const WORDS: Readonly<Record<HostSurface, HostWords>> = {
  "codex-app": {
    owner: "Codex App",
    loop: "a heartbeat automation",
    loopRule:
      "One heartbeat is one turn: set the next wake from recheck_after_seconds, silent when nothing changed. On decision done or paused, pause the automation.",
    steps: [
      "Create or update this task's heartbeat automation: task_body, first interval 3 minutes.",
      "Check that it carries task_body.",
    ],
    successCriteria: ["One automation of this task carries task_body.", "Its next wake begins with the first command."],
    missingHostTool: "No automation tool here: show the user task_body to paste. No loop runs until they do.",
  },
  "codex-app-ssh": { ...VISIBLE_GOAL, owner: "Codex App, at its remote task" },
  "codex-ide-plugin": { ...VISIBLE_GOAL, owner: "the Codex plugin" },
  "codex-cli-tui": { ...VISIBLE_GOAL, owner: "Codex CLI" },
  "claude-code": {
    owner: "Claude Code",
    loop: "its native /loop",
    loopRule: "One /loop tick is one turn. On decision done or paused, end the loop.",
    steps: ["Run /loop followed by task_body.", "Check that the loop is listed."],
    successCriteria: ["The loop is listed in this session.", "Every tick begins with its first command."],
    pastePrefix: "/loop ",
    missingHostTool: "No /loop here: show the user /loop and task_body to paste. No loop runs until they do.",
  },
  opencode: { ...OWN_TURNS, owner: "the OpenCode session" },
  "cursor-agent": { ...OWN_TURNS, owner: "the Cursor session" },
  "gemini-cli": { ...OWN_TURNS, owner: "the Gemini session" },
  shell: {
    owner: "whoever schedules it",
    loop: "a scheduler or operator",
    loopRule:
      "One call of the scheduler is one turn. Stop the schedule on decision done or paused; back off while it waits.",
    steps: [
      "Give task_body to the scheduler or operator that starts the agent.",
      "Set a stop and a back-off rule from the decision.",
    ],
    successCriteria: ["Each call is one turn.", "It stops on decision done or paused, and waits as told."],
    missingHostTool: "No scheduler is set up: say that no loop is declared and run turns by hand.",
  },
  "other-agent": {
    owner: "the declared driver",
    loop: "a driver that the agent declares",
    loopRule: "One wake of the declared driver is one turn. On decision done or paused, stop the driver.",
    steps: [
      "Declare with --loop-driver what drives the loop.",
      "Give task_body to that driver, with a stop and a back-off rule.",
    ],
    successCriteria: ["The declared driver carries task_body.", "It stops on decision done or paused, waits as told."],
    missingHostTool: "No driver is declared: say so. Registration alone is no loop.",
  },
};

export function hostWordsOf(hostSurface: HostSurface): HostWords {
  return WORDS[hostSurface];
}
