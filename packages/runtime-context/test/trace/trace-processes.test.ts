import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseTraceQuery } from "../../src/trace/trace-query.ts";
import { describeOnEachEngine, postgresUrl } from "./trace-engines.ts";
import { createWorld } from "./trace-world.ts";

const repository = join(import.meta.dirname, "..", "..", "..", "..");
const directory = mkdtempSync(join(tmpdir(), "loopx-trace-writers-"));
const program = join(directory, "write-many-traces.mjs");

beforeAll(async () => {
  symlinkSync(join(repository, "node_modules"), join(directory, "node_modules"));
  await build({
    entryPoints: [join(import.meta.dirname, "write-many-traces.ts")],
    outfile: program,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    mainFields: ["module", "main"],
    external: ["better-sqlite3", "pg-native"],
    banner: {
      js: 'import { createRequire as toRequire } from "node:module"; const require = toRequire(import.meta.url);',
    },
    logLevel: "warning",
  });
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

describeOnEachEngine((engine) => {
  test("processes that write one store at once lose nothing and keep separate whole chains", async () => {
    const world = createWorld(engine);
    const url = engine === "postgres" ? postgresUrl() : "";
    const start = (writer: string) =>
      promisify(execFile)(process.execPath, [program, world.place, writer, "100"], {
        env: { ...process.env, STORE_URL: url },
      });
    const ended = await Promise.all(["writer-a", "writer-b"].map(start));
    for (const { stdout } of ended) {
      expect(JSON.parse(stdout)).toEqual({ storedCount: 100, pendingCount: 0, lostCount: 0, lastLossCode: null });
    }
    const store = await world.open({ writer: "reader" });
    const chain = { partition: "2026-11", keyId: "key_a", isRegistered: true, verdict: { ok: true, count: 100 } };
    expect(await store.verify()).toEqual([
      { writer: "writer-a", ...chain },
      { writer: "writer-b", ...chain },
    ]);
    const { traces } = await store.search(parseTraceQuery({ limit: "200" }));
    expect(new Set(traces.map(({ id }) => id)).size).toBe(200);
  });
});
