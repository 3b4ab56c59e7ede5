import { PROJECT_CONTRACT } from "../project/context-project.ts";
import { BUILD_CONTRACT } from "./context-build.ts";

/**
 * The project inside a manifest as it would be written in `context.project.json`, so that one schema judges both.
 *
 * Takes any value; what has no place in a manifest stays and is refused by the schema or by building it again.
 */
export function toProjectDocument(manifest: unknown): unknown {
  if (!isRecord(manifest) || manifest["contract"] !== BUILD_CONTRACT) return undefined;
  const { contract: _contract, project, resolved: _resolved, unpinned: _unpinned, ...kinds } = manifest;
  const { objectives, consumers, profiles, layers, ...rest } = kinds;
  return {
    ...rest,
    ...(isRecord(project) ? project : {}),
    contract: PROJECT_CONTRACT,
    objectives: mapRecords(objectives, withoutNulls),
    consumers: mapRecords(consumers, withoutNulls),
    profiles: mapRecords(profiles, ({ budget, ...profile }) => ({
      ...withoutNulls(profile),
      budget: isRecord(budget) ? withoutNulls(budget) : budget,
    })),
    layers: mapRecords(layers, ({ bindings, ...layer }) => ({
      ...withoutNulls(layer),
      bindings: mapRecords(bindings, toWrittenBinding),
    })),
  };
}

function toWrittenBinding(binding: Record<string, unknown>): unknown {
  const { kind, ...rest } = binding;
  if (kind !== "file") return rest;
  const { path, ...other } = rest;
  return { ...other, file: path };
}

function mapRecords(entries: unknown, change: (entry: Record<string, unknown>) => unknown): unknown {
  return Array.isArray(entries) ? entries.map((entry: unknown) => (isRecord(entry) ? change(entry) : entry)) : entries;
}

/** Null in a manifest is left out in a project. */
function withoutNulls(entry: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
