import { describe, expect, test } from "vitest";
import { renderCommandCatalog, renderCommandCatalogText } from "../../src/registry/command-catalog.ts";
import { HOST_COMMANDS } from "../../src/registry/host-command.ts";
import { renderHostRegistry } from "../../src/registry/registry-packet.ts";

describe("the host registry", () => {
  test("offers the seven commands of the seed with kind, protocol, baseline and policy", () => {
    expect(renderHostRegistry()).toEqual({
      ok: true,
      schema_version: "codex_app_host_command_registry_v0",
      host_kind: "codex_app",
      commands: [
        {
          command: "/loopx",
          kind: "project_bootstrap_preview",
          protocol: "loopx_goal_command_v0",
          cli_baseline: "loopx bootstrap-command-pack --project .",
          mutation_policy: "read_first",
        },
        {
          command: "/loopx <goal text>",
          kind: "project_task_start",
          protocol: "loopx_goal_command_v0",
          cli_baseline: 'loopx start-goal --guided --project . --goal-text "<goal text>"',
          mutation_policy: "explicit_goal_start",
        },
        globalRow("summary"),
        globalRow("gates"),
        globalRow("todos"),
        globalRow("risks"),
        {
          command: "/loopx-pr-review",
          kind: "repo_pr_review",
          protocol: "pr_review_command_v0",
          cli_baseline: "loopx pr-review",
          mutation_policy: "must_run_cli_first",
        },
      ],
      unknown_command_policy: "fail_closed_with_slash_help",
    });
  });

  test("has one command for the global digest, and one legacy alias for each global command", () => {
    const aliases = HOST_COMMANDS.flatMap((command) => command.legacyToken ?? []);
    expect(aliases).toEqual(["/loop-global-summary", "/loop-global-gates", "/loop-global-todos", "/loop-global-risks"]);
    expect(HOST_COMMANDS.filter((command) => command.kind === "global_manager_summary")).toHaveLength(1);
  });
});

describe("the help for people", () => {
  test("shows every command once, with its CLI, and no legacy form", () => {
    const text = renderCommandCatalogText(renderCommandCatalog());
    const [chat = "", shell = ""] = text.split("From a shell:");
    for (const { command, cliBaseline } of HOST_COMMANDS) {
      expect(chat).toContain(`  ${command} `);
      expect(shell).toContain(cliBaseline);
    }
    expect(text.split("\n").at(-1)).toBe("To have them in your agent hosts: loopx slash-commands --install");
    expect(`${text}${JSON.stringify(renderCommandCatalog())}`).not.toContain("/loop-");
  });
});

function globalRow(view: string): object {
  return {
    command: `/loopx-global-${view}`,
    kind: `global_manager_${view}`,
    protocol: "global_manager_command_v0",
    cli_baseline: `loopx global-${view}`,
    legacy_aliases: [`/loop-global-${view}`],
    mutation_policy: "read_only",
  };
}
