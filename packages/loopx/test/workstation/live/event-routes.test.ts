import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Hono } from "hono";
import { expect, test } from "vitest";
import { startChangeFeed } from "../../../src/workstation/live/change-feed.ts";
import { addEventRoutes } from "../../../src/workstation/live/event-routes.ts";

test("who asks for the head of the stream alone is told of nothing, so nothing is kept for it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "loopx-events-"));
  const changes = await startChangeFeed({
    listProjects: () => Promise.resolve([]),
    openOnServer: () => Promise.reject(new Error("no project is on a server")),
    registryPath: join(folder, "home.db"),
    nowMs: Date.now,
  });
  const ends = new Set<() => void>();
  const onStop = (end: () => void): (() => void) => {
    ends.add(end);
    return () => void ends.delete(end);
  };
  const app = new Hono();
  addEventRoutes(app, { changes, onStop, serverId: "workstation_1" });
  const head = await app.request("/api/events", { method: "HEAD" });
  expect([head.status, head.headers.get("content-type"), await head.text()]).toEqual([200, "text/event-stream", ""]);
  expect(ends.size).toBe(0);
  const gone = new AbortController();
  await app.request("/api/events", { signal: gone.signal });
  expect(ends.size).toBe(1);
  gone.abort();
  expect(ends.size).toBe(0);
  changes.stop();
  rmSync(folder, { recursive: true });
});
