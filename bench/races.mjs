// Fifty processes at once on one project: what was kept, as counts. Times say nothing here, so none are taken.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBenchWorld } from "./bench-world.mjs";

const PROCESSES = 50;
const PROJECTS = 20;

/** Rows of `[what, counted, expected]` for one Node. */
export async function benchRaces(node) {
  const place = mkdtempSync(join(tmpdir(), "loopx-bench-races-"));
  try {
    const world = createBenchWorld(node, place, { todos: 1, goals: 1, events: 0 });
    const times = (count, argvOf) => atOnce(node, count, (index) => world.call(argvOf(index)));
    const added = await times(PROCESSES, (index) => ["todo", "add", `--goal-id=${world.goal}`, `--text=Race ${index}`]);
    const ids = new Set(added.map(({ todo }) => todo?.todo_id));
    ids.delete(undefined);
    const lanes = Array.from({ length: PROCESSES }, () => world.freshLane());
    const [todoId] = ids;
    const claims = await times(PROCESSES, (index) => ["todo", "claim", `--todo-id=${todoId}`, ...lanes[index]]);
    const guards = await times(PROCESSES, () => ["quota", "should-run", ...lanes[0]]);
    const settled = world.settledTurn();
    const spends = await times(PROCESSES, () => ["quota", "spend", ...settled]);
    const roots = Array.from({ length: PROJECTS }, (_, index) => join(place, "roots", String(index)));
    for (const root of roots) mkdirSync(root, { recursive: true });
    const connected = await atOnce(node, PROJECTS, (index) => ({
      ...world.call(["bootstrap", `--goal-id=race-${index}`, "--objective=Race"]),
      cwd: roots[index],
    }));
    return [
      [`${PROCESSES} todos added at once, kept`, ids.size, PROCESSES],
      [`${PROCESSES} lanes claim one todo, winners`, claims.filter(({ ok }) => ok).length, 1],
      [`${PROCESSES} ask for one lane's turn, turns`, new Set(guards.map(({ turn }) => turn?.turn_id)).size, 1],
      [`${PROCESSES} charge one turn, charges`, spends.filter((spend) => spend.ok && !spend.already_spent).length, 1],
      [`${PROJECTS} projects connected at once, registered`, connected.filter(({ ok }) => ok).length, PROJECTS],
    ];
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function atOnce(node, count, callOf) {
  return Promise.all(Array.from({ length: count }, (_, index) => answerOf(node, callOf(index))));
}

function answerOf(node, { argv, cwd, env }) {
  return new Promise((resolve, reject) => {
    const child = spawn(node, argv, { cwd, env, stdio: ["ignore", "pipe", "ignore"] });
    let text = "";
    child.stdout.on("data", (chunk) => (text += chunk));
    child.on("error", reject);
    child.on("close", () => {
      try {
        resolve(JSON.parse(text));
      } catch (error) {
        reject(error);
      }
    });
  });
}
