// `npm run screenshots`: pictures of each screen of the Workstation on invented data, light and dark, in docs/images.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepareCheckout, root, say } from "./prepare-checkout.mjs";
import { serveWorkstation, startChromium } from "./serve-workstation.mjs";
import { bindTo, prepareDesk, startCrm } from "./support-desk.mjs";

const cli = join(root, "packages", "loopx", "bin", "loopx.cjs");
const images = join(root, "docs", "images");
/** Variables that would make who starts the server look like an agent. */
const HOST_VARIABLES = /^(CLAUDE|CODEX_|CURSOR_|GEMINI_CLI|OPENCODE|AI_AGENT|LOOPX_)/;
const SIZE = { width: 1280, height: 860 };

prepareCheckout();
const browser = await startChromium();
if (browser === undefined) {
  say("screenshots need a Chromium: none is on the PATH");
  process.exit(1);
}
const place = mkdtempSync(join(tmpdir(), "loopx-screenshots-"));
try {
  const world = createWorld(place);
  const goal = fillGoals(world);
  const trace = await fillTraces(world);
  const server = await serveWorkstation({
    cwd: world.project,
    env: world.env,
    isOwners: true,
    flags: [
      `--context-project=${join(world.desk, "project")}`,
      `--binding=${join(world.desk, "deployment", "context-binding.json")}`,
      `--traces=${join(world.desk, "traces")}`,
    ],
  });
  mkdirSync(images, { recursive: true });
  await takeAll(server, {
    overview: "/",
    goal: `/goals/${goal}`,
    context: "/context",
    trace: `/context/traces/${trace}`,
    recall: "/recall",
  });
  await server.stop();
} finally {
  await browser.close();
  rmSync(place, { recursive: true, force: true });
}

async function takeAll(server, screens) {
  const context = await browser.newContext({ viewport: SIZE, locale: "en-GB", reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto(server.link);
  await page.getByRole("navigation").waitFor();
  for (const [name, path] of Object.entries(screens)) {
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      await page.goto(`${server.url}${path}`);
      await page.getByText("Live", { exact: true }).waitFor();
      await page.locator(".loading").first().waitFor({ state: "detached" });
      await page.screenshot({ path: join(images, `workstation-${name}-${colorScheme}.png`) });
    }
    say(`docs/images/workstation-${name}-{light,dark}.png`);
  }
}

function createWorld(folder) {
  const home = join(folder, "home");
  const project = join(folder, "csv-importer");
  const desk = join(folder, "support-desk");
  for (const each of [home, project]) mkdirSync(each);
  const kept = Object.entries(process.env).filter(([name]) => !HOST_VARIABLES.test(name));
  const env = { ...Object.fromEntries(kept), HOME: home, CRM_TOKEN: "invented-for-this-run" };
  const { status } = spawnSync("git", ["init", "--quiet", "."], { cwd: project, env });
  if (status !== 0) throw new Error("git is needed to make a repository");
  return { project, desk, env };
}

/** A goal in the middle of its work, with a gate that waits for its owner. */
function fillGoals(world) {
  const goal = "csv-importer-goal";
  const lane = [`--goal-id=${goal}`, "--agent-id=claude-main"];
  loopx(world, ["bootstrap", "--project=.", "--objective=Import quoted CSV fields, with tests", `--goal-id=${goal}`]);
  for (const agent of ["claude-main", "codex-review"]) {
    loopx(world, ["register-agent", `--goal-id=${goal}`, `--agent-id=${agent}`, "--execute"]);
  }
  const add = (text, ...more) => loopx(world, ["todo", "add", ...lane, `--text=${text}`, ...more]);
  add("Parse quoted fields", "--priority=P0");
  settle(world, lane, "Quoted fields parse; 14 checks pass");
  add("Keep line breaks inside quotes", "--priority=P0");
  settle(world, lane, "Line breaks survive; 3 new checks pass");
  add("Deploy the importer", "--priority=P1", "--action-kind=production");
  add("Report the line of a malformed row", "--priority=P1");
  add("Read files of other encodings", "--priority=P2");
  add("Which delimiter do German exports use?", "--role=user", "--task-class=user_action");
  loopx(world, ["quota", "should-run", ...lane]);
  return goal;
}

function settle(world, lane, evidence) {
  const { turn, todo } = loopx(world, ["quota", "should-run", ...lane]);
  const settled = [...lane, `--turn=${turn.turn_id}`];
  loopx(world, ["refresh-state", ...settled, "--outcome=primary_outcome", `--evidence=${evidence}`]);
  loopx(world, ["todo", "complete", ...settled, `--todo-id=${todo.todo_id}`]);
  loopx(world, ["quota", "spend", ...settled]);
}

/** Some turns of the support desk; gives the id of one that its slow CRM made DEGRADED. */
async function fillTraces(world) {
  const { desk } = world;
  const at = { ...world, project: desk };
  prepareDesk(desk);
  const turn = (order) => {
    const inputs = ["--input=customerId=CUST-1042", `--input=orderId=${order}`];
    const asked = ["--objective=answer-ticket", "--consumer=support-agent"];
    const binding = "--binding=deployment/context-binding.json";
    return loopx(at, ["context", "turn", "--build=builds/current", binding, "--store=traces", ...asked, ...inputs]);
  };
  let crm = await startCrm(at, 0);
  bindTo(desk, crm.url);
  loopx(at, ["context", "build", "--project=project", "--output=builds"]);
  turn("ORD-20001");
  turn("ORD-20002");
  await crm.stop();
  crm = await startCrm(at, crm.port, ["--slow=ticket-history"]);
  const degraded = turn("ORD-20001");
  await crm.stop();
  return degraded.trace_id;
}

function loopx(world, args) {
  const { stdout, status } = spawnSync(process.execPath, [cli, "--format=json", ...args], {
    cwd: world.project,
    env: world.env,
    encoding: "utf8",
    input: "",
  });
  if (status !== 0) throw new Error(`loopx ${args.join(" ")}: ${status}\n${stdout}`);
  return JSON.parse(stdout);
}
