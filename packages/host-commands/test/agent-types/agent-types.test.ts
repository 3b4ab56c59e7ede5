import { describe, expect, test } from "vitest";
import { renderAgentTypeCatalog, renderAgentTypeCatalogText } from "../../src/agent-types/agent-type-catalog.ts";
import { AGENT_TYPE_ALIASES, parseAgentType } from "../../src/agent-types/parse-agent-type.ts";
import { SURFACES } from "../../src/surfaces/surface.ts";

function refusalOf(text: string): { code: string; suggestions: unknown } {
  try {
    return { code: "taken", suggestions: parseAgentType(text) };
  } catch (error) {
    const { code, details } = error as { code: string; details: Record<string, unknown> };
    return { code, suggestions: details["suggestions"] };
  }
}

describe("an agent type", () => {
  test.each(SURFACES.map(({ agentType, hostSurface }) => [agentType, hostSurface] as const))(
    "%s is its surface, by its own name, the surface's and each other name, however it is spelt",
    (agentType, hostSurface) => {
      for (const name of [agentType, hostSurface, ...AGENT_TYPE_ALIASES[hostSurface]]) {
        expect(parseAgentType(name)).toBe(hostSurface);
        expect(parseAgentType(` ${name.toUpperCase().replaceAll("-", "_")}\t`)).toBe(hostSurface);
        expect(parseAgentType(name.replaceAll("-", " "))).toBe(hostSurface);
      }
    },
  );

  test.each([
    ["codex", ["codex-app", "codex-app-ssh", "codex-ide-plugin", "codex-cli"]],
    ["OpenAI Codex", ["codex-app", "codex-app-ssh", "codex-ide-plugin", "codex-cli"]],
    ["cli", ["codex-cli", "manual", "other-agent"]],
    ["claude", ["claude-code"]],
    ["codexcli", ["codex-cli"]],
    ["aider", []],
    ["", []],
  ])("%j is refused with what it could mean", (text, suggestions) => {
    expect(refusalOf(text)).toEqual({ code: "invalid_value", suggestions });
  });

  test("no name means two types", () => {
    const names = SURFACES.flatMap(({ agentType, hostSurface }) => [
      ...new Set([agentType, hostSurface, ...AGENT_TYPE_ALIASES[hostSurface]]),
    ]);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe("the catalog", () => {
  test("lists every type once, and offers no name that is only kept working", () => {
    const catalog = renderAgentTypeCatalog();
    expect(catalog.canonical_agent_types.map((row) => row.agent_type)).toEqual(
      "codex-app codex-app-ssh codex-ide-plugin codex-cli claude-code opencode cursor-agent gemini-cli manual other-agent".split(
        " ",
      ),
    );
    expect(JSON.stringify(catalog)).not.toContain('"codex-ide"');
    expect(catalog.ambiguous_inputs.map(({ input }) => input)).toEqual(["codex", "openai-codex", "cli"]);
    expect(Buffer.byteLength(JSON.stringify(catalog))).toBeLessThanOrEqual(4096);
  });

  test("every name that it lists is taken", () => {
    for (const row of renderAgentTypeCatalog().canonical_agent_types) {
      for (const name of [row.agent_type, ...(row.accepted_inputs ?? [])])
        expect(parseAgentType(name)).toBe(row.host_surface);
    }
  });

  test("is read by people as one line a type", () => {
    expect(renderAgentTypeCatalogText(renderAgentTypeCatalog())).toMatch(
      /^Agent types\n {2}codex-app {9}Codex desktop app; woken by a heartbeat automation\n/,
    );
  });
});
