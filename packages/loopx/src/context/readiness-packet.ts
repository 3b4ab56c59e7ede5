import { explainFault, type ProviderReadiness } from "@loopx/runtime-context";

/** What `context provider check` answers of a deployment. */
export function toReadinessPacket(providers: readonly ProviderReadiness[]): object {
  return {
    ok: providers.every((provider) => provider.isReady),
    schema_version: "loopx_context_provider_check_v1",
    providers: providers.map(toPacket),
  };
}

function toPacket(provider: ProviderReadiness): object {
  const { type, isReady: ready, status, reason, version, finding } = provider;
  const remedy = findRemedy(provider);
  return {
    provider: provider.provider,
    type,
    ready,
    status,
    reason,
    ...(finding === undefined ? {} : { pointer: finding.pointer }),
    ...(remedy === null ? {} : { remedy }),
    version,
  };
}

/** What mends a program that isn't ready; a database's reason says it by itself. */
export function findRemedy({ type, status, reason, finding }: ProviderReadiness): string | null {
  if (type !== "http" || status === "OK") return null;
  return explainFault({ status, reason, ...(finding === undefined ? {} : { finding }) }).remedy;
}
