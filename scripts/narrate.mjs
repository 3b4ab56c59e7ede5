// How the demo shows what it does: a sentence, the command as it is typed, and what it printed.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./prepare-checkout.mjs";

/** The built program. */
export const cli = join(root, "packages", "loopx", "bin", "loopx.cjs");
const isColoured = process.stdout.isTTY && !process.env.NO_COLOR;
const bold = (text) => (isColoured ? `\u001b[1m${text}\u001b[22m` : text);
const dim = (text) => (isColoured ? `\u001b[2m${text}\u001b[22m` : text);

/** Runs one command in the world's folder, shows it with its output, and gives what it wrote on stdout. */
export function loopx(world, args, expected = 0) {
  show(args);
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    cwd: world.project,
    env: isColoured ? { ...world.env, FORCE_COLOR: "1" } : world.env,
    encoding: "utf8",
    input: "",
  });
  // What is noted on the way comes before the answer, as at a terminal.
  process.stdout.write(indent(stderr + stdout));
  if (status !== expected) throw new Error(`a command ended with ${status}, not ${expected}`);
  return stdout;
}

/** Runs one command at a pseudo-terminal, as an owner would. */
export async function atTerminal(world, args) {
  show(args);
  const { spawn } = await import("@lydell/node-pty");
  const env = isColoured ? world.env : { ...world.env, NO_COLOR: "1" };
  const terminal = spawn(process.execPath, [cli, ...args], { cwd: world.project, env, cols: 100, rows: 30 });
  let output = "";
  terminal.onData((chunk) => (output += chunk));
  const exitCode = await new Promise((done) => terminal.onExit((exit) => done(exit.exitCode)));
  process.stdout.write(indent(output.replaceAll("\r\n", "\n")));
  if (exitCode !== 0) throw new Error(`the owner's command ended with ${exitCode}`);
}

export function find(output, pattern) {
  // eslint-disable-next-line no-control-regex -- colours are switched on for a terminal
  const match = pattern.exec(output.replaceAll(/\u001b\[\d+m/g, ""));
  if (match === null) throw new Error("a command did not print what it should");
  return match[1];
}

export function say(text) {
  process.stdout.write(`\n${bold(text)}\n`);
}

function show(args) {
  process.stdout.write(`\n  ${dim("$")} loopx ${args.map(shown).join(" ")}\n`);
}

export function shown(word) {
  return /^[\w./:=@,+-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function indent(text) {
  return text.replaceAll(/^(?=.)/gm, "  │ ");
}
