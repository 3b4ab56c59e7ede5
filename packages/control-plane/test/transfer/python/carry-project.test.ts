import { LoopxError } from "@loopx/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  carryProject,
  exportProject,
  importCarried,
  importProject,
  parsePythonRegistry,
  type CarriedProject,
} from "../../../src/index.ts";
import { accepted, createPlace, OWNER, START } from "../../control-plane-world.ts";

const GOAL = {
  id: "repo-goal",
  status: "active",
  state_file: "S.md",
  coordination: { registered_agents: ["codex-a"] },
};

/** What becomes of a goal with these lines in its state file. */
function carry(lines: readonly string[], goal: object = {}): CarriedProject {
  const registry = accepted(
    parsePythonRegistry(JSON.stringify({ schema_version: "0.1", goals: [{ ...GOAL, ...goal }] })),
  );
  const text = ["---", 'objective: "Ship it"', "---", ...lines].join("\n");
  return carryProject(registry, () => text, { now: START, parseSurface });
}

function parseSurface(text: string): string {
  if (text === "codex-app") return text;
  throw new LoopxError("invalid_value", { message: "unknown" });
}

function agentTodo(box: string, metadata = ""): readonly string[] {
  return ["## Agent Todo", "", box, ...(metadata === "" ? [] : [`  <!-- loopx:todo ${metadata} -->`])];
}

function imagesOf({ goals }: CarriedProject, type: string): readonly unknown[] {
  return goals.flatMap(({ changes }) => changes.filter((change) => change.type === type).map(({ image }) => image));
}

function todosOf(carried: CarriedProject): readonly unknown[] {
  return imagesOf(carried, "todo_added.v1");
}

function whatStays(carried: CarriedProject): readonly string[] {
  return carried.notCarried.map(({ what }) => what);
}

describe("a todo", () => {
  test("keeps its id, text, priority, kind and target", () => {
    const fields = "todo_id=todo_983720971397 status=open action_kind=implement target_key=ISSUE-7";
    expect(todosOf(carry(agentTodo("- [ ] [P0] Write the parser", fields)))).toMatchObject([
      {
        todo_id: "todo_983720971397",
        text: "[P0] Write the parser",
        priority: 0,
        status: "open",
        action_kind: "implement",
        target_key: "ISSUE-7",
      },
    ]);
  });

  test.each([
    ["- [x] Done", "", { status: "done", completion: "open_ended" }],
    ["- [x] Done", "no_followup=true", { status: "done", completion: "no_follow_up" }],
    ["- [-] Later", "", { status: "deferred", resume: "manual", held_by: "process" }],
    ["- [-] Later", "resume_when=2026-05-01T00:00:00%2B02:00", { resume: "after:2026-04-30T22:00:00.000Z" }],
    ["- [ ] Stuck", "status=blocked reason=No%20key", { status: "blocked", reason: "No key" }],
    ["- [ ] Stuck", "task_class=blocker", { status: "blocked" }],
    ["- [ ] Gone", "superseded_by=todo_000000000009", { status: "superseded", successor_todo_id: null }],
    ["- [ ] Look", "task_class=continuous_monitor cadence=30m", { task_class: "monitor", cadence_ms: 1_800_000 }],
    ["- [ ] Two", "note=one%20two evidence=three", { note: "one two\nthree" }],
  ])("%s with %s", (box, fields, expected) => {
    expect(todosOf(carry(agentTodo(box, fields)))).toMatchObject([expected]);
  });

  test("without an id, or with one that is taken, gets one that the next look gives it too", () => {
    const lines = [
      "## Agent Todo",
      "- [ ] One",
      "- [ ] Two",
      "  <!-- loopx:todo todo_id=todo_aaaaaaaa -->",
      "- [ ] Three",
      "  <!-- loopx:todo todo_id=todo_aaaaaaaa -->",
    ];
    const ids = (todosOf(carry(lines)) as readonly { todo_id: string }[]).map(({ todo_id: id }) => id);
    expect(new Set(ids).size).toBe(3);
    expect(todosOf(carry(lines))).toEqual(todosOf(carry(lines)));
  });

  test("is left, and told, where its text holds a credential, is empty, or stands elsewhere", () => {
    const key = `ghp_${"a1B2".repeat(9)}`;
    const carried = carry(["## Agent Todo", `- [ ] Use ${key}`, "- [ ]  ", "## Progress Ledger", "- [ ] Not one"]);
    expect(todosOf(carried)).toEqual([]);
    expect(JSON.stringify(carried)).not.toContain(key);
    expect(carried.notCarried.filter(({ what }) => what === "todo").map(({ why, lines }) => [why, lines])).toEqual([
      ["its text holds a credential", [5]],
      ["its text can't stand here", [6]],
      ["it stands under no heading of todos", [8]],
    ]);
  });

  test("brings no claim and no command along, and tells both and every field without a place", () => {
    const fields = "claimed_by=codex-a validation_command=npm%20test required_capabilities=web";
    const carried = carry(agentTodo("- [ ] Work", fields));
    expect(todosOf(carried)).toMatchObject([{ claimed_by: null, claim_epoch: 0, validation: null }]);
    expect(whatStays(carried)).toEqual(
      expect.arrayContaining(["claim", "validation command", "todo field required_capabilities"]),
    );
  });
});

