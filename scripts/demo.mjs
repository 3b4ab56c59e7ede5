// The main job, narrated: one goal in a throwaway git repository, from the first command to a settled turn and a
// completed goal, then one recall between two sessions, then a context turn with real providers; at a terminal it ends with all of it on the Workstation. Every command is run for real, and what it prints is shown as it is.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tellContext } from "./demo-context.mjs";
import { tellRecall } from "./demo-recall.mjs";
import { showWorkstation } from "./demo-workstation.mjs";
import { atTerminal, find, loopx, say, shown } from "./narrate.mjs";
import { root } from "./prepare-checkout.mjs";

/** Variables that would make the owner's terminal look like an agent's. */
const HOST_VARIABLES = /^(CLAUDE|CODEX_|CURSOR_|GEMINI_CLI|OPENCODE|AI_AGENT|LOOPX_)/;

const LANE = { agent: "claude-main", goal: "csv-importer-goal" };

export async function runDemo() {
  const place = mkdtempSync(join(tmpdir(), "loopx-demo-"));
  try {
    const world = createWorld(place);
    await tell(world, LANE);
    await tellRecall(world, LANE);
    await tellContext({ ...world, place });
    await showWorkstation({ ...world, place }, LANE);
    sayGoodbye();
    return 0;
  } catch (error) {
    process.stdout.write(`\nthe demo stopped: ${error.message}\n`);
    return 1;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function createWorld(place) {
  const project = join(place, "csv-importer");
  const home = join(place, "home");
  mkdirSync(project);
  mkdirSync(home);
  writeFileSync(join(project, "check.mjs"), 'console.log("2 of 2 checks passed");\n');
  const kept = Object.entries(process.env).filter(([name]) => !HOST_VARIABLES.test(name));
  const env = { ...Object.fromEntries(kept), HOME: home, LOOPX_HOME: join(home, ".codex", "loopx") };
  const { status } = spawnSync("git", ["init", "--quiet", "."], { cwd: project, env });
  if (status !== 0) throw new Error("git is needed to make the throwaway repository");
  return { project, env };
}

async function tell(world, { agent, goal }) {
  say("LoopX tells a coding agent what it may do next, and who decides. This is one goal, from start to end.");

  say("1. An owner connects a repository and says what is to be reached.");
  loopx(world, ["bootstrap", "--project=.", "--objective=Import quoted CSV fields, with tests"]);

  say("2. An agent registers its lane and writes what it plans. One step is production, so it brings a gate along.");
  loopx(world, ["register-agent", `--goal-id=${goal}`, `--agent-id=${agent}`, "--execute"]);
  loopx(world, [
    "todo",
    "add",
    "--text=Parse quoted fields",
    "--priority=P0",
    `--agent-id=${agent}`,
    '--validation-command=["node","check.mjs"]',
  ]);
  const deploy = loopx(world, [
    "todo",
    "add",
    "--text=Deploy the importer",
    "--priority=P1",
    "--action-kind=production",
    `--agent-id=${agent}`,
  ]);
  const gate = find(deploy, /gate (todo_\w+)/);

  say("3. The agent asks what it may do. It gets exactly one todo, claimed, and a turn to do it in.");
  const first = loopx(world, ["quota", "should-run", `--goal-id=${goal}`, `--agent-id=${agent}`]);
  say("   Asking again hands out nothing twice: the same turn, resumed. This is what an agent reads.");
  loopx(world, ["--format=json", "quota", "should-run", `--goal-id=${goal}`, `--agent-id=${agent}`]);
  settle(world, { agent, goal, asked: first, evidence: "Quoted fields parse; 2 checks pass", follow: [] });

  say("4. The next step needs an owner. The agent is told the question, and may not answer it itself.");
  loopx(world, ["quota", "should-run", `--goal-id=${goal}`, `--agent-id=${agent}`]);
  loopx(world, ["gate", "decide", `--gate-id=${gate}`, "--decision=approve", `--agent-id=${agent}`], 3);

  say("5. The owner decides at a terminal of their own (a real one is opened for this).");
  await atTerminal(world, ["gate", "decide", `--gate-id=${gate}`, "--decision=approve", "--reason=Reviewed"]);

  say("6. Now it runs. Completing the last todo with nothing to follow completes the goal.");
  const second = loopx(world, ["quota", "should-run", `--goal-id=${goal}`, `--agent-id=${agent}`]);
  settle(world, { agent, goal, asked: second, evidence: "Deployed; smoke test passed", follow: ["--no-follow-up"] });

  say("7. What happened stays on record, and each moment can be looked at again.");
  loopx(world, ["status"]);
  loopx(world, ["history", "--limit=6"]);
}

function sayGoodbye() {
  say("That was it. In a repository of your own:");
  process.stdout.write(
    [
      `  export PATH=${shown(join(root, "node_modules", ".bin"))}:"$PATH"`,
      "  cd your-repository",
      "  loopx init",
      "  loopx --help",
      "",
    ].join("\n"),
  );
}

function settle(world, { agent, goal, asked, evidence, follow }) {
  const turn = find(asked, /(turn_\w+)/);
  const todo = find(asked, /(todo_\w+)/);
  const lane = [`--goal-id=${goal}`, `--agent-id=${agent}`, `--turn=${turn}`];
  loopx(world, ["refresh-state", ...lane, "--outcome=primary_outcome", `--evidence=${evidence}`]);
  loopx(world, ["todo", "complete", ...lane, `--todo-id=${todo}`, ...follow]);
  loopx(world, ["quota", "spend", ...lane]);
}
