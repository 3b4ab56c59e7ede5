import { LoopxError, type Ambient } from "@loopx/contracts";
import { Readiness, type ProviderReadiness } from "@loopx/runtime-context";
import { openNamedDeployment, type DeploymentFlags } from "../../context/open-runtime.ts";
import { findRemedy, toReadinessPacket } from "../../context/readiness-packet.ts";
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
      packet: toReadinessPacket(providers),
      text: (style) => joinLines(renderProviders(providers, style), ...providers.map(sayRemedy)),
      exitCode: isReady ? 0 : 1,
    };
  } finally {
    await deployment.close();
  }
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

function sayRemedy(provider: ProviderReadiness): string {
  const remedy = findRemedy(provider);
  return remedy === null ? "" : `${provider.provider}: ${remedy}`;
}
