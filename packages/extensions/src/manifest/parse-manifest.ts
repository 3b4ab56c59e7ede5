import { parse, TomlError } from "smol-toml";
import { checkRelations } from "./check-relations.ts";
import { findTomlLine } from "./find-toml-line.ts";
import type { Documentation, ExtensionManifest, ManifestRuntime, ProvidedCapability } from "./manifest.ts";
import { toManifestError, type ManifestFault } from "./manifest-fault.ts";
import { checkTable, isTable, type ManifestRules, type TomlFields } from "./manifest-rule.ts";
import {
  ALIAS_RULES,
  DOCUMENTATION_RULES,
  IMPLEMENTS_RULES,
  PROVIDES_RULES,
  RUNTIME_RULES,
  TOP_RULES,
} from "./manifest-rules.ts";

const DEFAULT_TIMEOUT_SECONDS = 30;

/**
 * The manifest that a TOML text states. Loaded with its library: only commands that read a manifest need it.
 *
 * Refuses with `manifest_invalid`, which lists every fault with its field and line.
 */
export function parseManifest(source: string): ExtensionManifest {
  const top = parseToml(source);
  const faults: ManifestFault[] = [];
  checkTable(top, { pointer: [], rules: TOP_RULES }, faults);
  const { runtime, documentation } = top;
  if (runtime !== undefined) checkTable(runtime, { pointer: ["runtime"], rules: RUNTIME_RULES }, faults);
  checkTables(top, { key: "implements", rules: IMPLEMENTS_RULES }, faults);
  checkTables(top, { key: "provides", rules: PROVIDES_RULES }, faults);
  if (checkIfThere(documentation, faults)) {
    checkTables(documentation, { key: "aliases", rules: ALIAS_RULES, within: "documentation" }, faults);
  }
  if (faults.length === 0) faults.push(...checkRelations(toManifest(top)));
  if (faults.length > 0) throw toManifestError(faults, (pointer) => findTomlLine(source, pointer));
  return toManifest(top);
}

function parseToml(source: string): TomlFields {
  try {
    return parse(source, { integersAsBigInt: true, maxDepth: 16 });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const fault = { pointer: [], says: `is not TOML from column ${error.column} on` };
    throw toManifestError([fault], () => error.line);
  }
}

function checkIfThere(documentation: unknown, faults: ManifestFault[]): documentation is TomlFields {
  if (documentation === undefined) return false;
  checkTable(documentation, { pointer: ["documentation"], rules: DOCUMENTATION_RULES }, faults);
  return isTable(documentation);
}

function checkTables(
  table: TomlFields,
  { key, rules, within }: { readonly key: string; readonly rules: ManifestRules; readonly within?: string },
  faults: ManifestFault[],
): void {
  const value = table[key];
  const pointer = within === undefined ? [key] : [within, key];
  if (value === undefined) return;
  if (!Array.isArray(value)) {
    faults.push({ pointer, says: `must be a list of tables: [[${pointer.join(".")}]]` });
    return;
  }
  for (const [at, each] of value.entries()) checkTable(each, { pointer: [...pointer, at], rules }, faults);
}

/** The snapshot; its fields are what the rules let through. */
function toManifest(top: TomlFields): ExtensionManifest {
  const id = top["id"] as string;
  const version = top["version"] as string;
  const implemented = (top["implements"] ?? []) as readonly TomlFields[];
  const provided = (top["provides"] ?? []) as readonly TomlFields[];
  return {
    provider: {
      id,
      origin: "extension",
      declared: true,
      installed: false,
      enabled: false,
      ready: false,
      version,
      requires_loopx_api: top["requires_loopx_api"] as string,
      permissions: (top["permissions"] ?? []) as string[],
    },
    runtime: toRuntime(top["runtime"] as TomlFields),
    implementations: implemented.map((each) => ({
      capability_id: each["capability_id"] as string,
      protocol: each["protocol"] as string,
      provider_id: id,
      provider_version: version,
    })),
    capabilities: provided.map((each) => toCapability(each, { id, version })),
    presentation_surfaces: [],
    documentation: toDocumentation(top["documentation"] as TomlFields | undefined),
  };
}

function toRuntime(table: TomlFields): ManifestRuntime {
  return {
    protocol: table["protocol"] as string,
    entrypoint: table["entrypoint"] as string,
    args: (table["args"] ?? []) as string[],
    doctor_args: (table["doctor_args"] ?? []) as string[],
    required_permissions: (table["required_permissions"] ?? []) as string[],
    timeout_seconds: Number(table["timeout_seconds"] ?? DEFAULT_TIMEOUT_SECONDS),
  };
}

function toCapability(table: TomlFields, owner: { readonly id: string; readonly version: string }): ProvidedCapability {
  return {
    id: table["id"] as string,
    capability_kind: table["kind"] as string,
    title: table["title"] as string,
    status: table["status"] as string,
    visibility: table["visibility"] as ProvidedCapability["visibility"],
    user_value: table["user_value"] as string,
    next_real_step: table["next_real_step"] as string,
    real_world_anchor: (table["real_world_anchor"] ?? null) as string | null,
    entry_command: (table["entry_command"] ?? null) as string | null,
    origin: "extension",
    provider_id: owner.id,
    provider_version: owner.version,
  };
}

function toDocumentation(table: TomlFields | undefined): Documentation | null {
  if (table === undefined) return null;
  const aliases = (table["aliases"] ?? []) as readonly { readonly source: string; readonly site: string }[];
  return {
    source_root: table["source_root"] as string,
    site_root: table["site_root"] as string,
    canonical: table["canonical"] as string,
    aliases: aliases.map(({ source, site }) => ({ source, site })),
  };
}
