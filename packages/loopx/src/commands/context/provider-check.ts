import { Readiness } from "@loopx/runtime-context";
import { openNamedDeployment } from "../../context/open-runtime.ts";
import { sayProviderReason } from "../../context/say-provider-reason.ts";
import { createProviderClock } from "../../context/runtime-parts.ts";
import { renderTable } from "../../output/render-table.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Asks each provider to describe itself, with the credential and limits that turns use. */
export const run: CommandHandler<"context provider check"> = async ({ flags, ambient }) => {
  const deployment = await openNamedDeployment(flags, ambient);
  try {
    const providers = await new Readiness(createProviderClock(ambient)).check(deployment);
    const isReady = providers.every((provider) => provider.isReady);
    return {
      packet: {
        ok: isReady,
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
      },
      text: (style) =>
        renderTable(
          [{ title: "PROVIDER" }, { title: "TYPE" }, { title: "STATUS" }, { title: "REASON" }, { title: "VERSION" }],
          providers.map(({ provider, type, status, reason, version, finding }) => [
            provider,
            type ?? "",
            status,
            sayProviderReason(reason, finding?.pointer),
            version ?? "",
          ]),
          style,
        ),
      exitCode: isReady ? 0 : 1,
    };
  } finally {
    await deployment.close();
  }
};
