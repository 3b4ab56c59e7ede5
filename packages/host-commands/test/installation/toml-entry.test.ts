import * as fc from "fast-check";
import { parse, stringify } from "smol-toml";
import { describe, expect, test } from "vitest";
import { readTomlEntry, withoutTomlEntry, withTomlEntry } from "../../src/installation/toml-entry.ts";
import { entryOf } from "./sample-entries.ts";

const server = entryOf("codex", "mcp_entry");

const USER_FILE = `# my Codex
model = "gpt-5.9"   # fast

[mcp_servers.docs]
command = "docs-mcp"
args = [ "--port", "1" ]

[profiles."a b"]
notify = ["bash", "-c", '''echo "# loopx-managed" ''']`;

/** TOML files of users: some tables, line ends of either kind, with and without a last newline. */
const files = fc
  .tuple(
    fc.dictionary(fc.constantFrom("model", "notify"), fc.string({ unit: "grapheme", maxLength: 6 })),
    fc.dictionary(fc.constantFrom("docs", "日本 x"), fc.record({ command: fc.string({ maxLength: 6 }) })),
    fc.constantFrom("", "\n", "\n# end", "\n\n"),
    fc.boolean(),
  )
  .map(([top, servers, end, isCrlf]) => {
    const text = `${stringify({ ...top, mcp_servers: servers }).trimEnd()}${end}`;
    return isCrlf ? text.replaceAll("\n", "\r\n") : text;
  });

describe("an entry in a TOML file", () => {
  test("is what its parser reads, beside all that was there", () => {
    const installed = withTomlEntry(USER_FILE, server);
    expect(installed.startsWith(USER_FILE)).toBe(true);
    expect(parse(installed)).toMatchObject({
      model: "gpt-5.9",
      mcp_servers: {
        docs: { command: "docs-mcp" },
        loopx: { command: "/opt/node 20/bin/node", args: ["/opt/loopx/bin/loopx.cjs", "mcp"] },
      },
    });
  });

  test("goes in and out again, and the file is byte for byte what it was", () => {
    fc.assert(
      fc.property(fc.oneof(files, fc.constant(USER_FILE), fc.constant("")), (file) => {
        const installed = withTomlEntry(file, server);
        expect(readTomlEntry(installed, server)).toEqual({ kind: "current" });
        expect(withTomlEntry(installed, server)).toBe(installed);
        expect(withoutTomlEntry(installed, server)).toBe(file);
      }),
    );
  });

  test("is the whole of a file that was not there, and then the file goes with it", () => {
    expect(withoutTomlEntry(withTomlEntry(undefined, server), server)).toBeUndefined();
  });

  test("is renewed in its place, with the keys that a user added to it", () => {
    const moved = entryOf("codex", "mcp_entry", { argv: ["/new/node", "/new/loopx.cjs"] });
    const tuned = withTomlEntry(USER_FILE, server).replace(
      "[mcp_servers.loopx]",
      "[mcp_servers.loopx]\nenabled = false",
    );
    expect(readTomlEntry(tuned, server)).toEqual({ kind: "current" });
    expect(readTomlEntry(tuned, moved)).toEqual({ kind: "stale" });
    const renewed = withTomlEntry(`${tuned}\n[later]\nx = 1\n`, moved);
    expect(parse(renewed)).toMatchObject({
      mcp_servers: { loopx: { enabled: false, command: "/new/node" } },
      later: { x: 1 },
    });
    expect(withoutTomlEntry(renewed, moved)).toBe(`${USER_FILE}\n[later]\nx = 1\n`.replace("\n\n[later]", "\n[later]"));
  });

  test.each([
    ["model = ", "unusable"],
    ['mcp_servers = { docs = { command = "x" } }', "unusable"],
    ["mcp_servers = 1", "unusable"],
    ['[mcp_servers.loopx]\ncommand = "something else"', "foreign"],
    ['[mcp_servers]\nloopx = "x"', "unusable"],
  ])("leaves a file that is broken, of another shape or has one of the user's: %.40s", (content, kind) => {
    expect(readTomlEntry(content, server)).toMatchObject({ kind });
    expect(withTomlEntry(content, server)).toBe(content);
    expect(withoutTomlEntry(content, server)).toBe(content);
  });

  test("stays where a table of the user's belongs to it", () => {
    const used = `${withTomlEntry(USER_FILE, server)}[mcp_servers.loopx.env]\nLOOPX_HOME = "x"\n`;
    expect(withoutTomlEntry(used, server)).toBe(used);
  });
});
