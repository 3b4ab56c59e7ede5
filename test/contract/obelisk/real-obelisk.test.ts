import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { createObeliskHome, THREAD } from "./obelisk-world.ts";

/** Obelisk is no dependency: where somebody has it on PATH (and a Node it runs on), the same is asked of the real one. */
const hasObelisk = spawnSync("obelisk", ["--version"], { stdio: "ignore" }).status === 0;

test.runIf(hasObelisk)("the real Obelisk answers as the fake one does", () => {
  const home = createObeliskHome();
  try {
    const folder = join(home.folder, ".codex", "sessions", "2026", "11", "29");
    mkdirSync(folder, { recursive: true });
    const timestamp = "2026-11-29T10:00:00.000Z";
    const lines = [
      { timestamp, type: "session_meta", payload: { id: THREAD, timestamp, cwd: "/tmp/proj", source: "cli" } },
      { timestamp, type: "event_msg", payload: { type: "user_message", message: "Should it stay a pilot?" } },
      { timestamp, type: "event_msg", payload: { type: "agent_message", message: "Yes: keep a bounded pilot." } },
    ];
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
    writeFileSync(join(folder, `rollout-2026-11-29T10-00-00-${THREAD}.jsonl`), text);
    const environment = { PATH: [process.env["PATH"], dirname(process.execPath)].join(delimiter) };
    const { response, items } = home.retrieve({ timeout_seconds: 60 }, { environment });
    expect(response).toMatchObject({ status: "completed" });
    expect(items.map(({ content }) => content)).toContain("Yes: keep a bounded pilot.");
  } finally {
    home.remove();
  }
});
