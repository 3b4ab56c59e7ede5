import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { createWorld, type RunOptions, type World } from "./cli-world.ts";
import { runProgram, type ProgramResult } from "./run-program.ts";
import { readText } from "./read-field.ts";

const EXAMPLE = fileURLToPath(new URL("../../examples/support-desk", import.meta.url));
/** What running the example leaves in it. */
const MADE = /\.db|keyset\.json$|builds|traces/;
const CRM_TOKEN = "crm-credential-of-this-test";

/** The CRM of the example, running. */
export interface Crm {
  readonly url: string;
  readonly port: string;
  stop(): Promise<void>;
}

/** The support desk example in a world of its own, built, with its CRM running on a free port. */
export interface SupportDesk {
  readonly world: World;
  readonly folder: string;
  /** The link to the build made last, relative to the folder. */
  readonly build: string;
  readonly crm: Crm;
  /** Runs `loopx context …` in the folder. */
  run(args: readonly string[], options?: RunOptions): Promise<ProgramResult>;
  /** A turn about one customer and order, traced. */
  turn(...extra: readonly string[]): Promise<ProgramResult>;
  /** The same, as text. */
  turnForPeople(): Promise<ProgramResult>;
  /** Ends the CRM that runs and starts another on its port. */
  restartCrm(flags: readonly string[]): Promise<void>;
  readonly env: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

export const BINDING = "--binding=deployment/context-binding.json";
export const STORE = "--store=traces";

export async function createSupportDesk(): Promise<SupportDesk> {
  const world = createWorld();
  const folder = join(world.directory, "support-desk");
  cpSync(EXAMPLE, folder, { recursive: true, filter: (path) => !MADE.test(relative(EXAMPLE, path)) });
  const prepared = spawnSync(process.execPath, [join(EXAMPLE, "prepare.mjs"), join(folder, "deployment")]);
  if (prepared.status !== 0) throw new Error(String(prepared.stderr));
  const env = { CRM_TOKEN };
  let crm = await startCrm(folder, "0", []);
  editBinding(folder, (text) => text.replaceAll("http://127.0.0.1:8787/context", crm.url));
  const run: SupportDesk["run"] = (args, options) =>
    world.run(["context", ...args], { cwd: folder, ...options, env: { ...env, ...options?.env } });
  const build = readText((await run(["build", "--project=project", "--output=builds"])).json, "current");
  const asked = ["--objective=answer-ticket", "--consumer=support-agent"];
  const inputs = ["--input=customerId=CUST-1042", "--input=orderId=ORD-20001"];
  const words = ["turn", `--build=${build}`, BINDING, STORE, ...asked, ...inputs];
  return {
    world,
    folder,
    build,
    env: { ...world.env, ...env },
    get crm() {
      return crm;
    },
    run,
    turn: (...extra) => run([...words, ...extra]),
    turnForPeople: () =>
      runProgram(process.execPath, [world.program, "context", ...words], {
        cwd: folder,
        env: { ...world.env, ...env },
      }),
    restartCrm: async (flags) => {
      await crm.stop();
      crm = await startCrm(folder, crm.port, flags);
    },
    remove: async () => {
      await crm.stop();
      world.remove();
    },
  };
}

/** Rewrites the text of the desk's binding. */
export function editBinding(folder: string, edit: (text: string) => string): void {
  const path = join(folder, "deployment", "context-binding.json");
  writeFileSync(path, edit(readFileSync(path, "utf8")));
}

async function startCrm(folder: string, port: string, flags: readonly string[]): Promise<Crm> {
  const child = spawn(process.execPath, [join(folder, "crm.mjs"), `--port=${port}`, ...flags], {
    env: { CRM_TOKEN },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.once("data", (line: Buffer) => resolve(line.toString().trim()));
    child.once("exit", (code) => reject(new Error(`the CRM ended with ${code}`)));
  });
  return { url, port: new URL(url).port, stop: () => stopProcess(child, "SIGTERM") };
}

async function stopProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => {
    child.once("close", resolve);
  });
  child.kill(signal);
  await ended;
}
