import { isAbsolute } from "node:path";
import { LoopxError } from "@loopx/contracts";
import { REGISTRY_SCHEMA } from "@loopx/control-plane";
import { findFileContent, readNamedFile } from "./regular-file.ts";

/** Room for some hundred thousand goals. */
const REGISTRY_MAX_BYTES = 2 ** 26;

type Fields = Readonly<Record<string, unknown>>;

/** The content of a registry file that is ours, or undefined. Nothing but its `schema_version` is checked. */
export function findOwnRegistry(path: string): Fields | undefined {
  const bytes = findFileContent(path, REGISTRY_MAX_BYTES);
  return bytes === undefined ? undefined : parseOwnRegistry(bytes);
}

/**
 * Goal id to root, from a registry file that a caller named. Refuses with `file_not_readable`, `foreign_registry`.
 */
export function readRegistryRoots(path: string): ReadonlyMap<string, string> {
  const bytes = readNamedFile({ path, field: "registry", maxBytes: REGISTRY_MAX_BYTES, hint: "loopx doctor" });
  const goals = parseOwnRegistry(bytes)?.["goals"];
  const roots = Array.isArray(goals) ? goals.map(toRoot) : [undefined];
  return new Map(
    roots.map((root) => {
      if (root !== undefined) return root;
      throw new LoopxError("foreign_registry", {
        message: "--registry names a file that this LoopX did not write, or that was changed since",
        hint: "loopx doctor",
        details: { field: "registry" },
      });
    }),
  );
}

function toRoot(goal: unknown): readonly [string, string] | undefined {
  if (!isObject(goal)) return undefined;
  const { goal_id: goalId, root } = goal;
  const isOurs = typeof goalId === "string" && typeof root === "string" && isAbsolute(root);
  return isOurs ? [goalId, root] : undefined;
}

function parseOwnRegistry(bytes: Buffer): Fields | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8").replace(/^\uFEFF/, ""));
    return isObject(value) && value["schema_version"] === REGISTRY_SCHEMA ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}
