import { spawnSync } from "node:child_process";
import { parse as parseToml } from "smol-toml";
import { describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { INSTALL_HOSTS, type FileTarget, type InstallHost } from "../../src/index.ts";
import { planInstallation } from "../../src/installation/installer.ts";
import { renderCodexPolicy, renderFacadeSkill, renderGeminiCommand } from "../../src/facades/render-facade.ts";
import type { Facade } from "../../src/facades/facade.ts";
import { REQUEST } from "../installation/sample-entries.ts";

function filesOf(host: InstallHost, request: Partial<typeof REQUEST> = {}): readonly FileTarget[] {
  return planInstallation(host, { ...REQUEST, ...request }, "all").filter((target) => target.kind === "file");
}

/** The frontmatter of a skill, by a YAML parser. */
function readFrontmatter(text: string): unknown {
  const [, frontmatter = ""] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
  return parseYaml(frontmatter);
}

const NAMES = [
  "loopx",
  "loopx-global-summary",
  "loopx-global-gates",
  "loopx-global-todos",
  "loopx-global-risks",
  "loopx-pr-review",
];

describe("the files of a host", () => {
  test.each(INSTALL_HOSTS)("of %s are read by their own parsers, and name each command once", (host) => {
    const files = filesOf(host);
    const facades = files.filter(({ part }) => part === "facade");
    expect(facades.map(({ name }) => name)).toEqual(NAMES);
    for (const { place, text, name, part } of files) {
      if (place.path.endsWith(".md")) {
        expect(readFrontmatter(text)).toMatchObject({ description: expect.stringMatching(/LoopX/) as string });
        // OpenCode names a command by its file.
        if (place.path.endsWith("SKILL.md")) expect(readFrontmatter(text)).toHaveProperty("name", name);
      }
      if (place.path.endsWith(".toml")) {
        expect(parseToml(text)).toMatchObject({ prompt: expect.stringContaining(`# /${name}\n`) as string });
      }
      if (part === "policy") expect(parseYaml(text)).toHaveProperty("policy.allow_implicit_invocation", false);
      expect(text).not.toContain("loop-global-");
    }
  });

  test("hold nothing that the host would expand: no placeholder, no shell call, no file reference", () => {
    for (const host of INSTALL_HOSTS) {
      for (const { text, part } of filesOf(host)) {
        if (part !== "plugin") expect(text).not.toMatch(/\$ARGUMENTS|\$\d|!`|!\{|\{\{|(?:^|\s)@\w/m);
      }
    }
  });

  test("give Codex facades that only a user invokes, beside a workflow skill that an agent may", () => {
    const files = filesOf("codex");
    const policies = files.filter(({ part }) => part === "policy").map(({ name }) => name);
    expect(policies).toEqual(NAMES);
    const skill = files.find(({ part }) => part === "workflow_skill");
    expect(skill?.name).toBe("loopx-project");
    expect(skill?.text).not.toContain("disable-model-invocation");
    const ofClaude = filesOf("claude-code").find(({ part }) => part === "workflow_skill");
    expect(readFrontmatter(ofClaude?.text ?? "")).toHaveProperty("user-invocable", false);
  });

  test("say that a handoff is followed first, and name the surface of each host that reads them", () => {
    const [facade] = filesOf("claude-code");
    const text = facade?.text ?? "";
    expect(text.indexOf("codex_app_host_command_handoff_v0")).toBeLessThan(text.indexOf("host-parse --format=json"));
    expect(text).toContain("`claude-code` in Claude Code; `cursor-agent` in Cursor; `opencode` in OpenCode");
    const [ofCodex] = filesOf("codex").filter(({ part }) => part === "facade");
    expect(ofCodex?.text).toContain(
      "one of `codex-app`, `codex-app-ssh`, `codex-ide-plugin`, `codex-cli-tui` in Codex",
    );
  });

  test("name the program by its path where it is not on PATH", () => {
    const [facade] = filesOf("gemini", { shellProgram: "'/opt/node 20/bin/node' /opt/loopx.cjs" });
    const { prompt } = parseToml(facade?.text ?? "") as { readonly prompt: string };
    expect(prompt).toContain("'/opt/node 20/bin/node' /opt/loopx.cjs host-parse --format=json");
    expect(prompt).toContain("`loopx` is not on PATH here");
  });

  test("stay small: an agent reads them whole", () => {
    for (const { text, part } of filesOf("claude-code")) {
      expect(Buffer.byteLength(text)).toBeLessThan(part === "workflow_skill" ? 4096 : 2600);
    }
  });
});

test.each([
  "a: b # c",
  "\"quoted\" and 'single'",
  "@handle %tag &anchor *alias !bang",
  "- item",
  "{ a: 1 }",
  "{{args}} '''\n\"\"\"",
  "ends with a colon:",
  "日本語: 😀 \u0007\u2028",
  " leading and trailing ",
  "null",
  "3.10",
  "---",
])("a description survives as it is: %j", (description) => {
  const facade: Facade = { name: "loopx", description, argumentHint: description, afterwards: "x" };
  const reader = { hosts: [], program: "loopx" };
  const skill = renderFacadeSkill(facade, reader, { version: "1.2.3", isForClaude: true });
  expect(readFrontmatter(skill)).toMatchObject({ name: "loopx", description, "argument-hint": description });
  expect(parseToml(renderGeminiCommand(facade, reader, "1.2.3"))).toMatchObject({ description });
  expect(parseYaml(renderCodexPolicy(facade, "1.2.3"))).toHaveProperty("interface.short_description", description);
});

test("OpenCode's plugin is a module that Node reads, whatever is in the path of the program", () => {
  const argv = ['/opt/no\'de "20"\\`${x}`/node', "/opt/日本/loopx.cjs"] as const;
  const plugin = filesOf("opencode", { argv }).find(({ part }) => part === "plugin");
  const check = spawnSync(process.execPath, ["--input-type=module", "--check"], { input: plugin?.text ?? "" });
  expect(check.stderr.toString()).toBe("");
  expect(plugin?.text).toContain(`const LOOPX = ${JSON.stringify(argv)};`);
});
