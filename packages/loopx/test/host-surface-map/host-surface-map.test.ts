import { describe, expect, test } from "vitest";
import { listCommands } from "../../src/command-table/command-table.ts";
import { scanBoundary } from "../../src/host-surface-map/boundary-claims.ts";
import { listLifecycleReads, listWriteCapabilities } from "../../src/host-surface-map/host-capabilities.ts";
import { listOfferedCommands } from "../../src/mcp/offered-commands.ts";

describe("the capabilities of a map", () => {
  test("are every command that writes, each once: with a tool, or on the command line only", () => {
    const { withTool, cliOnly } = listWriteCapabilities();
    const listed = [...withTool, ...cliOnly].flatMap(({ commands }) => commands);
    const writes = listCommands().filter(({ spec, name }) => spec.authority !== "read" && name !== "mcp");
    expect(listed.toSorted()).toEqual(writes.map(({ name }) => name).toSorted());
    const tools = new Set<string>(listOfferedCommands(false).map(({ name }) => name));
    expect(withTool.flatMap(({ commands }) => commands).filter((name) => !tools.has(name))).toEqual([]);
    expect(cliOnly.flatMap(({ commands }) => commands)).toContain("gate decide");
  });

  test("name the reads of a turn for this goal and lane, and leave unknown ones to their reader", () => {
    const known = listLifecycleReads("g-1", "a-1").map(({ cli }) => cli);
    expect(known).toContain("loopx quota should-run --goal-id=g-1 --agent-id=a-1");
    expect(listLifecycleReads(null, null).find(({ read }) => read === "decision")).toEqual({
      read: "decision",
      cli: "loopx quota should-run '--goal-id=<goal-id>' '--agent-id=<agent-id>'",
      tool: "quota_should_run",
    });
  });
});

describe("what a map claims not to carry", () => {
  const NOTHING = {
    raw_transcripts_copied: false,
    credentials_copied: false,
    private_paths_copied: false,
    remote_bind_default: false,
  };

  test("is what was found in it", () => {
    expect(scanBoundary({ goal_id: "g-1" }, ["127.0.0.1", "::1"])).toEqual(NOTHING);
    const token = `ghp_${"a1B2".repeat(9)}`;
    expect(scanBoundary({ goal_id: token }, [])).toEqual({ ...NOTHING, credentials_copied: true });
    expect(scanBoundary({ reads: [{ cli: "loopx status --project=/home/someone/work" }] }, [])).toEqual({
      ...NOTHING,
      private_paths_copied: true,
    });
    expect(scanBoundary({ transcript: ["hello"] }, [])).toEqual({ ...NOTHING, raw_transcripts_copied: true });
    expect(scanBoundary({}, ["0.0.0.0"])).toEqual({ ...NOTHING, remote_bind_default: true });
  });
});
