import { ADVISORY_CAPABILITY, ADVISORY_PERMISSION, ADVISORY_PROTOCOL, type ExtensionManifest } from "./manifest.ts";
import type { ManifestFault } from "./manifest-fault.ts";

/** What the parts of a manifest owe one another. */
export function checkRelations(manifest: ExtensionManifest): readonly ManifestFault[] {
  return [...checkPermissions(manifest), ...checkImplementations(manifest), ...checkCapabilities(manifest)];
}

function checkPermissions({ provider, runtime }: ExtensionManifest): readonly ManifestFault[] {
  const undeclared = runtime.required_permissions.find((each) => !provider.permissions.includes(each));
  if (undeclared === undefined) return [];
  return [
    {
      pointer: ["runtime", "required_permissions"],
      says: `needs ${undeclared}, which permissions does not list`,
    },
  ];
}

function checkImplementations(manifest: ExtensionManifest): readonly ManifestFault[] {
  const { implementations, runtime, capabilities } = manifest;
  const own = new Set(capabilities.map(({ id }) => id));
  const seen = new Set<string>();
  return implementations.flatMap(({ capability_id: id, protocol }, at) => {
    const says = (key: string, words: string): ManifestFault[] => [{ pointer: ["implements", at, key], says: words }];
    if (seen.has(id)) return says("capability_id", "is implemented twice");
    seen.add(id);
    if (id !== ADVISORY_CAPABILITY && !own.has(id)) {
      return says(
        "capability_id",
        `names no capability of LoopX: ${ADVISORY_CAPABILITY} is the one that takes providers`,
      );
    }
    if (protocol !== runtime.protocol) return says("protocol", `must be that of [runtime], ${runtime.protocol}`);
    return id === ADVISORY_CAPABILITY ? checkAdvisory(manifest, at) : [];
  });
}

function checkAdvisory({ runtime }: ExtensionManifest, at: number): readonly ManifestFault[] {
  if (runtime.protocol !== ADVISORY_PROTOCOL) {
    return [
      { pointer: ["implements", at, "protocol"], says: `must be ${ADVISORY_PROTOCOL} for ${ADVISORY_CAPABILITY}` },
    ];
  }
  if (runtime.required_permissions.includes(ADVISORY_PERMISSION)) return [];
  return [
    {
      pointer: ["runtime", "required_permissions"],
      says: `must list ${ADVISORY_PERMISSION}, as permissions must, to implement ${ADVISORY_CAPABILITY}`,
    },
  ];
}

function checkCapabilities({ capabilities }: ExtensionManifest): readonly ManifestFault[] {
  const seen = new Set<string>([ADVISORY_CAPABILITY]);
  return capabilities.flatMap((each, at) => {
    const faults: ManifestFault[] = [];
    if (seen.has(each.id)) faults.push({ pointer: ["provides", at, "id"], says: "is taken by another capability" });
    seen.add(each.id);
    if (each.visibility === "internal") return faults;
    for (const key of ["real_world_anchor", "entry_command"] as const) {
      if (each[key] === null)
        faults.push({ pointer: ["provides", at, key], says: "is required of a public capability" });
    }
    return faults;
  });
}
