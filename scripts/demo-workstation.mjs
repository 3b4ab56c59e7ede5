// The end of the demo: the same state on a page, with a gate that waits. Only where somebody sits at the terminal.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { cli, loopx, say } from "./narrate.mjs";

const GOAL = "spreadsheet-export-goal";

/** Serves the page of the demo's world until Ctrl-C; without a terminal it only says how that is done. */
export async function showWorkstation(world, { agent }) {
  say(
    "13. People would rather look than read. The Workstation shows all of this on one local page, and decides there.",
  );
  loopx(world, ["bootstrap", "--project=.", "--objective=Export spreadsheets, with formulas", `--goal-id=${GOAL}`]);
  loopx(world, ["register-agent", `--goal-id=${GOAL}`, `--agent-id=${agent}`, "--execute"]);
  const lane = [`--goal-id=${GOAL}`, `--agent-id=${agent}`];
  loopx(world, ["todo", "add", ...lane, "--text=Write the formulas", "--priority=P0"]);
  loopx(world, ["todo", "add", ...lane, "--text=Publish the exporter", "--priority=P1", "--action-kind=production"]);
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    say("    At a terminal the demo would serve it now: loopx workstation");
    return;
  }
  say(
    "    Open the link it prints: a gate of the new goal waits for you, and a turn of the support desk was DEGRADED.",
  );
  await serve(world);
}

/** Ctrl-C goes to both: the server ends by it, and the demo goes on. */
function wait() {}

async function serve({ project, env, place }) {
  const desk = join(place, "support-desk");
  const shown = [
    `--context-project=${join(desk, "project")}`,
    `--binding=${join(desk, "deployment", "context-binding.json")}`,
    `--traces=${join(desk, "traces")}`,
  ];
  process.on("SIGINT", wait);
  const child = spawn(process.execPath, [cli, "workstation", "--port=0", ...shown], {
    cwd: project,
    env,
    stdio: "inherit",
  });
  await new Promise((resolve) => child.once("close", resolve));
  process.off("SIGINT", wait);
}
