import { isAbsolute } from "node:path";
import { LoopxError } from "@loopx/contracts";
import { REGISTRY_SCHEMA, type RegisteredGoal } from "@loopx/control-plane";
import { findFileContent, readNamedFile } from "./regular-file.ts";

/** Room for some hundred thousand goals. */
const REGISTRY_MAX_BYTES = 2 ** 26;

type Fields = Readonly<Record<string, unknown>>;

/** The content of a registry file that is ours, or undefined. Nothing but its `schema_version` is checked. */
export function findOwnRegistry(path: string): Fields | undefined {
  const bytes = findFileContent(path, REGISTRY_MAX_BYTES);
  return bytes === undefined ? undefined : parseOwnRegistry(bytes);
}

/** The goals of a registry file that a caller named. Refuses with `file_not_readable`, `foreign_registry`. */
export function readRegistryFile(path: string): readonly RegisteredGoal[] {
  const bytes = readNamedFile({ path, field: "registry", maxBytes: REGISTRY_MAX_BYTES, hint: "loopx doctor" });
  const goals = parseOwnRegistry(bytes)?.["goals"];
  if (Array.isArray(goals) && goals.every(isRegisteredGoal)) return goals;
  throw new LoopxError("foreign_registry", {
    message: "--registry names a file that this LoopX did not write, or that was changed since",
    hint: "loopx doctor",
    details: { field: "registry" },
  });
}

function isRegisteredGoal(goal: unknown): goal is RegisteredGoal {
  if (!isObject(goal)) return false;
  const { goal_id: goalId, project_id: projectId, root, label } = goal;
  const isText = [goalId, projectId, root, label].every((value) => typeof value === "string");
  return isText && isAbsolute(String(root));
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
