import { accessSync, constants, existsSync } from "node:fs";
import { join } from "node:path";
import { formatDuration, isLoopxError, LoopxError, toEpochMs, type Ambient } from "@loopx/contracts";
import { listRegisteredGoals } from "@loopx/control-plane";
import { findHostMarker } from "@loopx/host-commands";
import { loadSqliteDriver, verifyIntegrity, verifyMigrations } from "@loopx/store";
import type { TextStyle } from "../../output/text-style.ts";
import { joinLines, renderNext } from "../../packets/render-facts.ts";
import { PROJECT_SCHEMA } from "../../project/project-schema.ts";
import { assertTrusted } from "../../project/assert-trusted.ts";
import { listBackups } from "../../project/backups.ts";
import { HOME_STORE, REGISTRY_FILE, resolveHomeDirectory } from "../../project/home-location.ts";
import { HOME_SCHEMA } from "../../project/home-schema.ts";
import { openHomeToRead, openHomeToWrite, projectRegistry } from "../../project/open-home.ts";
import { hasStore } from "../../project/project-roots.ts";
import { findOwnRegistry } from "../../project/registry-file.ts";
import { CONNECT_HINT, withProject } from "../../project/resolve-project.ts";
import { withRepairHint } from "../../project/with-repair-hint.ts";
import { VERSION } from "../../version.ts";
import type { CommandHandler, CommandInput } from "../command-handler.ts";
import type { DoctorCheck } from "./doctor-check.ts";
import { checkHosts } from "./doctor-hosts.ts";
import { checkAgentLoops } from "./check-agent-loops.ts";
import { checkDeeply } from "./check-deeply.ts";
import { checkExtensions } from "./check-extensions.ts";

type Input = CommandInput<"doctor">;

/** Checks this machine and the project one stands in, with a remedy for each finding. */
export const run: CommandHandler<"doctor"> = async (input) => {
  const checks: DoctorCheck[] = [
    checkNode(),
    await guard("sqlite", () => checkDriver()),
    await guard("home", () => checkHome(input.ambient)),
    await guard("registry", () => checkRegistry(input.ambient)),
    await guard("registered projects", () => checkRegistered(input.ambient)),
    await guard("extensions", () => checkExtensions(input.ambient)),
    ...(await checkProject(input)),
    ...(input.flags.deep ? await checkDeeply(input, guard) : refuseStores(input)),
    checkHost(input.ambient),
    ...(await checkHosts(input.ambient)),
  ];
  const failed = checks.filter(({ state }) => state === "failed" || state === "unknown");
  // What keeps the project from being used comes first.
  const next = [...new Set([...failed, ...checks].flatMap(listRemedies))];
  const worst = failed.length > 0;
  return {
    packet: { ok: !worst, schema_version: "loopx_doctor_v1", version: VERSION, checks, next },
    text: (style) => joinLines(...checks.map((check) => renderCheck(check, style)), renderVerdict(checks, next, style)),
    exitCode: worst ? 1 : 0,
  };
};

function listRemedies({ state, remedy, alternative }: DoctorCheck): readonly string[] {
  return state === "ok" ? [] : [remedy, alternative].filter((command) => command !== undefined);
}

/** A folder that is named and not looked at would pass for one that is whole. */
function refuseStores({ flags }: Input): readonly DoctorCheck[] {
  if (flags.store.length === 0) return [];
  throw new LoopxError("missing_flag", {
    message: "--store names a trace store to look at in depth, and --deep is missing",
    hint: "loopx doctor --deep --store=DIR",
    details: { field: "deep" },
  });
}

/** What a folder without a store needs. */
const SET_UP = "loopx init";
/** What looks is the doctor itself: a hint that leads here is no remedy. And whoever looks may be asked. */
const REMEDIES: ReadonlyMap<string, string> = new Map([
  ["loopx doctor", "loopx restore --execute"],
  [CONNECT_HINT, SET_UP],
]);

/** The last line is `ready`, or the one command to run first; what else could be better stands with its check. */
function renderVerdict(checks: readonly DoctorCheck[], next: readonly string[], style: TextStyle): string {
  const isReady = checks.every(({ state }) => state === "ok" || state === "warning");
  if (isReady && next.includes(SET_UP))
    return joinLines(`\n${style.green("ready for a project")}`, renderNext([SET_UP], style));
  if (isReady) return `\n${style.green("ready")}`;
  return joinLines(`\n${style.red("not ready")}`, renderNext(next.slice(0, 1), style));
}

function renderCheck(check: DoctorCheck, style: TextStyle): string {
  const marks = {
    ok: style.green("ok     "),
    warning: style.yellow("warning"),
    failed: style.red("failed "),
    unknown: style.red("unknown"),
  };
  const column = " ".repeat(9);
  const remedies = listRemedies(check).map(
    (remedy, at) => `${column}${style.dim(at === 0 ? "mend" : "or  ")}  ${style.cyan(remedy)}`,
  );
  return joinLines(`${marks[check.state]}  ${check.name.padEnd(20)}  ${check.found}`, ...remedies);
}

/** A check that is refused has failed, with what the refusal says. */
async function guard(name: string, check: () => Promise<DoctorCheck> | DoctorCheck): Promise<DoctorCheck> {
  try {
    return await check();
  } catch (error) {
    if (!isLoopxError(error)) throw error;
    const { hint } = error;
    return { name, state: "failed", found: error.message, ...(hint === undefined ? {} : { remedy: hint }) };
  }
}

function checkNode(): DoctorCheck {
  return { name: "node", state: "ok", found: `${process.versions.node}, loopx ${VERSION}` };
}

function checkDriver(): DoctorCheck {
  const driver = loadSqliteDriver();
  return { name: "sqlite", state: "ok", found: driver.name };
}

