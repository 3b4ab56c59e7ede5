import { renameSync } from "node:fs";
import { join } from "node:path";
import type { Ambient } from "@loopx/contracts";
import { REGISTRY_FILE, resolveHomeDirectory } from "./home-location.ts";
import { findOwnRegistry } from "./registry-file.ts";
import { findFileContent } from "./regular-file.ts";

const REGISTRY_MAX_BYTES = 2 ** 26;

/** The path of a registry of the public Python implementation that stands where ours belongs, or undefined. */
export function findPythonHomeRegistry(ambient: Pick<Ambient, "env" | "cwd">): string | undefined {
  const path = join(resolveHomeDirectory(ambient), REGISTRY_FILE);
  if (findOwnRegistry(path) !== undefined) return undefined;
  const bytes = findFileContent(path, REGISTRY_MAX_BYTES);
  return bytes !== undefined && isPythonRegistry(bytes.toString("utf8")) ? path : undefined;
}

/** Its goals name the state file and the registry that they come from; nobody else's do. */
function isPythonRegistry(text: string): boolean {
  try {
    const { goals } = JSON.parse(text) as { readonly goals?: unknown };
    return Array.isArray(goals) && goals.every((goal: unknown) => hasText(goal, "id") && hasText(goal, "state_file"));
  } catch {
    return false;
  }
}

function hasText(value: unknown, field: string): boolean {
  return typeof value === "object" && value !== null && typeof (value as Record<string, unknown>)[field] === "string";
}

/** Gives it a name with the time, beside where it stood. */
export function setAsidePythonHomeRegistry(path: string, ambient: Pick<Ambient, "now">): void {
  renameSync(path, `${path}.python-${ambient.now().replaceAll(":", "-")}`);
}
