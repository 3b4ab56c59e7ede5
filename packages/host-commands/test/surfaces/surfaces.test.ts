import { describe, expect, test } from "vitest";
import { parseHostSurface } from "../../src/surfaces/parse-host-surface.ts";
import { CODEX_SURFACES, SURFACES, surfaceOf } from "../../src/surfaces/surface.ts";

describe("host surfaces", () => {
  test("the Codex family is what a deep link is looked up in, and reads CODEX_THREAD_ID; no other surface does", () => {
    expect(CODEX_SURFACES).toEqual(["codex-app", "codex-app-ssh", "codex-ide-plugin", "codex-cli-tui"]);
    expect(SURFACES.filter((surface) => surface.readsCodexThreadId).map((surface) => surface.hostSurface)).toEqual(
      CODEX_SURFACES,
    );
  });

  test("each offered name is accepted as it is", () => {
    for (const { hostSurface } of SURFACES) expect(parseHostSurface(hostSurface)).toBe(hostSurface);
  });

  test("the legacy name is accepted, becomes the canonical one and is never offered", () => {
    expect(parseHostSurface("codex-ide")).toBe("codex-ide-plugin");
    expect(SURFACES.map((surface) => surface.hostSurface)).not.toContain("codex-ide");
  });

  test.each([
    ["codex", "codex-app or codex-app-ssh or codex-ide-plugin or codex-cli-tui"],
    ["codex-cli", "codex-cli-tui"],
    ["claude", "claude-code"],
    ["manual", "shell"],
  ])("%j is refused with what it may mean", (text, meant) => {
    expect(() => parseHostSurface(text)).toThrow(
      expect.objectContaining({ code: "invalid_value", hint: `did you mean ${meant}?` }),
    );
  });

  test.each(["cli", "", " codex-app", "CODEX-APP", "chat_box", "__proto__"])(
    "%j is refused with the offered list",
    (text) => {
      expect(() => parseHostSurface(text)).toThrow(
        expect.objectContaining({
          code: "invalid_value",
          hint: "use one of codex-app, codex-app-ssh, codex-ide-plugin, codex-cli-tui, claude-code, opencode, cursor-agent, gemini-cli, shell, other-agent",
        }),
      );
    },
  );

  test("agent types and activation methods", () => {
    expect(
      SURFACES.map((surface) => `${surface.hostSurface} ${surface.agentType} ${surface.activationMethod}`),
    ).toEqual([
      "codex-app codex-app create_or_update_codex_app_automation",
      "codex-app-ssh codex-app-ssh set_visible_goal",
      "codex-ide-plugin codex-ide-plugin set_visible_goal",
      "codex-cli-tui codex-cli set_visible_goal",
      "claude-code claude-code run_native_loop",
      "opencode opencode run_agent_cli_loop_gated_by_quota",
      "cursor-agent cursor-agent run_agent_cli_loop_gated_by_quota",
      "gemini-cli gemini-cli run_agent_cli_loop_gated_by_quota",
      "shell manual external_loop_driver",
      "other-agent other-agent external_loop_driver",
    ]);
    expect(surfaceOf("shell").agentType).toBe("manual");
  });
});