function ask(fields: string, box = "- [ ] May we?"): CarriedProject {
  return carry(["## User Todo", box, `  <!-- loopx:todo task_class=user_gate ${fields} -->`]);
}

describe("a gate", () => {
  test.each([
    ["decision_scope=production:goal:all", { kind: "production", blocks: ["goal"] }],
    ["blocks_agent=codex-a", { kind: "decision", blocks: ["agent:codex-a"] }],
    ["blocks_agent=nobody", { blocks: ["goal"] }],
    ["blocks_agent=codex-a global_gate=true", { blocks: ["goal"] }],
    ["unblocks_todo_id=todo_000000000009", { blocks: ["goal"] }],
  ])("with %s holds what it held, or the goal", (fields, expected) => {
    expect(todosOf(ask(fields))).toMatchObject([
      { task_class: "user_gate", status: "open", gate: { decision: null, ...expected } },
    ]);
  });

  test("that was put off asks again", () => {
    expect(todosOf(ask("status=deferred", "- [-] May we?"))).toMatchObject([
      { status: "open", gate: { decision: null } },
    ]);
  });

  test("that was approved there approves nothing here", () => {
    const carried = ask("decision_outcome=approve decision_scope=production:goal:all", "- [x] May we?");
    expect(todosOf(carried)).toMatchObject([{ task_class: "user_action", status: "done", gate: null }]);
    expect(whatStays(carried)).toContain("decision of a gate");
  });
});

describe("a goal", () => {
  test("keeps its budget in a window, and its lanes; threads wait to be read back", () => {
    const bindings = [
      { thread_id: "t1", host_surface: "codex-app", agent_id: "codex-a" },
      { thread_id: "t1", host_surface: "codex-app", agent_id: "codex-a" },
      { thread_id: "t2", host_surface: "nowhere", agent_id: "codex-a" },
      { thread_id: "t3", host_surface: "codex-app", agent_id: "stranger" },
    ];
    const carried = carry([], {
      quota: { window_hours: 24, allowed_slots: 40 },
      coordination: { registered_agents: ["codex-a", "Bad Id"], thread_agent_bindings: bindings },
    });
    expect(imagesOf(carried, "goal_created.v1")).toMatchObject([
      { budget_window_turns: 40, budget_window_ms: 86_400_000 },
    ]);
    expect(imagesOf(carried, "agent_registered.v1")).toMatchObject([{ agent_id: "codex-a" }]);
    expect(imagesOf(carried, "thread_bound.v1")).toMatchObject([{ thread_id: "t1", is_verified: false }]);
    expect(carried.notCarried.filter(({ what }) => what === "thread binding")).toHaveLength(3);
  });

  test.each([
    ["active", "active"],
    ["active-read-only", "active"],
    ["stopped", "stopped"],
    ["weird", "paused"],
  ])("of status %s is %s", (said, status) => {
    expect(imagesOf(carry([], { status: said }), "goal_created.v1")).toMatchObject([{ status }]);
  });

  test("is left and told without a state file, an objective or a usable id, and when it is listed twice", () => {
    const registry = accepted(
      parsePythonRegistry(
        JSON.stringify({
          schema_version: "0.1",
          goals: [GOAL, { ...GOAL, id: "A B" }, GOAL, { ...GOAL, id: "other", state_file: "none" }],
        }),
      ),
    );
    const carried = carryProject(registry, (path) => (path === "none" ? undefined : "## Objective\n\nShip it\n"), {
      now: START,
      parseSurface,
    });
    expect(carried.goals.map(({ goalId }) => goalId)).toEqual(["repo-goal"]);
    expect(carried.notCarried.filter(({ what }) => what === "goal").map(({ why }) => why)).toEqual([
      "its id can't stand here",
      "it is listed twice",
      "its state file can't be read",
    ]);
  });
});

