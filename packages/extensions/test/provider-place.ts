import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { findEntrypoint } from "../src/entrypoint/entrypoint-identity.ts";
import type { RuntimeBinding } from "../src/index.ts";

export const FIXTURES = join(import.meta.dirname, "fixtures");

/** A folder of its own; gone when the test is. */
export function createFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "loopx-extension-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface PlacedProgram {
  readonly folder: string;
  readonly entrypoint: string;
  readonly binding: RuntimeBinding;
}

/** A program of the fixtures in an extension's folder, bound as its doctor would have verified it. */
export function placeProgram(name: string, args: readonly string[] = [], timeoutMs = 30_000): PlacedProgram {
  const folder = join(createFolder(), "extension");
  mkdirSync(folder);
  const entrypoint = join(folder, name);
  copyFileSync(join(FIXTURES, name), entrypoint);
  const found = findEntrypoint(entrypoint, folder);
  if (found.kind !== "found") throw new Error(`${name}: ${found.kind}`);
  const binding: RuntimeBinding = {
    extensionId: "test-provider",
    providerVersion: "0.1.0",
    revision: "0123456789abcdef",
    protocol: "decision_context_advisory_provider_v0",
    argv: [found.path, ...args],
    doctorArgv: undefined,
    timeoutMs,
    place: { entrypoint, folder },
    entrypointIdentity: found.identity,
  };
  return { folder, entrypoint, binding };
}

/** The id that a program wrote into a file, once it is there. */
export async function readPid(path: string): Promise<number> {
  for (;;) {
    const text = existsSync(path) ? readFileSync(path, "utf8").trim() : "";
    if (text !== "") return Number(text);
    await pause(5);
  }
}

/** Settles when the process is gone; a test that waits forever fails by its limit. */
export async function waitUntilGone(pid: number): Promise<void> {
  while (isAlive(pid)) await pause(5);
}

/** A killed child that nobody has waited for yet is gone, too. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, "utf8") : "";
  return !/\) Z /.test(stat);
}
