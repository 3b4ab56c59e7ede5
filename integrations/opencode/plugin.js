// loopx-managed:v1 version=0.1.0 digest=bfd926c9b690d936
import { spawn } from 'node:child_process';

const LOOPX = ["loopx"];
const OURS = /^\/loop(?:x(?:$|[-\s])|-global-)/;

function parse(message, sessionID, cwd) {
  const words = ["host-parse", "--format=json", "--host-surface=opencode", "--message=-"];
  if (sessionID) words.push("--thread-id=" + sessionID);
  return new Promise((resolve) => {
    const child = spawn(LOOPX[0], [...LOOPX.slice(1), ...words], { cwd, stdio: ["pipe", "pipe", "ignore"] });
    const timer = setTimeout(() => child.kill("SIGKILL"), 10_000);
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text) => (output += text));
    child.stdin.on("error", () => undefined);
    child.on("error", () => resolve(undefined));
    child.on("close", () => {
      clearTimeout(timer);
      try {
        resolve(JSON.parse(output));
      } catch {
        resolve(undefined);
      }
    });
    child.stdin.end(message);
  });
}

/** The handoff for a message of ours; undefined for any other. Throws what the user has to read. */
async function findHandoff(message, sessionID, cwd) {
  if (!OURS.test(message)) return undefined;
  const packet = await parse(message, sessionID, cwd);
  if (packet === undefined || packet.outcome === "ordinary_chat") return undefined;
  if (packet.ok !== true) {
    const hint = packet.error?.hint ?? packet.help_command;
    throw new Error((packet.error?.message ?? packet.message) + (hint ? "\nNext: " + hint : ""));
  }
  return (
    "LoopX read the user's message as a command. Follow this handoff and do not read the message as a command again; " +
    "it grants nothing that the LoopX CLI would ask about.\n" +
    JSON.stringify(packet)
  );
}

export const LoopxPlugin = async ({ directory }) => ({
  "command.execute.before": async (input, output) => {
    const message = "/" + input.command + (input.arguments ? " " + input.arguments : "");
    const text = await findHandoff(message, input.sessionID, directory);
    if (text !== undefined) output.parts.unshift({ type: "text", text });
  },
  "chat.message": async (input, output) => {
    const part = output.parts.find((each) => each.type === "text" && !each.synthetic);
    const text = part && (await findHandoff(part.text, input.sessionID, directory));
    if (text !== undefined) part.text = text + "\n\n" + part.text;
  },
});