test.each([
  "",
  "[]",
  "{",
  '{"schema_version":"0.1"}',
  '{"goals":[]}',
  '{"schema_version":"0.1","schema_version":"0.1","goals":[]}',
])("a registry that is %s is refused", (text) => {
  expect(parsePythonRegistry(text)).toMatchObject({ ok: false, code: "import_invalid" });
});

/** Lines as people and that program write them, good and broken. */
const LINE = fc.oneof(
  fc.constantFrom("## Agent Todo", "## User Todo / Owner Review Reading Queue", "## Completed Work Archive", "---", ""),
  fc
    .tuple(fc.constantFrom(" ", "x", "-"), fc.string({ maxLength: 12, unit: "grapheme" }))
    .map(([mark, text]) => `- [${mark}] ${text}`),
  fc
    .array(
      fc.tuple(
        fc.constantFrom(
          "todo_id",
          "status",
          "task_class",
          "resume_when",
          "cadence",
          "reason",
          "note",
          "superseded_by",
          "blocks_agent",
        ),
        fc.constantFrom(
          "todo_aaaaaa1",
          "todo_aaaaaa2",
          "open",
          "done",
          "blocked",
          "deferred",
          "user_gate",
          "continuous_monitor",
          "%zz",
          "1h",
          "codex-a",
          "todo_done:todo_aaaaaa1",
        ),
      ),
      { maxLength: 5 },
    )
    .map((fields) => `  <!-- loopx:todo ${fields.map(([key, value]) => `${key}=${value}`).join(" ")} -->`),
);

test("whatever the file holds, what is carried is what every command could have written", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(LINE, { maxLength: 30 }), async (lines) => {
      const { goals } = carry(lines);
      const place = createPlace();
      const project = await place.open("state.db");
      accepted(await importCarried(project, goals, { actor: OWNER, now: START, isDryRun: false }));
      const exported = await project.read(async (tx) => {
        const rows: string[] = [];
        for await (const row of exportProject(tx, { goalId: null, isPublic: false, now: START })) rows.push(row);
        return rows;
      });
      await project.close();
      const other = await createPlace().open("state.db");
      // An import asks of every column what the commands ask of whoever writes it.
      const again = await importProject(other, exported, { isDryRun: false, now: START });
      await other.close();
      expect(again).toMatchObject({ ok: true, goalIds: ["repo-goal"] });
    }),
    { numRuns: 60 },
  );
});

test("a goal that is there already leaves everything as it was", async () => {
  const project = await createPlace().open("state.db");
  const { goals } = carry(agentTodo("- [ ] Work"));
  const options = { actor: OWNER, now: START, isDryRun: false } as const;
  accepted(await importCarried(project, goals, options));
  expect(await importCarried(project, goals, options)).toMatchObject({ ok: false, code: "goal_id_taken" });
  await project.close();
});
