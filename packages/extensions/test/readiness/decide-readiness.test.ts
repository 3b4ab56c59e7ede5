import type { Instant } from "@loopx/contracts";
import { expect, test } from "vitest";
import { ADVISORY_PERMISSION, ADVISORY_PROTOCOL, type ProviderNeed, type RuntimeBinding } from "../../src/index.ts";
import type { ExtensionManifest } from "../../src/manifest/manifest.ts";
import { parseManifest } from "../../src/manifest/parse-manifest.ts";
import { decideReadiness, type ProviderCandidate } from "../../src/readiness/decide-readiness.ts";
import { sampleManifest } from "../manifest/sample-manifest.ts";

const NEED: ProviderNeed = {
  capabilityId: "decision-context",
  protocol: ADVISORY_PROTOCOL,
  permission: ADVISORY_PERMISSION,
};
const MANIFEST = parseManifest(sampleManifest());
const OTHER: ExtensionManifest = { ...MANIFEST, implementations: [] };
const UNPERMITTED: ExtensionManifest = {
  ...MANIFEST,
  runtime: { ...MANIFEST.runtime, required_permissions: [] },
};

function candidate(
  id: string,
  state: "ready" | "stale" | "disabled",
  manifest: ExtensionManifest = MANIFEST,
): ProviderCandidate {
  const revision = "b010de8d08f47875";
  const time = "2026-03-01T12:00:00.000Z" as Instant;
  return {
    extension: {
      extension_id: id,
      enabled: state !== "disabled",
      active_revision: revision,
      rollback_revision: null,
      verified_revision: revision,
      verified_identity: "identity",
      change_count: 1,
      changed_at: time,
    },
    revision: {
      extension_id: id,
      revision,
      manifest,
      folder: "/x",
      entrypoint: "/x/provider",
      ordinal: 1,
      recorded_at: time,
    },
    bindVerified: () => (state === "stale" ? undefined : ({ extensionId: id } as RuntimeBinding)),
  };
}

function show(candidates: readonly ProviderCandidate[], extensionId?: string): readonly unknown[] {
  const { readiness, binding } = decideReadiness(candidates, { ...NEED, extensionId });
  const { status, extension_id: id, installed, enabled, doctor_verified: verified, next_action: next } = readiness;
  return [status, id, installed, enabled, verified, next, binding?.extensionId ?? null];
}

function several(enabled: boolean): readonly unknown[] {
  return ["extension_provider_not_ready", null, true, enabled, false, "select_or_repair_extension", null];
}

test("an extension that is named is the one, whatever others are ready", () => {
  const all = [candidate("a", "ready"), candidate("b", "ready"), candidate("c", "disabled"), candidate("d", "stale")];
  expect(show(all, "b")).toEqual(["ready", "b", true, true, true, null, "b"]);
  expect(show(all, "c")).toEqual(["extension_disabled", "c", true, false, false, "enable_extension", null]);
  expect(show(all, "d")).toEqual(["extension_doctor_not_ready", "d", true, true, false, "run_extension_doctor", null]);
  expect(show(all, "e")).toEqual(["extension_not_installed", "e", false, false, false, "install_extension", null]);
});

test("an extension that is named and implements something else, or lacks the permission, is incompatible", () => {
  const others = [candidate("a", "ready", OTHER), candidate("b", "ready", UNPERMITTED)];
  const next = "install_compatible_extension";
  expect(show(others, "a")).toEqual(["extension_incompatible", "a", true, true, true, next, null]);
  expect(show(others, "b")).toEqual(["extension_incompatible", "b", true, true, true, next, null]);
  expect(show([candidate("a", "stale", OTHER)], "a")).toEqual([
    "extension_incompatible",
    "a",
    true,
    true,
    false,
    next,
    null,
  ]);
});

test("without a name exactly one that is ready is the one: others that are off or stale do not make it ambiguous", () => {
  expect(show([candidate("a", "disabled"), candidate("b", "ready"), candidate("c", "stale")])).toEqual([
    "ready",
    "b",
    true,
    true,
    true,
    null,
    "b",
  ]);
  expect(show([candidate("a", "ready"), candidate("b", "ready")])).toEqual([
    "extension_provider_ambiguous",
    null,
    true,
    true,
    true,
    "select_extension_id",
    null,
  ]);
});

test("without a name and without one that is ready it is said what mends it", () => {
  const missing = ["extension_provider_not_installed", null, false, false, false, "install_or_select_extension", null];
  expect(show([])).toEqual(missing);
  expect(show([candidate("a", "ready", OTHER)])).toEqual(missing);
  expect(show([candidate("a", "disabled")])[0]).toBe("extension_disabled");
  expect(show([candidate("a", "stale")])[0]).toBe("extension_doctor_not_ready");
  expect(show([candidate("a", "ready", UNPERMITTED)])[0]).toBe("extension_incompatible");
  expect(show([candidate("a", "stale"), candidate("b", "disabled")])).toEqual(several(true));
  expect(show([candidate("a", "disabled"), candidate("b", "disabled")])).toEqual(several(false));
});
