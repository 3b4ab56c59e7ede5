import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium, type Browser } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

/** The Chromium that this machine has; `TESTED_CHROMIUM` names another. Undefined where there is none. */
export const CHROMIUM = process.env["TESTED_CHROMIUM"] || findOnPath(NAMES);

/** Starts it without a window, a profile or a word to the network. The one who starts it closes it. */
export async function startChromium(): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error("this machine has no Chromium");
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

function findOnPath(names: readonly string[]): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
