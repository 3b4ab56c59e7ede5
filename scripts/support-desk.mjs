// The support desk example in a folder of its own, with its CRM running.
import { spawn, spawnSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./prepare-checkout.mjs";

const example = join(root, "examples", "support-desk");

/** Copies the example to a new folder and makes its databases. Run from the checkout, where the SQLite driver is installed. */
export function prepareDesk(project) {
  cpSync(example, project, { recursive: true });
  const { status, stderr } = spawnSync(process.execPath, [join(example, "prepare.mjs"), join(project, "deployment")], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`the example could not be prepared: ${stderr}`);
}

/** The port is whatever was free. */
export function bindTo(project, url) {
  const path = join(project, "deployment", "context-binding.json");
  writeFileSync(path, readFileSync(path, "utf8").replaceAll("http://127.0.0.1:8787/context", url));
}

/** Starts the CRM of a desk; port 0 takes a free one. */
export async function startCrm({ project, env }, port, flags = []) {
  const child = spawn(process.execPath, [join(project, "crm.mjs"), `--port=${port}`, ...flags], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const hasEnded = new Promise((resolve) => child.once("close", resolve));
  const url = await new Promise((resolve, reject) => {
    child.stdout.once("data", (line) => resolve(String(line).trim()));
    child.once("error", reject);
    child.once("exit", () => reject(new Error("the CRM did not start")));
  });
  const stop = async () => {
    child.kill();
    await hasEnded;
  };
  return { url, port: new URL(url).port, stop };
}
