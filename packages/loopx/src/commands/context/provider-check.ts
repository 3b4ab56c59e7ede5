import { LoopxError, type Ambient } from "@loopx/contracts";
import { explainFault, Readiness, type ProviderReadiness } from "@loopx/runtime-context";
import { openNamedDeployment, type DeploymentFlags } from "../../context/open-runtime.ts";
import { sayProviderReason } from "../../context/say-provider-reason.ts";
import { createProviderClock } from "../../context/runtime-parts.ts";
import type { CommandResult } from "../../output/command-result.ts";
import { renderTable } from "../../output/render-table.ts";
import type { TextStyle } from "../../output/text-style.ts";
import { joinLines } from "../../packets/render-facts.ts";
import type { CommandHandler, CommandInput } from "../command-handler.ts";

type Input = CommandInput<"context provider check">;

/** Whether the providers of a deployment are ready, or whether one keeps its contract. */
export const run: CommandHandler<"context provider check"> = async (input) => {
  const { flags, positionals, ambient } = input;
  const isAboutOne = positionals.length > 0 || flags.provider !== undefined || flags.value !== undefined;
  if (isAboutOne) {
    const { checkConformance } = await import("../../context/check-conformance.ts");
    return checkConformance(input);
  }
  return checkReadiness(requireDeployment(flags), ambient);
};

function requireDeployment({ build, binding }: Input["flags"]): DeploymentFlags {
  if (build !== undefined && binding !== undefined) return { build, binding };
  throw new LoopxError("missing_flag", {
    message: "loopx context provider check needs --build and --binding, or a provider to hold against its contract",
    hint: "name one: loopx context provider check <url> --provider=<id> --value=<value>",
    details: { field: build === undefined ? "build" : "binding" },
  });
}

/** Asks each provider to describe itself, with the credential and limits that turns use. */
async function checkReadiness(named: DeploymentFlags, ambient: Ambient): Promise<CommandResult> {
  const deployment = await openNamedDeployment(named, ambient);
  try {
    const providers = await new Readiness(createProviderClock(ambient)).check(deployment);
    const isReady = providers.every((provider) => provider.isReady);
    return {
      packet: {
        ok: isReady,
        schema_version: "loopx_context_provider_check_v1",
        providers: providers.map(toPacket),
      },
      text: (style) => joinLines(renderProviders(providers, style), ...providers.map(sayRemedy)),
      exitCode: isReady ? 0 : 1,
    };
  } finally {
    await deployment.close();
  }
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

function renderProviders(providers: readonly ProviderReadiness[], style: TextStyle): string {
  return renderTable(
    [{ title: "PROVIDER" }, { title: "TYPE" }, { title: "STATUS" }, { title: "REASON" }, { title: "VERSION" }],
    providers.map(({ provider, type, status, reason, version, finding }) => [
      provider,
      type ?? "",
      status,
      sayProviderReason(reason, finding?.pointer),
      version ?? "",
    ]),
    style,
  );
}

/** What mends a program that isn't ready; a database's reason says it by itself. */
function findRemedy({ type, status, reason, finding }: ProviderReadiness): string | null {
  if (type !== "http" || status === "OK") return null;
  return explainFault({ status, reason, ...(finding === undefined ? {} : { finding }) }).remedy;
}

function sayRemedy(provider: ProviderReadiness): string {
  const remedy = findRemedy(provider);
  return remedy === null ? "" : `${provider.provider}: ${remedy}`;
}
