// A running Workstation and a browser for it, for what measures it, takes its pictures and looks at the packed package.
import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "./prepare-checkout.mjs";

const cli = join(root, "packages", "loopx", "bin", "loopx.cjs");
const LINK = /http:\/\/\S+\/#token=\S+/;

/**
 * Starts `loopx workstation` on a free port; `link` lets one browser in. `isOwners`: at a terminal, as an owner does, so
 * that the page decides.
 */
export async function serveWorkstation(options) {
  const { node = process.execPath, program = cli, cwd, env, flags = [], isOwners = false } = options;
  const argv = [program, "workstation", "--port=0", ...flags];
  const server = isOwners ? await startAtTerminal(node, argv, { cwd, env }) : start(node, argv, { cwd, env });
  let talk = "";
  const link = await new Promise((resolve, reject) => {
    server.onTalk((text) => {
      talk += text;
      const found = LINK.exec(talk)?.[0];
      if (found !== undefined && talk.endsWith("\n")) resolve(found);
    });
    void server.ended.then(() => reject(new Error(`the Workstation ended: ${talk}`)));
  });
  const stop = () => {
    process.kill(server.pid, "SIGTERM");
    return server.ended;
  };
  return { pid: server.pid, link, url: new URL(link).origin, stop };
}

function start(node, argv, place) {
  const child = spawn(node, argv, { ...place, stdio: ["ignore", "ignore", "pipe"] });
  const ended = new Promise((resolve) => child.once("close", resolve));
  return { pid: child.pid, ended, onTalk: (tell) => child.stderr.setEncoding("utf8").on("data", tell) };
}

async function startAtTerminal(node, argv, place) {
  const { spawn: spawnAtTerminal } = await import("@lydell/node-pty");
  const terminal = spawnAtTerminal(node, argv, { ...place, cols: 200 });
  const ended = new Promise((resolve) => terminal.onExit(resolve));
  return { pid: terminal.pid, ended, onTalk: (tell) => terminal.onData(tell) };
}

/** The Chromium of this machine, started; undefined where there is none. */
export async function startChromium() {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const names = ["chromium", "chromium-browser", "google-chrome"];
  const executablePath = names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
  if (executablePath === undefined) return undefined;
  const { chromium } = await import("playwright-core");
  const quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"];
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--disable-quic", ...quiet] });
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
