import { describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { findManagedMarker } from "../../src/facades/managed-marker.ts";
import { planInstallation } from "../../src/installation/installer.ts";
import { renderIntegrations } from "../../src/plugins/render-integrations.ts";
import { REQUEST } from "../installation/sample-entries.ts";

const VERSION = "1.2.3";
const FILES = new Map(renderIntegrations(VERSION).map(({ path, text }) => [path, text]));
const NAMES = [
  "loopx",
  "loopx-global-gates",
  "loopx-global-risks",
  "loopx-global-summary",
  "loopx-global-todos",
  "loopx-pr-review",
];

function textOf(path: string): string {
  const text = FILES.get(path);
  if (text === undefined) throw new Error(`${path} is not generated`);
  return text;
}

function jsonOf(path: string): unknown {
  return JSON.parse(textOf(path));
}

function listBelow(folder: string): readonly string[] {
  return [...FILES.keys()].flatMap((path) => (path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : []));
}

function frontmatterOf(path: string): unknown {
  const [, frontmatter = ""] = /^---\n([\s\S]*?)\n---\n/.exec(textOf(path)) ?? [];
  return parseYaml(frontmatter);
}

const SENTENCE = expect.stringMatching(/^[A-Z].+\.$/) as string;

describe("Claude Code's plugin", () => {
  const at = "integrations/claude-code";

  test("has the documented layout: the manifest alone in its folder, everything else beside it", () => {
    const skills = [...NAMES, "loopx-project"].map((name) => `skills/${name}/SKILL.md`);
    expect(listBelow(at).toSorted()).toEqual(
      [".claude-plugin/plugin.json", ".mcp.json", "README.md", "hooks/hooks.json", ...skills].toSorted(),
    );
  });

  test("has a manifest of documented fields, and names no usual place a second time", () => {
    expect(jsonOf(`${at}/.claude-plugin/plugin.json`)).toEqual({
      name: "loopx",
      version: VERSION,
      description: SENTENCE,
      author: { name: "LoopX" },
      license: "Apache-2.0",
      keywords: ["agents", "goals", "todos", "mcp"],
    });
  });

  test("is offered by a catalogue at the repository's top", () => {
    expect(jsonOf(".claude-plugin/marketplace.json")).toEqual({
      name: "loopx",
      owner: { name: "LoopX" },
      description: SENTENCE,
      plugins: [{ name: "loopx", source: `./${at}`, description: SENTENCE }],
    });
  });

  test("starts the MCP server by the program's name", () => {
    expect(jsonOf(`${at}/.mcp.json`)).toEqual({ mcpServers: { loopx: { command: "loopx", args: ["mcp"] } } });
  });

  test("keeps commands for the user, and the workflow skill for the agent", () => {
    for (const name of NAMES) {
      expect(frontmatterOf(`${at}/skills/${name}/SKILL.md`)).toEqual({
        name,
        description: expect.stringMatching(/^LoopX: /) as string,
        "argument-hint": expect.any(String) as string,
        "allowed-tools": "Bash(loopx host-parse *)",
        "disable-model-invocation": true,
      });
    }
    expect(frontmatterOf(`${at}/skills/loopx-project/SKILL.md`)).toMatchObject({ "user-invocable": false });
  });
});

describe("Codex's plugin", () => {
  const at = "integrations/codex";

  test("has the documented layout", () => {
    const skills = [
      "skills/loopx-project/SKILL.md",
      ...NAMES.flatMap((name) => [`skills/${name}/SKILL.md`, `skills/${name}/agents/openai.yaml`]),
    ];
    expect(listBelow(at).toSorted()).toEqual(
      [".codex-plugin/plugin.json", ".mcp.json", "README.md", "hooks/hooks.json", ...skills].toSorted(),
    );
  });

  test("has a manifest of documented fields, whose paths are there and whose prompts are within the limits", () => {
    const manifest = jsonOf(`${at}/.codex-plugin/plugin.json`) as {
      readonly interface: { readonly defaultPrompt: readonly string[] };
    };
    expect(manifest).toEqual({
      name: "loopx",
      version: VERSION,
      description: SENTENCE,
      author: { name: "LoopX" },
      license: "Apache-2.0",
      keywords: ["agents", "goals", "todos", "mcp"],
      skills: "./skills/",
      hooks: "./hooks/hooks.json",
      mcpServers: "./.mcp.json",
      interface: {
        displayName: "LoopX",
        shortDescription: expect.any(String) as string,
        longDescription: SENTENCE,
        developerName: "LoopX",
        category: "Productivity",
        capabilities: ["Interactive", "Read", "Write"],
        defaultPrompt: expect.any(Array) as string[],
      },
    });
    const prompts = manifest.interface.defaultPrompt;
    expect(prompts.length).toBeLessThanOrEqual(3);
    for (const prompt of prompts) expect(prompt.length).toBeLessThanOrEqual(128);
  });

  test("is offered by a catalogue at the repository's top", () => {
    expect(jsonOf(".agents/plugins/marketplace.json")).toEqual({
      name: "loopx",
      interface: { displayName: "LoopX" },
      plugins: [
        {
          name: "loopx",
          source: { source: "local", path: `./${at}` },
          policy: { installation: "AVAILABLE", authentication: "ON_INSTALL" },
          category: "Productivity",
        },
      ],
    });
  });

  test("starts the MCP server by the program's name, and invokes no command by itself", () => {
    expect(jsonOf(`${at}/.mcp.json`)).toEqual({ mcpServers: { loopx: { command: "loopx", args: ["mcp"] } } });
    for (const name of NAMES) {
      expect(parseYaml(textOf(`${at}/skills/${name}/agents/openai.yaml`))).toMatchObject({
        policy: { allow_implicit_invocation: false },
      });
      const { description } = frontmatterOf(`${at}/skills/${name}/SKILL.md`) as { readonly description: string };
      expect(description.length).toBeLessThanOrEqual(1024);
    }
  });
});

describe("OpenCode's package", () => {
  const at = "integrations/opencode";

  test("is one that npm can publish, with each file that it names", () => {
    const manifest = jsonOf(`${at}/package.json`) as { readonly files: readonly string[] };
    expect(manifest).toEqual({
      name: "opencode-loopx",
      version: VERSION,
      description: SENTENCE,
      license: "Apache-2.0",
      keywords: ["opencode", "opencode-plugin", "loopx"],
      type: "module",
      main: "./index.js",
      exports: { ".": "./index.js", "./server": "./index.js" },
      files: ["index.js", "parts.js", "plugin.js", "README.md"],
    });
    expect(listBelow(at).toSorted()).toEqual(["package.json", ...manifest.files].toSorted());
  });
});

test.each([
  ["claude-code", "startup|resume", "exec loopx hook claude-code", {}],
  ["codex", "startup|resume", "exec loopx hook codex", { additionalContextLimit: 2500 }],
])("the hooks of %s are groups of handlers by event", (host, matcher, call, more) => {
  const command = expect.stringMatching(/command -v loopx /) as string;
  expect(jsonOf(`integrations/${host}/hooks/hooks.json`)).toEqual({
    hooks: {
      SessionStart: [{ matcher, hooks: [{ type: "command", command, timeout: 10 }] }],
      UserPromptSubmit: [
        { hooks: [{ type: "command", command: expect.stringContaining(call) as string, timeout: 10, ...more }] },
      ],
    },
  });
});

test.each(["claude-code", "codex"] as const)(
  "the skills of %s are the installer's, but for what a plugin adds",
  (host) => {
    const request = { ...REQUEST, version: VERSION, shellProgram: "loopx" };
    const installed = planInstallation(host, request, "skills").filter((target) => target.kind === "file");
    expect(installed.length).toBeGreaterThan(0);
    for (const { place, text } of installed) {
      const path = `integrations/${host}/${place.path}`;
      expect(findManagedMarker(textOf(path))).toEqual({ version: VERSION, isEdited: false });
      expect(toLines(textOf(path))).toEqual(toLines(text));
    }
  },
);

test.each([
  ["integrations/claude-code/skills/loopx-pr-review/SKILL.md", "   `<surface>` is `claude-code` in Claude Code."],
  ["integrations/codex/skills/loopx-pr-review/SKILL.md", /^ {3}`<surface>` is one of [^;]+ in Codex\. If you can't/],
] as const)(
  "the command in %s names its own host only, its name in menus, and what to do without the program",
  (path, surface) => {
    const lines = textOf(path).split("\n");
    expect(lines.find((line) => line.includes("`<surface>` is"))).toMatch(surface);
    expect(lines).toContain(
      "   Menus show this command as `loopx:loopx-pr-review`; to LoopX it is `/loopx-pr-review`, as above.",
    );
    expect(lines).toContain(
      "   Does the shell not find `loopx`? Show the user `npm install --global --allow-scripts=better-sqlite3 loopx` and stop.",
    );
  },
);

/** Without the marker, the plugin's two lines, and the line that names each host which reads the file. */
function toLines(text: string): readonly string[] {
  const ownLines = /^<!-- loopx-managed|^ {3}(?:Menus show this command as|Does the shell not find|`<surface>` is)/;
  return text.split("\n").filter((line) => !ownLines.test(line) && !line.startsWith("# loopx-managed"));
}

test("no generated file knows a path of the machine that made it", () => {
  for (const [path, text] of FILES) expect(text, path).not.toMatch(/\/(?:home|root|tmp|usr|opt|Users)\//);
});
