// Packs the published package and installs it into temporary prefixes: on this Node and on Node 24, the latter also with
// install scripts blocked. A package that cannot open its store fails here, not at a user's.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installNewerNode, NEWER_NODE } from "./newer-node.mjs";
import { root, say } from "./prepare-checkout.mjs";

const place = mkdtempSync(join(tmpdir(), "loopx-pack-"));
try {
  const tarball = pack();
  run("npx", ["--no-install", "publint", "--strict", "packages/loopx"], { cwd: root });
  const here = install("here", tarball, []);
  drive(process.execPath, here, "node of this checkout");
  const newer = installNewerNode();
  const blocked = install("blocked", tarball, ["--ignore-scripts"]);
  drive(newer, blocked, `Node ${NEWER_NODE}, install scripts blocked`);
  drive(newer, here, `Node ${NEWER_NODE}`);
} finally {
  rmSync(place, { recursive: true, force: true });
}

function pack() {
  run("npm", ["pack", "--silent", "--workspace=loopx", `--pack-destination=${place}`], { cwd: root });
  const name = readdirSync(place).find((entry) => entry.endsWith(".tgz"));
  if (name === undefined) throw new Error("npm pack made no tarball");
  return join(place, name);
}

function install(name, tarball, flags) {
  const prefix = join(place, name);
  say(`installing the tarball into a temporary prefix${flags.length > 0 ? ` with ${flags.join(" ")}` : ""} …`);
  run("npm", [
    "install",
    "--global",
    "--no-audit",
    "--no-fund",
    "--allow-scripts=better-sqlite3",
    `--prefix=${prefix}`,
    ...flags,
    tarball,
  ]);
  return join(prefix, "lib", "node_modules", "loopx", "bin", "loopx.cjs");
}

/** A goal from its first command to its last, with the installed program. */
function drive(node, program, title) {
  const project = mkdtempSync(join(place, "project-"));
  const home = mkdtempSync(join(place, "home-"));
  run("git", ["init", "--quiet", "."], { cwd: project });
  const call = (...args) => {
    const kept = Object.entries(process.env).filter(
      ([key]) => !/^(CLAUDE|CODEX_|CURSOR_|GEMINI|OPENCODE|AI_AGENT|LOOPX_)/.test(key),
    );
    const env = { ...Object.fromEntries(kept), HOME: home };
    return JSON.parse(run(node, [program, "--format=json", ...args], { cwd: project, env }));
  };
  call("version");
  call("bootstrap", "--goal-id=pack-goal", "--objective=Check the package");
  const lane = ["--goal-id=pack-goal", "--agent-id=packer"];
  call("register-agent", ...lane, "--execute");
  call("todo", "add", ...lane, "--text=Only todo");
  const asked = call("quota", "should-run", ...lane);
  const turn = `--turn=${asked.turn.turn_id}`;
  call("refresh-state", ...lane, turn, "--outcome=primary_outcome", "--evidence=done");
  call("todo", "complete", ...lane, turn, `--todo-id=${asked.todo.todo_id}`, "--no-follow-up");
  const spent = call("quota", "spend", ...lane, turn);
  if (spent.goal_status !== "completed") throw new Error(`${title}: the goal was not completed`);
  say(`${title}: a goal was driven to completion`);
}

function run(program, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: "utf8", input: "", ...options });
  if (status === 0) return stdout;
  throw new Error(`${program} ${args[0]} ended with ${status ?? error?.message}\n${stdout}\n${stderr}`);
}
