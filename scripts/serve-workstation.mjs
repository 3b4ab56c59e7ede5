// A running Workstation and a browser for it, for what measures it and what takes its pictures.
import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "./prepare-checkout.mjs";

const cli = join(root, "packages", "loopx", "bin", "loopx.cjs");
const LINK = /http:\/\/\S+\/#token=\S+/;

/** Starts `loopx workstation` on a free port; `link` lets one browser in. */
export async function serveWorkstation({ node = process.execPath, cwd, env, flags = [] }) {
  const child = spawn(node, [cli, "workstation", "--port=0", ...flags], {
    cwd,
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  let talk = "";
  const link = await new Promise((resolve, reject) => {
    child.stderr.setEncoding("utf8").on("data", (text) => {
      talk += text;
      const found = LINK.exec(talk)?.[0];
      if (found !== undefined && talk.endsWith("\n")) resolve(found);
    });
    void ended.then(() => reject(new Error(`the Workstation ended: ${talk}`)));
  });
  const stop = () => {
    child.kill("SIGTERM");
    return ended;
  };
  return { pid: child.pid, link, url: new URL(link).origin, stop };
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
