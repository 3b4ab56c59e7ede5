import { describe, expect, test } from "vitest";
import { findCommand, listCommands } from "../../src/command-table/command-table.ts";
import { toArgumentKey, toArgumentName } from "../../src/mcp/argument-name.ts";
import { findOwnerCommand, listOfferedCommands } from "../../src/mcp/offered-commands.ts";
import { describeTool } from "../../src/mcp/tool.ts";

const TOOLS = listOfferedCommands(true, "/profile.json");

describe("the commands that are tools", () => {
  test("are these, and no other one becomes a tool unnoticed", () => {
    expect(TOOLS.map(({ toolName }) => toolName)).toEqual(
      `quota_should_run,refresh_state,quota_spend,quota_status,todo_add,todo_list,todo_show,todo_claim,todo_release,
todo_update,todo_complete,todo_defer,todo_supersede,todo_archive,goal_list,goal_show,goal_edit,goal_pause,goal_complete,
goal_budget,gate_list,gate_show,register_agent,bind_agent_thread,unbind_agent_thread,resolve_agent_thread,bootstrap,
bootstrap_command_pack,start_goal,status,history,doctor,context_turn,context_preview,decision_context_recall_context`
        .replaceAll("\n", "")
        .split(","),
    );
  });

  test("are none of an owner's, none that moves or replaces state, and none that takes an owner's token", () => {
    expect(TOOLS.filter(({ spec }) => spec.authority === "owner")).toEqual([]);
    expect(TOOLS.filter(({ name }) => /^(?:import|restore|export|backup|config|owner|mcp)\b/.test(name))).toEqual([]);
    expect(TOOLS.filter(({ name }) => name.startsWith("context ")).map(({ flags }) => Object.keys(flags))).toEqual([
      ["build", "binding", "objective", "consumer", "profile", "input"],
      ["objective", "consumer", "profile", "input", "test"],
    ]);
    const [ask] = TOOLS.filter(({ name }) => name === "quota should-run");
    expect(Object.keys(ask?.flags ?? {})).not.toContain("contextProfile");
    expect(TOOLS.filter(({ flags }) => Object.hasOwn(flags, "ownerTokenFile"))).toEqual([]);
  });

  test("store a check with a todo only where checks may run", () => {
    const checks = ["validation_command", "validation_timeout", "validation_label"];
    expect(argumentsOf(true)).toEqual(expect.arrayContaining(checks));
    expect(argumentsOf(false).filter((name) => checks.includes(name))).toEqual([]);
  });

  test("an owner's command is known by the name it would have", () => {
    expect(findOwnerCommand("gate_decide")).toBe("gate decide");
    expect(findOwnerCommand("todo_add")).toBeUndefined();
    expect(findOwnerCommand("gate decide")).toBeUndefined();
  });
});

describe("a tool's description", () => {
  test("has one argument for each flag of its command, with the same needs and choices", () => {
    for (const command of TOOLS) {
      const { inputSchema } = describeTool(command);
      const { properties = {}, required = [] } = inputSchema;
      const flags = findCommand(command.name)?.spec.flags ?? {};
      for (const [key, flag] of Object.entries(flags)) {
        if (!Object.hasOwn(command.flags, key)) continue;
        const name = toArgumentName(key);
        expect(properties[name], `${command.toolName} ${name}`).toBeDefined();
        expect(required.includes(name)).toBe(flag.required === true);
        if (flag.type === "choice") expect(properties[name]).toMatchObject({ enum: flag.choices });
      }
      expect(inputSchema["additionalProperties"]).toBe(false);
      expect(properties["project"]).toBeDefined();
    }
  });

  test("lets every tool that acts as a lane name its thread", () => {
    const writers = TOOLS.filter(({ spec, flags }) => spec.authority !== "read" && Object.hasOwn(flags, "agentId"));
    const without = writers.filter(
      (command) => describeTool(command).inputSchema.properties?.["thread_id"] === undefined,
    );
    expect(without).toEqual([]);
  });

  test("speaks of arguments, not of flags, and names its tool as hosts allow", () => {
    for (const command of TOOLS) {
      const tool = describeTool(command);
      expect(JSON.stringify(tool)).not.toContain("--");
      expect(tool.name).toMatch(/^[a-z_]{1,48}$/);
    }
  });

  test("costs an agent that sees all of them no more than this", () => {
    expect(JSON.stringify(listOfferedCommands(false).map(describeTool)).length).toBeLessThan(28_000);
  });

  test("says in its hints what the table says of its command", () => {
    for (const command of TOOLS) {
      const { annotations } = describeTool(command);
      expect(annotations?.readOnlyHint).toBe(command.spec.authority === "read");
      expect(annotations?.destructiveHint).toBe(false);
    }
  });
});

test("an argument's name and a flag's key stand for each other, in one spelling", () => {
  for (const { spec } of listCommands()) {
    for (const key of Object.keys(spec.flags)) expect(toArgumentKey(toArgumentName(key))).toBe(key);
  }
  expect(toArgumentKey("goal-id")).toBeUndefined();
  expect(toArgumentKey("goalId")).toBeUndefined();
  expect(toArgumentKey("goal_id=x")).toBeUndefined();
});

function argumentsOf(mayRunChecks: boolean): readonly string[] {
  const add = listOfferedCommands(mayRunChecks).find(({ name }) => name === "todo add");
  return add === undefined ? [] : Object.keys(describeTool(add).inputSchema.properties ?? {});
}
