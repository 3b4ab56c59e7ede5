import { LoopxError, type Ambient, type ConformanceCheck } from "@loopx/contracts";
import {
  checkProvider,
  parseSecretReference,
  resolveSecret,
  toMissingValue,
  toUrlBinding,
  type ConformanceReport,
  type HttpProviderBinding,
} from "@loopx/runtime-context";
import type { CommandInput } from "../commands/command-handler.ts";
import type { CommandResult } from "../output/command-result.ts";
import { renderConformance } from "../packets/render-conformance.ts";
import { loadBinding } from "./binding-place.ts";
import { loadNamedBuild } from "./build-place.ts";
import { createProviderClock } from "./runtime-parts.ts";

type Input = CommandInput<"context provider check">;

/** Holds one live provider against context-provider.v1, for its author. */
export async function checkConformance(input: Input): Promise<CommandResult> {
  const { flags, ambient } = input;
  const provider = requireText(flags.provider, "provider");
  const value = requireText(flags.value, "value");
  const binding = await findBinding(input, provider);
  const key = flags.key ?? (await findKey(input, provider)) ?? "id";
  const sample = { provider, key, value, missingValue: flags.missingValue ?? toMissingValue(value) };
  const secret = binding.secret === null ? null : resolveSecret(binding.secret, ambient.env);
  const report = await checkProvider(binding, sample, { clock: createProviderClock(ambient), secret });
  return {
    packet: toPacket(report, provider),
    text: (style) => renderConformance({ ...report, name: provider }, report.checks, style),
    exitCode: report.isConformant ? 0 : 1,
  };
}

function requireText(text: string | undefined, flag: string): string {
  if (text !== undefined) return text;
  throw new LoopxError("missing_flag", {
    message: `a provider is held against its contract with --provider and --value; --${flag} is missing`,
    hint: "loopx context provider check <url> --provider=<id> --value=<value it has a record of>",
    details: { field: flag },
  });
}

/** A URL has a colon, and no binding's name or usual file does: `127.0.0.1:8787` is a URL that lacks its scheme. */
async function findBinding({ flags, positionals, ambient }: Input, provider: string): Promise<HttpProviderBinding> {
  const [named] = positionals;
  const url = named?.includes(":") === true ? named : undefined;
  const binding = flags.binding ?? (url === undefined ? named : undefined);
  if (url !== undefined && binding === undefined)
    return { ...toUrlBinding(url), secret: parseSecret(flags.secret, ambient) };
  const isNamedTwice = named !== undefined && flags.binding !== undefined;
  if (isNamedTwice || binding === undefined || flags.secret !== undefined) {
    throw new LoopxError("usage", {
      message: "name the provider by a URL, with --secret where it wants a token, or by --binding, which has both",
      hint: "loopx context provider check <url> --provider=<id> --value=<value> --secret=env:NAME",
    });
  }
  const { providers } = await loadBinding(binding, ambient);
  const bound = Object.hasOwn(providers, provider) ? providers[provider] : undefined;
  if (bound?.type === "http") return bound;
  throw new LoopxError("invalid_value", {
    message:
      bound === undefined ? "the binding has no provider of this id" : "a SQLite provider has no program to check",
    hint: `it binds over HTTP: ${listHttpProviders(providers)}`,
    details: { field: "provider" },
  });
}

function listHttpProviders(providers: Readonly<Record<string, { readonly type: string }>>): string {
  const names = Object.entries(providers).filter(([, { type }]) => type === "http");
  return names.length === 0 ? "none" : names.map(([name]) => name).join(", ");
}

function parseSecret(text: string | undefined, ambient: Ambient): HttpProviderBinding["secret"] {
  if (text === undefined) return null;
  const reference = parseSecretReference(text, ambient.cwd);
  if (reference !== undefined) return reference;
  throw new LoopxError("invalid_value", {
    message: "--secret takes env:NAME or file:PATH, never the token itself",
    hint: "for example --secret=env:CRM_TOKEN",
    details: { field: "secret" },
  });
}

async function findKey({ flags, ambient }: Input, provider: string): Promise<string | undefined> {
  if (flags.build === undefined) return undefined;
  const { manifest } = await loadNamedBuild("build", flags.build, ambient);
  return manifest.providers.find(({ id }) => id === provider)?.lookup.input;
}

function toPacket({ isConformant, checks, version, latency }: ConformanceReport, provider: string): object {
  return {
    ok: isConformant,
    schema_version: "loopx_context_provider_conformance_v1",
    provider,
    contract: "context-provider.v1",
    version,
    checks,
    latency:
      latency === null
        ? null
        : { count: latency.count, median_ms: Math.ceil(latency.medianMs), slowest_ms: Math.ceil(latency.slowestMs) },
    ...count(checks),
  };
}

function count(checks: readonly ConformanceCheck[]): Readonly<Record<`${ConformanceCheck["state"]}_count`, number>> {
  const of = (state: ConformanceCheck["state"]): number => checks.filter((check) => check.state === state).length;
  return { passed_count: of("passed"), failed_count: of("failed"), skipped_count: of("skipped") };
}
