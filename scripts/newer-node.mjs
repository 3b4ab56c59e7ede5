// The newest Node that LoopX is checked on, for a checkout that itself is on an older one.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { root, say } from "./prepare-checkout.mjs";

export const NEWER_NODE = "24.11.1";

/**
 * The path of its binary, installed on first use outside of the dependencies: as one of them it would take over every script.
 * Throws when it cannot be installed.
 */
export function installNewerNode() {
  const prefix = join(root, ".build", `node-${NEWER_NODE}`);
  // The bare binary package of the platform.
  const name = `node-${process.platform}-${process.arch}`;
  const binary = join(prefix, "node_modules", name, "bin", "node");
  if (existsSync(binary)) return binary;
  mkdirSync(prefix, { recursive: true });
  say(`installing ${name}@${NEWER_NODE} …`);
  const flags = ["--no-audit", "--no-fund", "--no-save", `--prefix=${prefix}`];
  const { status, stderr, error } = spawnSync("npm", ["install", ...flags, `${name}@${NEWER_NODE}`], {
    encoding: "utf8",
    input: "",
  });
  if (status !== 0) throw new Error(`${name}@${NEWER_NODE} could not be installed: ${stderr || error?.message}`);
  return binary;
}