/** Looks whether the home could be written, without writing it. */
function checkHome(ambient: Ambient): DoctorCheck {
  const directory = resolveHomeDirectory(ambient);
  const name = "home";
  if (!existsSync(directory)) {
    return { name, state: "warning", found: "not there yet; the first connect makes it" };
  }
  try {
    accessSync(directory, constants.W_OK);
    if (existsSync(join(directory, HOME_STORE))) accessSync(join(directory, HOME_STORE), constants.W_OK);
  } catch {
    return {
      name,
      state: "warning",
      found: "cannot be written from here: threads can't be bound and projects can't be connected",
      remedy: "allow the host to write the LoopX home (Codex: [sandbox_workspace_write] writable_roots)",
    };
  }
  return { name, state: "ok", found: "can be written" };
}

/** Brings a stale projection up to date where it may. */
async function checkRegistry(ambient: Ambient): Promise<DoctorCheck> {
  const directory = resolveHomeDirectory(ambient);
  const name = "registry";
  if (!existsSync(join(directory, HOME_STORE))) return { name, state: "ok", found: "no goal is registered yet" };
  const path = join(directory, REGISTRY_FILE);
  if (existsSync(path) && findOwnRegistry(path) === undefined) {
    return {
      name,
      state: "failed",
      found: "registry.global.json belongs to another program",
      remedy: 'give this LoopX a home of its own: export LOOPX_HOME="$HOME/.loopx"',
    };
  }
  const home = await openHomeToRead(directory, ambient);
  if (home === undefined) return { name, state: "ok", found: "no goal is registered yet" };
  try {
    await verifyMigrations(home, HOME_SCHEMA, "the LoopX home store");
    const faults = await verifyIntegrity(home);
    if (faults.length > 0) return { name, state: "failed", found: `the home store is damaged: ${faults[0] ?? ""}` };
  } finally {
    await home.close();
  }
  return (await bringUpToDate(directory, ambient))
    ? { name, state: "ok", found: "agrees with the home store" }
    : { name, state: "warning", found: "could not be brought up to date from here" };
}

async function bringUpToDate(directory: string, ambient: Ambient): Promise<boolean> {
  try {
    const home = await openHomeToWrite(directory, ambient);
    await projectRegistry(home, directory);
    await home.close();
    return true;
  } catch (error) {
    if (isLoopxError(error)) return false;
    throw error;
  }
}

async function checkRegistered(ambient: Ambient): Promise<DoctorCheck> {
  const name = "registered projects";
  const home = await openHomeToRead(resolveHomeDirectory(ambient), ambient);
  if (home === undefined) return { name, state: "ok", found: "none yet" };
  const goals = await home.read(listRegisteredGoals);
  await home.close();
  const roots = new Map(goals.map((goal) => [goal.root, goal.label]));
  const missing = [...roots].filter(([root]) => !hasStore(root)).map(([, label]) => label);
  if (missing.length === 0) return { name, state: "ok", found: `${roots.size}, each with its store` };
  return {
    name,
    state: "warning",
    found: `${missing.length} of ${roots.size} without a store: ${missing.slice(0, 5).join(", ")}`,
    remedy: "in the project's folder: loopx restore --execute",
  };
}

async function checkProject({ globals, ambient }: Input): Promise<readonly DoctorCheck[]> {
  const name = "project";
  try {
    return await withProject({ globals, ambient, goalId: undefined }, "mend", async (project) => {
      await verifyMigrations(project.database, PROJECT_SCHEMA, ".loopx/state.db");
      const faults = await verifyIntegrity(project.database);
      const store: DoctorCheck =
        faults.length === 0
          ? {
              name,
              state: project.database.isWritable ? "ok" : "warning",
              found: `${project.label}: store is sound${project.database.isWritable ? "" : ", but cannot be written from here"}`,
            }
          : {
              name,
              state: "failed",
              found: `${project.label}: store is damaged`,
              remedy: "loopx restore --execute",
              alternative: RECOVER,
            };
      const trust = await guard("trust", async () => {
        await assertTrusted(project, ambient);
        return { name: "trust", state: "ok", found: "the store was created here or connected by an owner" };
      });
      const loops = await guard("agent loops", async () => ({
        name: "agent loops",
        ...(await withRepairHint("loopx restore --execute", () => checkAgentLoops(project.database))),
      }));
      return [store, trust, checkBackups(project.projectId, ambient), loops];
    });
  } catch (error) {
    if (!isLoopxError(error)) throw error;
    const isAbsent = error.code === "project_not_connected" || error.code === "project_not_resolved";
    const hint = REMEDIES.get(error.hint ?? "") ?? error.hint;
    return [
      {
        name,
        state: isAbsent ? "warning" : "failed",
        found: error.message,
        ...(hint === undefined ? {} : { remedy: hint }),
        ...(error.code === "store_corrupt" ? { alternative: RECOVER } : {}),
      },
    ];
  }
}

const RECOVER = "loopx recover";

function checkBackups(projectId: string, ambient: Ambient): DoctorCheck {
  const name = "backup";
  const [newest] = listBackups(projectId, ambient);
  if (newest === undefined) {
    return { name, state: "warning", found: "none yet", remedy: "loopx backup" };
  }
  const age = Math.max(1000, Math.floor((toEpochMs(ambient.now()) - newest.takenAtMs) / 60_000) * 60_000);
  return { name, state: "ok", found: `the newest is ${age < 60_000 ? "under a minute" : formatDuration(age)} old` };
}

function checkHost(ambient: Ambient): DoctorCheck {
  const marker = findHostMarker(ambient.env);
  return {
    name: "host",
    state: "ok",
    found:
      marker === undefined ? "no agent host: gates can be decided here" : `${marker.host}: gates are decided elsewhere`,
  };
}
