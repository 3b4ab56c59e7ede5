import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseTraceQuery } from "../../src/trace/trace-query.ts";
import { openTraceStore } from "../../src/trace/trace-store.ts";
import { NOW } from "../kernel/support-desk.ts";
import { createRing } from "./sample-trace.ts";

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
    external: ["better-sqlite3"],
    logLevel: "warning",
  });
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

test("processes that write one store at once lose nothing and keep separate whole chains", async () => {
  const path = join(directory, "traces.db");
  const start = (writer: string) => promisify(execFile)(process.execPath, [program, path, writer, "100"]);
  const ended = await Promise.all(["writer-a", "writer-b"].map(start));
  for (const { stdout } of ended) {
    expect(JSON.parse(stdout)).toEqual({ storedCount: 100, pendingCount: 0, lostCount: 0, lastLossCode: null });
  }
  const store = await openTraceStore({
    path,
    writer: "reader",
    ring: createRing(),
    audit: "best_effort",
    now: () => NOW,
  });
  try {
    const chain = { partition: "2026-11", keyId: "key_a", isRegistered: true, verdict: { ok: true, count: 100 } };
    expect(await store.verify()).toEqual([
      { writer: "writer-a", ...chain },
      { writer: "writer-b", ...chain },
    ]);
    const { traces } = await store.search(parseTraceQuery({ limit: "200" }));
    expect(new Set(traces.map(({ id }) => id)).size).toBe(200);
  } finally {
    await store.close();
  }
});
