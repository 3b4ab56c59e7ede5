// The middle of the demo: what one Codex session decided, recalled for another one by its deep link.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { atTerminal, loopx, say } from "./narrate.mjs";

const EARLIER = "019e8951-3e7d-7343-a3e3-05bff48a317d";
const CURRENT = "019e8a02-11aa-7c3e-9d10-6a51c2f0b7de";

/** Needs the goal of the part before; changes nothing of it. */
export async function tellRecall(world, { goal, agent }) {
  writeSession(world, EARLIER, [
    ["user_message", "Which characters may end a field? A customer sends semicolons."],
    ["agent_message", "I would take the delimiter from the header line and accept comma, semicolon and tab."],
    ["user_message", "No: only comma and semicolon. Tabs stand inside of fields there."],
    ["agent_message", "Agreed. The delimiter is comma or semicolon, read from the header line; a tab is data."],
  ]);
  writeSession(world, CURRENT, [["user_message", "Write down which delimiter the importer takes."]]);
  say(
    "8. Another question: what did we already say and decide? A past session is asked by an extension; an owner takes one into use.",
  );
  await atTerminal(world, ["extension", "install", "--bundled=session-history", "--execute"]);
  say("   A private profile says which agent may recall, and by what. Without one nothing is asked.");
  const lane = [`--goal-id=${goal}`, `--agent-id=${agent}`];
  const profile = "../home/decisions.json";
  loopx(world, ["decision-context", "init-profile", ...lane, `--output=${profile}`, "--execute"]);
  say("   A second Codex session recalls by the deep link of the first: advice, fenced, kept nowhere.");
  const current = { ...world, env: { ...world.env, CODEX_THREAD_ID: CURRENT } };
  const recall = ["decision-context", "recall-context", ...lane, `--profile=${profile}`, "--max-results=2"];
  loopx(current, [...recall, `--thread-link=codex://threads/${EARLIER}`, "--query=delimiter comma or semicolon"]);
}

/** As Codex keeps it. */
function writeSession({ env }, id, messages) {
  const folder = join(env.HOME, ".codex", "sessions", "2026", "11", "29");
  mkdirSync(folder, { recursive: true });
  const records = [
    { type: "session_meta", payload: { id, timestamp: "2026-11-29T10:00:00Z", originator: "codex_cli_rs" } },
    ...messages.map(([type, message]) => ({ type: "event_msg", payload: { type, message } })),
  ];
  const lines = records.map((record, at) =>
    JSON.stringify({ timestamp: `2026-11-29T10:00:${String(at).padStart(2, "0")}Z`, ...record }),
  );
  writeFileSync(join(folder, `rollout-2026-11-29T10-00-00-${id}.jsonl`), `${lines.join("\n")}\n`);
}
