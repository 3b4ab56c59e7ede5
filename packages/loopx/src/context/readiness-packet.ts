import type { ProviderReadiness } from "@loopx/runtime-context";

/** What `context provider check` answers of a deployment. */
export function toReadinessPacket(providers: readonly ProviderReadiness[]): object {
  return {
    ok: providers.every((provider) => provider.isReady),
    schema_version: "loopx_context_provider_check_v1",
    providers: providers.map(({ provider, type, isReady: ready, status, reason, version, finding }) => ({
      provider,
      type,
      ready,
      status,
      reason,
      ...(finding === undefined ? {} : { pointer: finding.pointer }),
      version,
    })),
  };
}
