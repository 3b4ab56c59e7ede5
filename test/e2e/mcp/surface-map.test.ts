import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createWorld, type World } from "../../support/cli-world.ts";
import { openMcpSession } from "../../support/mcp-session.ts";
import { findRefusedCommands } from "../../support/printed-commands.ts";
import { readField } from "../../support/read-field.ts";
import { verifies } from "../../support/verifies.ts";

const MAP = ["status", "--host-surface-map"];
const NOTHING_COPIED = {
  raw_transcripts_copied: false,
  credentials_copied: false,
  private_paths_copied: false,
  remote_bind_default: false,
};

let world: World;

beforeEach(() => {
  world = createWorld();
  onTestFinished(() => world.remove());
});

async function connect(): Promise<void> {
  await world.call(["bootstrap", "--objective=Ship the importer", "--goal-id=importer-goal"]);
  await world.call(["register-agent", "--goal-id=importer-goal", "--agent-id=codex-main", "--execute"]);
}

describe("the map of a host's surface", () => {
  test("names reads and writes that exist, for the goal that is meant, within a status page's bytes", async () => {
    verifies("surface.map");
    await connect();
    const map = await world.call([...MAP, "--agent-id=codex-main"]);
    expect(map).toMatchObject({
      schema_version: "host_integration_surface_v0",
      goal_id: "importer-goal",
      agent_id: "codex-main",
      host_kind: "unknown",
      activation: { mode: "thin_hook", visible_surface_required: null },
      projection_inputs: [
        { input: "project_store", state: "readable" },
        { input: "home_registry", state: "readable" },
      ],
      boundary: NOTHING_COPIED,
    });
    expect(findRefusedCommands(map)).toEqual([]);
    expect(JSON.stringify(map).length).toBeLessThan(4096);
    expect(JSON.stringify(map)).not.toContain(world.directory);
  });

  test("is the same through its tool, and each tool it names is offered", async () => {
    verifies("surface.map", "surface.same-rules");
    await connect();
    const session = await openMcpSession(world, { env: { CLAUDECODE: "1" } });
    const map = await session.done("status", { host_surface_map: true });
    expect(map).toEqual(await world.call(MAP, { env: { CLAUDECODE: "1" } }));
    expect(map).toMatchObject({ host_kind: "claude-code", activation: { visible_surface_required: false } });
    const names = (await session.client.listTools()).tools.map(({ name }) => name);
    await session.close();
    const reads = readField(map, "lifecycle_reads") as readonly { readonly tool: string }[];
    expect(reads.map(({ tool }) => tool).filter((tool) => !names.includes(tool))).toEqual([]);
    const writes = readField(map, "write_capabilities") as readonly { readonly commands: readonly string[] }[];
    const tools = writes.flatMap(({ commands }) => commands).map((command) => command.replaceAll(/[ -]/g, "_"));
    expect(tools.filter((tool) => !names.includes(tool))).toEqual([]);
  });

  test("says what could not be read, and refuses a goal or lane that is not there", async () => {
    verifies("surface.map");
    expect(await world.call(MAP)).toMatchObject({
      goal_id: null,
      projection_inputs: [{ state: "project_not_connected" }, { state: "absent" }],
    });
    await connect();
    expect(await world.run([...MAP, "--goal-id=other-goal"])).toMatchObject({
      json: { error: { code: "unknown_goal" } },
    });
    expect(await world.run([...MAP, "--agent-id=nobody"])).toMatchObject({
      json: { error: { code: "unknown_agent" } },
    });
    writeFileSync(join(world.project, ".loopx", "state.db"), "no database");
    writeFileSync(join(world.loopxHome, "home.db"), "no database");
    expect(await world.call(MAP)).toMatchObject({
      goal_id: null,
      projection_inputs: [{ state: "store_corrupt" }, { state: "store_corrupt" }],
    });
  });

  test("says whether the commands it names can be run by their name", async () => {
    const available = async (env: Readonly<Record<string, string>>): Promise<unknown> =>
      readField(await world.call(MAP, { env }), "cli_fallback", "available");
    const bin = join(world.directory, "bin");
    mkdirSync(join(bin, "nested", "loopx"), { recursive: true });
    const program = join(bin, "loopx");
    writeFileSync(program, "#!/bin/sh\n");
    chmodSync(program, 0o644);
    expect(await available({ PATH: `:${join(bin, "nested")}:/no/such/folder` })).toBe(false);
    chmodSync(program, 0o755);
    expect(await available({ PATH: `/no/such/folder:${bin}` })).toBe(true);
    expect(await available({ PATH: "" })).toBe(false);
  });
});
