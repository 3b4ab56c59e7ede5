// Made-up session histories of any size, the same bytes each time: as hosts write them, most of it output of tools.
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";

const SYLLABLES = "ka lo mi ren ta su vel or an dex pi tor zu ne ba qui shen mar".split(" ");
const WORDS = Array.from({ length: 4000 }, (_, at) =>
  [at % 18, (at * 7) % 18, Math.floor(at / 18) % 18].map((place) => SYLLABLES[place]).join(""),
);

/** Small numbers that look random and are the same in each run. */
export function createDraw(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function makeText(draw, length) {
  let text = "";
  // Rare words are rare: the smaller of two draws twice.
  while (text.length < length) text += `${WORDS[Math.min(draw(4000), draw(4000), draw(4000))]} `;
  return text;
}

const toLine = (value) => `${JSON.stringify(value)}\n`;

/** Writes one session of about `bytes`; `planted` stands in its middle. Gives the number of bytes. */
export function writeSession(home, { host, sessionId, bytes, planted, tools = 6, seed = 1 }) {
  const path = join(home, pathOf(host, sessionId));
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, "w");
  const render = host === "codex" ? renderCodex(sessionId) : renderClaude(sessionId);
  const draw = createDraw(seed);
  let written = writeSync(file, render.head());
  let isPlanted = planted === undefined;
  while (written < bytes) {
    if (!isPlanted && written > bytes / 2) {
      written += writeSync(file, render.message("assistant", planted));
      isPlanted = true;
    }
    let turn = render.message("user", makeText(draw, 100 + draw(300)));
    for (let call = 0; call < tools; call += 1) turn += render.tool(makeText(draw, 500 + draw(30_000)));
    written += writeSync(file, turn + render.message("assistant", makeText(draw, 300 + draw(1500))));
  }
  closeSync(file);
  return written;
}

/** Writes a session of given messages in their order, each with `between` made-up ones before it. */
export function writeMessages(home, { host, sessionId, messages, between, draw }) {
  const path = join(home, pathOf(host, sessionId));
  mkdirSync(dirname(path), { recursive: true });
  const render = host === "codex" ? renderCodex(sessionId) : renderClaude(sessionId);
  const talk = () => render.message(draw(2) === 0 ? "user" : "assistant", makeTalk(draw));
  const parts = messages.flatMap((text) => [
    ...Array.from({ length: between }, talk),
    render.message("assistant", text),
  ]);
  writeFileSync(path, render.head() + parts.join(""));
}

/** Talk of the same trade as the answers, so that common words don't give them away. */
const TRADE =
  "the a we to of in is for and that it with be on was do does how what when who where why which are not can should after before never only database session error test request customer user change release table file job retry key limit branch report list review price queue secret font search draft worker list clock time day week month read write run stop start keep use call store need own agree decide allow support break fail open close".split(
    " ",
  );

function makeTalk(draw) {
  const words = Array.from({ length: 12 + draw(40) }, () =>
    draw(5) === 0 ? WORDS[draw(4000)] : TRADE[draw(TRADE.length)],
  );
  return `${words.join(" ")}.`;
}

function pathOf(host, sessionId) {
  return host === "codex"
    ? `.codex/sessions/2026/11/29/rollout-2026-11-29T10-00-00-${sessionId}.jsonl`
    : `.claude/projects/-tmp-proj/${sessionId}.jsonl`;
}

function renderCodex(id) {
  const timestamp = "2026-11-29T10:00:00.000Z";
  const line = (type, payload) => toLine({ timestamp, type, payload });
  return {
    head: () => line("session_meta", { id, timestamp, cwd: "/tmp/proj", source: "cli" }),
    message: (role, text) =>
      line("response_item", {
        type: "message",
        role,
        content: [{ type: role === "user" ? "input_text" : "output_text", text }],
      }) + line("event_msg", { type: role === "user" ? "user_message" : "agent_message", message: text }),
    tool: (output) =>
      line("response_item", {
        type: "function_call",
        name: "shell",
        arguments: '{"command":["rg","x"]}',
        call_id: "c",
      }) +
      line("response_item", { type: "function_call_output", call_id: "c", output: JSON.stringify({ output }) }) +
      line("event_msg", { type: "token_count", info: { total: 1 } }),
  };
}

function renderClaude(sessionId) {
  let count = 0;
  const line = (type, message, extra = {}) => {
    count += 1;
    return toLine({
      parentUuid: count === 1 ? null : `00000000-0000-4000-8000-${String(count - 1).padStart(12, "0")}`,
      isSidechain: false,
      sessionId,
      type,
      message,
      uuid: `00000000-0000-4000-8000-${String(count).padStart(12, "0")}`,
      timestamp: "2026-11-29T10:00:00.000Z",
      ...extra,
    });
  };
  return {
    head: () => "",
    message: (role, text) => line(role, { role, content: [{ type: "text", text }] }),
    tool: (output) =>
      line("assistant", { role: "assistant", content: [{ type: "tool_use", id: "t", name: "Bash", input: {} }] }) +
      line("user", { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: output }] }),
  };
}
