import type { HostSurface } from "../surfaces/surface.ts";

/** The words in which the hosts differ. */
export interface HostWords {
  readonly loopRule: string;
  readonly steps: readonly string[];
  readonly missingHostTool: string;
}

const VISIBLE_GOAL: HostWords = {
  loopRule:
    "Then start the next turn. Complete this goal only on decision done; after three turns blocked by the same thing mark it blocked.",
  steps: ["In the visible task, set /goal followed by task_body.", "Check that the goal is active."],
  missingHostTool: "No /goal here: show the user /goal and task_body to paste. No loop runs until they do.",
};

const OWN_TURNS: HostWords = {
  loopRule: "Then start the next turn while this session lasts. End on decision done or paused.",
  steps: ["Take task_body as this session's objective.", "Begin every turn with its first command."],
  missingHostTool: "This host has no timer: the loop ends with the session. Tell the user; claim no autonomy.",
};

const WORDS: Readonly<Record<HostSurface, HostWords>> = {
  "codex-app": {
    loopRule:
      "One heartbeat is one turn: set the next wake from recheck_after_seconds, stay silent when nothing changed. On decision done or paused, pause the automation.",
    steps: [
      "Create or update this task's heartbeat automation with task_body, first interval 3 minutes.",
      "Check that it exists and carries task_body.",
    ],
    missingHostTool: "No automation tool here: show the user task_body to paste into one. No loop runs until they do.",
  },
  "codex-app-ssh": VISIBLE_GOAL,
  "codex-ide-plugin": VISIBLE_GOAL,
  "codex-cli-tui": VISIBLE_GOAL,
  "claude-code": {
    loopRule: "One /loop tick is one turn. On decision done or paused, end the loop.",
    steps: ["Run /loop followed by task_body.", "Check that the loop is listed."],
    missingHostTool: "No /loop here: show the user /loop and task_body to paste. No loop runs until they do.",
  },
  opencode: OWN_TURNS,
  "cursor-agent": OWN_TURNS,
  "gemini-cli": OWN_TURNS,
  shell: {
    loopRule:
      "One call of the scheduler is one turn. Stop the schedule on decision done or paused; back off while it waits.",
    steps: [
      "Give task_body to the scheduler or operator that starts the agent.",
      "Set a stop and a back-off rule from the decision.",
    ],
    missingHostTool: "No scheduler is set up: say that no loop is declared and run turns by hand.",
  },
  "other-agent": {
    loopRule: "One wake of the declared driver is one turn. On decision done or paused, stop the driver.",
    steps: ["Declare what drives the loop.", "Give task_body to that driver, with a stop and a back-off rule."],
    missingHostTool: "No driver is declared: say so. Registration alone is no loop.",
  },
};

export function hostWordsOf(hostSurface: HostSurface): HostWords {
  return WORDS[hostSurface];
}
