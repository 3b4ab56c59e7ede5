import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const PROGRAM = fileURLToPath(
  new URL("../../../packages/loopx/dist/extensions/session-history/provider.cjs", import.meta.url),
);
const ID = "019e8951-3e7d-7343-a3e3-05bff48a317d";
/** As root every folder can be read. */
const STRANGER = process.getuid?.() === 0 ? 54_321 : undefined;

let home: string;
let sessions: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "loopx-history-"));
  sessions = join(home, ".codex", "sessions");
  mkdirSync(sessions, { recursive: true });
  const payload = { id: ID, timestamp: "2026-11-29T10:00:00Z" };
  const lines = [
    { timestamp: "2026-11-29T10:00:00Z", type: "session_meta", payload },
    { timestamp: "2026-11-29T10:00:01Z", type: "event_msg", payload: { type: "user_message", message: "The pilot" } },
  ];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  writeFileSync(join(sessions, `rollout-2026-11-29T10-00-00-${ID}.jsonl`), text);
  if (STRANGER !== undefined) chownSync(home, STRANGER, STRANGER);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function run(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const request = {
    schema_version: "decision_context_advisory_retrieve_request_v0",
    operation: "retrieve",
    namespace: "peer-session",
    scope_ref: `host-session:codex:${ID}`,
    query: "pilot",
    query_summary: "peer task decision",
    max_results: 4,
    timeout_seconds: 10,
    observed_at: "2026-12-01T00:00:00Z",
  };
  return spawnSync(process.execPath, [PROGRAM, ...args], {
    input: JSON.stringify(request),
    env: { HOME: home, ...environment },
    encoding: "utf8",
    ...(STRANGER === undefined ? {} : { uid: STRANGER }),
  });
}

describe("the built session history", () => {
  test("answers with what stands in a home", () => {
    expect(run(["--doctor"]).status).toBe(0);
    const { status, stdout } = run([]);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      status: "completed",
      items: [{ summary: "Codex session, user message, 2026-11-29", content: "The pilot" }],
    });
  });

  test("says that sessions can't be read, which is not the same as that there is none", () => {
    chmodSync(sessions, 0);
    expect(run(["--doctor"]).status).toBe(1);
    expect(JSON.parse(run([]).stdout)).toMatchObject({ status: "unavailable", reason_code: "session_unreadable" });
    chmodSync(sessions, 0o755);
    chmodSync(join(sessions, `rollout-2026-11-29T10-00-00-${ID}.jsonl`), 0);
    expect(JSON.parse(run([]).stdout)).toMatchObject({ status: "unavailable", reason_code: "session_unreadable" });
  });

  test("a host that was never used here is no fault, and says so when it is asked", () => {
    const environment = { CODEX_HOME: join(home, "nowhere") };
    expect(run(["--doctor"], environment).status).toBe(0);
    expect(JSON.parse(run([], environment).stdout)).toMatchObject({ reason_code: "session_store_missing" });
  });
});
