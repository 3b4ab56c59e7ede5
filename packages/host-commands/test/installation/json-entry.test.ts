import * as fc from "fast-check";
import { parse, type ParseError } from "jsonc-parser";
import { describe, expect, test } from "vitest";
import { readJsonEntry, withJsonEntry, withoutJsonEntry } from "../../src/installation/json-entry.ts";
import { entryOf } from "./sample-entries.ts";
import { settingsWith, writtenDown } from "./random-settings.ts";

const CASES = [
  ["Claude Code's hook", entryOf("claude-code", "hook")],
  ["Codex's hook", entryOf("codex", "hook")],
  ["Cursor's hook", entryOf("cursor", "hook")],
  ["Gemini's hook", entryOf("gemini", "hook")],
  ["Cursor's MCP entry", entryOf("cursor", "mcp_entry")],
  ["OpenCode's MCP entry", entryOf("opencode", "mcp_entry")],
] as const;

function parseLeniently(text: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(text.replace(/^\uFEFF/, ""), errors, { allowTrailingComma: true });
  expect(errors).toEqual([]);
  return value;
}

describe.each(CASES)("%s", (_name, entry) => {
  const files = writtenDown(settingsWith(entry.path, entry.name === undefined));

  test("goes into a user's file and out again, and the file is byte for byte what it was", () => {
    fc.assert(
      fc.property(files, (file) => {
        const installed = withJsonEntry(file, entry);
        expect(readJsonEntry(installed, entry)).toEqual({ kind: "current" });
        expect(withoutJsonEntry(installed, entry)).toBe(file);
      }),
      { numRuns: 300 },
    );
  });

  test("is put in once: a second time changes nothing", () => {
    fc.assert(
      fc.property(files, (file) => {
        const installed = withJsonEntry(file, entry);
        expect(withJsonEntry(installed, entry)).toBe(installed);
      }),
    );
  });

  test("adds to what the file says and takes nothing from it", () => {
    fc.assert(
      fc.property(files, (file) => {
        const installed = withJsonEntry(file, entry);
        const [first, last] = splitAt(installed, file);
        expect(first + last).toBe(file);
        parseLeniently(installed);
      }),
    );
  });

  test("is the whole of a file that was not there, and then the file goes with it", () => {
    const created = withJsonEntry(undefined, entry);
    expect(() => JSON.parse(created) as unknown).not.toThrow();
    expect(withoutJsonEntry(created, entry)).toBeUndefined();
  });

  test("of another installation is brought up to date where it stands, and still comes out whole", () => {
    const older = entryOfOther(entry);
    fc.assert(
      fc.property(files, (file) => {
        const installed = withJsonEntry(file, older);
        expect(readJsonEntry(installed, entry)).toEqual({ kind: "stale" });
        const renewed = withJsonEntry(installed, entry);
        expect(readJsonEntry(renewed, entry)).toEqual({ kind: "current" });
        expect(withoutJsonEntry(renewed, entry)).toBe(file);
      }),
    );
  });
});

/** The parts of a text before and behind what was put into it. */
function splitAt(longer: string, shorter: string): readonly [string, string] {
  let at = 0;
  while (at < shorter.length && longer[at] === shorter[at]) at += 1;
  return [shorter.slice(0, at), longer.slice(longer.length - (shorter.length - at))];
}

function entryOfOther(entry: (typeof CASES)[number][1]): (typeof CASES)[number][1] {
  const text = JSON.stringify(entry.runner).replaceAll("/opt/loopx", "/usr/lib/node_modules/loopx");
  return { ...entry, runner: JSON.parse(text) as typeof entry.runner };
}

test("two entries of one file come out in the opposite order, and leave no trace either", () => {
  const hook = entryOf("gemini", "hook");
  const server = entryOf("gemini", "mcp_entry");
  const files = fc.oneof(
    writtenDown(settingsWith(hook.path, true)),
    writtenDown(settingsWith(server.path, false)),
    fc.constant(undefined),
  );
  fc.assert(
    fc.property(files, (file) => {
      const installed = withJsonEntry(withJsonEntry(file, hook), server);
      const rest = withoutJsonEntry(installed, server);
      expect(rest === undefined ? undefined : withoutJsonEntry(rest, hook)).toBe(file);
    }),
  );
});

