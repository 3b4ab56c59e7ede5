/** What a capability needs of an extension. */
export interface ProviderNeed {
  readonly capabilityId: string;
  readonly protocol: string;
  readonly permission: string;
  /** Exactly this extension; without it, the only one that is ready. */
  readonly extensionId?: string | undefined;
}

/** Also the reason code of a receipt. */
export type ReadinessStatus =
  | "ready"
  | "extension_state_unavailable"
  | "extension_not_installed"
  | "extension_incompatible"
  | "extension_disabled"
  | "extension_doctor_not_ready"
  | "extension_provider_ambiguous"
  | "extension_provider_not_installed"
  | "extension_provider_not_ready";

export type NextAction =
  | "repair_extension_state"
  | "install_extension"
  | "install_compatible_extension"
  | "enable_extension"
  | "run_extension_doctor"
  | "select_extension_id"
  | "install_or_select_extension"
  | "select_or_repair_extension";

/** Whether a capability has its provider, and what mends it where it has none. Computed at each reading. */
export interface ProviderReadiness {
  readonly schema_version: "loopx_extension_provider_readiness_v0";
  readonly status: ReadinessStatus;
  readonly extension_id: string | null;
  readonly installed: boolean | null;
  readonly enabled: boolean | null;
  readonly doctor_verified: boolean | null;
  readonly next_action: NextAction | null;
}

const NEXT_ACTIONS: Readonly<Record<ReadinessStatus, NextAction | null>> = {
  ready: null,
  extension_state_unavailable: "repair_extension_state",
  extension_not_installed: "install_extension",
  extension_incompatible: "install_compatible_extension",
  extension_disabled: "enable_extension",
  extension_doctor_not_ready: "run_extension_doctor",
  extension_provider_ambiguous: "select_extension_id",
  extension_provider_not_installed: "install_or_select_extension",
  extension_provider_not_ready: "select_or_repair_extension",
};

/** What is known of the extension, in the order of the packet; null where nobody could look. */
export type ReadinessFacts = readonly [installed: boolean | null, enabled: boolean | null, verified: boolean | null];

export function toReadiness(
  status: ReadinessStatus,
  extensionId: string | undefined,
  [installed, enabled, verified]: ReadinessFacts,
): ProviderReadiness {
  return {
    schema_version: "loopx_extension_provider_readiness_v0",
    status,
    extension_id: extensionId ?? null,
    installed,
    enabled,
    doctor_verified: verified,
    next_action: NEXT_ACTIONS[status],
  };
}

/** The readiness of a home whose store cannot be read: nothing is known of any extension. */
export function toUnreadableReadiness(need: Pick<ProviderNeed, "extensionId">): ProviderReadiness {
  return toReadiness("extension_state_unavailable", need.extensionId, [null, null, null]);
}
