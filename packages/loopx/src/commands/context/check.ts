import type { Ambient } from "@loopx/contracts";
import {
  checkProject,
  createBuild,
  explainBinding,
  findBindingInProject,
  inspectBinding,
  loadContextProject,
  renderFinding,
  type BoundProvider,
  type ExplainedBinding,
  type Finding,
} from "@loopx/runtime-context";
import { findBindingFile, readBindingFile } from "../../context/binding-place.ts";
import { findProjectFolder } from "../../context/project-place.ts";
import type { TextStyle } from "../../output/text-style.ts";
import { joinLines } from "../../packets/render-facts.ts";
import type { CommandHandler } from "../command-handler.ts";

interface Checked {
  readonly findings: readonly Finding[];
  /** Null without a binding, or where project or binding can't be used at all. */
  readonly binding: ExplainedBinding | null;
}

/** Says everything that is wrong with a project, and what a binding does for each of its providers. */
export const run: CommandHandler<"context check"> = async ({ flags, globals, ambient }) => {
  const directory = findProjectFolder(globals.project, ambient);
  const findings = await checkProject(directory);
  const checked: Checked =
    flags.binding === undefined
      ? { findings, binding: null }
      : await checkBinding(flags.binding, { directory, findings, ambient });
  const isSound = isWithoutFault(checked);
  return {
    packet: {
      ok: isSound,
      schema_version: "loopx_context_check_v1",
      findings: checked.findings,
      ...(checked.binding === null ? {} : { binding: toBindingPacket(checked.binding) }),
    },
    text: (style) =>
      joinLines(
        ...checked.findings.map((finding) => renderLine(finding, style)),
        ...(checked.binding === null ? [] : renderBinding(checked.binding, style)),
        isSound ? style.green("sound") : style.red("not sound"),
      ),
    exitCode: isSound ? 0 : 1,
  };
};

async function checkBinding(
  written: string,
  project: { readonly directory: string; readonly findings: readonly Finding[]; readonly ambient: Ambient },
): Promise<Checked> {
  const { directory, ambient } = project;
  const path = findBindingFile(written, ambient);
  const inspected = await inspectBinding(readBindingFile(path, written, ambient), { path });
  const misplaced = findBindingInProject(path, directory);
  const findings = [...project.findings, ...inspected.findings, ...(misplaced === undefined ? [] : [misplaced])];
  if (inspected.binding === null || hasError(project.findings)) return { findings, binding: null };
  const loaded = await loadContextProject(directory);
  const build = createBuild(loaded.project, loaded.files);
  return { findings, binding: explainBinding(build, inspected.binding, ambient.env) };
}

/** An entry that nobody uses is said and passes; what stands in the way of a provider or of traces does not. */
function isWithoutFault({ findings, binding }: Checked): boolean {
  const isBound = binding === null || binding.providers.every(({ state }) => state === "bound" || state === "unused");
  return !hasError(findings) && isBound && (binding === null || binding.keysetRefused === null);
}

function hasError(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === "error");
}

function toBindingPacket({ revision, digest, providers, keysetRefused }: ExplainedBinding): object {
  return {
    revision,
    digest,
    providers: providers.map(({ provider, state, type, target, secret, maxItems, says }) => ({
      provider,
      state,
      type,
      target,
      secret,
      max_items: maxItems,
      says,
    })),
    keyset_refused: keysetRefused,
  };
}

function renderLine(finding: Finding, style: TextStyle): string {
  const label = finding.severity === "error" ? style.red("error  ") : style.yellow("warning");
  return `${label}  ${finding.rule}  ${renderFinding(finding)}`;
}

function renderBinding({ providers, keysetRefused }: ExplainedBinding, style: TextStyle): readonly string[] {
  return [
    ...providers.flatMap((bound) => renderProvider(bound, style)),
    ...(keysetRefused === null ? [] : [`${style.red("refused")}  keyset: ${keysetRefused}`]),
  ];
}

function renderProvider({ provider, state, type, target, secret, says }: BoundProvider, style: TextStyle): string[] {
  const paint = { bound: style.green, refused: style.red, missing: style.red, unused: style.yellow }[state];
  const place = [type, target, secret === null ? null : `secret ${secret}`].filter((part) => part !== null).join(" ");
  return [
    `${paint(state.padEnd(7))}  ${provider}${place === "" ? "" : `: ${place}`}`,
    ...says.map((line) => `         ${line}`),
  ];
}