describe("a user's settings", () => {
  const hook = entryOf("claude-code", "hook");

  test.each([
    ["", "invalid_json"],
    ["{", "invalid_json"],
    ['{"a":1} x', "invalid_json"],
    ["[]", "invalid_json"],
    ["[".repeat(200_000), "invalid_json"],
    ['{"hooks":[]}', "unexpected_shape"],
    ['{"hooks":{"UserPromptSubmit":{}}}', "unexpected_shape"],
    ['{"hooks":null}', "unexpected_shape"],
    ['{"hooks":{},"hooks":{}}', "unexpected_shape"],
  ])("that are not what the host documents are named and left: %.40s", (content, reason) => {
    expect(readJsonEntry(content, hook)).toEqual({ kind: "unusable", reason });
    expect(withJsonEntry(content, hook)).toBe(content);
    expect(withoutJsonEntry(content, hook)).toBe(content);
  });

  test("keep what a user tuned in our hook, and lose a second one of ours", () => {
    const tuned =
      '{"hooks":{"UserPromptSubmit":[{"hooks":[{"type":"command","command":"/old/loopx hook claude-code","timeout":60}]}]}}';
    const renewed = withJsonEntry(tuned, hook);
    expect(renewed).toContain('"timeout":60');
    expect(renewed).toContain("/opt/loopx/bin/loopx.cjs hook claude-code");
    const item = '{"hooks":[{"type":"command","command":"loopx hook claude-code"}]}';
    const twice = `{"hooks":{"UserPromptSubmit":[${item},${item}]}}`;
    expect(readJsonEntry(twice, hook)).toEqual({ kind: "stale" });
    expect(withJsonEntry(twice, hook).match(/hook claude-code/g)).toHaveLength(1);
  });

  test("keep hooks of other programs beside ours, in the same group too", () => {
    const shared =
      '{"hooks":{"UserPromptSubmit":[{"matcher":"","hooks":[{"type":"command","command":"lint"},{"type":"command","command":"loopx hook claude-code"}]}]}}';
    expect(withoutJsonEntry(shared, hook)).toBe(
      '{"hooks":{"UserPromptSubmit":[{"matcher":"","hooks":[{"type":"command","command":"lint"}]}]}}',
    );
    const own = '{"hooks":{"UserPromptSubmit":[{"hooks":[{"type":"command","command":"loopx hook codex"}]}]}}';
    expect(readJsonEntry(own, hook)).toEqual({ kind: "absent" });
  });

  test("keep an MCP server of that name that runs something else", () => {
    const server = entryOf("cursor", "mcp_entry");
    for (const foreign of ['{"mcpServers":{"loopx":{"url":"https://example.org"}}}', '{"mcpServers":{"loopx":true}}']) {
      expect(readJsonEntry(foreign, server)).toEqual({ kind: "foreign" });
      expect(withJsonEntry(foreign, server)).toBe(foreign);
      expect(withoutJsonEntry(foreign, server)).toBe(foreign);
    }
  });

  test("of a newer OpenCode get the entry where that keeps its servers, unless a server has that name", () => {
    const server = entryOf("opencode", "mcp_entry");
    const newer = '{"mcp":{"servers":{"docs":{"type":"local","command":["docs"]}}}}';
    expect(JSON.parse(withJsonEntry(newer, server))).toHaveProperty("mcp.servers.loopx.type", "local");
    expect(withoutJsonEntry(withJsonEntry(newer, server), server)).toBe(newer);
    const older = '{"mcp":{"servers":{"type":"local","command":["servers"]}}}';
    expect(JSON.parse(withJsonEntry(older, server))).toHaveProperty("mcp.loopx.type", "local");
  });

  test("that the host rewrote give our hook up again, wherever it stands by then", () => {
    const rewritten = JSON.stringify(
      {
        model: "x",
        hooks: { Stop: [], UserPromptSubmit: [{ hooks: [{ command: "lint" }] }, { hooks: [hook.runner] }] },
      },
      null,
      2,
    );
    expect(JSON.parse(withoutJsonEntry(rewritten, hook) ?? "")).toEqual({
      model: "x",
      hooks: { Stop: [], UserPromptSubmit: [{ hooks: [{ command: "lint" }] }] },
    });
  });

  test("keep a comment behind a bracket there, and the indentation and line ends they have", () => {
    const file = '{ // mine\r\n\t"model": "x"\r\n}';
    const value = JSON.stringify({ UserPromptSubmit: [{ hooks: [hook.runner] }] });
    expect(withJsonEntry(file, hook)).toBe(`{ // mine\r\n\t"hooks": ${value},\r\n\t"model": "x"\r\n}`);
  });

  test("name the exact Codex surface that was chosen before, until another is chosen", () => {
    const exact = withJsonEntry("{}", entryOf("codex", "hook", { codexSurface: "codex-app" }));
    const moved = entryOf("codex", "hook", { argv: ["/new/node", "/new/loopx.cjs"] });
    expect(readJsonEntry(exact, entryOf("codex", "hook"))).toEqual({ kind: "current" });
    expect(withJsonEntry(exact, moved)).toContain("/new/loopx.cjs hook codex --host-surface=codex-app");
    const other = entryOf("codex", "hook", { codexSurface: "codex-cli-tui" });
    expect(withJsonEntry(exact, other)).toContain("--host-surface=codex-cli-tui");
  });
});
