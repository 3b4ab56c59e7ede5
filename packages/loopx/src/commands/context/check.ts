import type { Ambient } from "@loopx/contracts";
import {
  explainBinding,
  findBindingInProject,
  inspectBinding,
  inspectProjectDirectory,
  renderFinding,
  type BoundProvider,
  type ExplainedBinding,
  type Finding,
  type InspectedDirectory,
} from "@loopx/runtime-context";
import { printCommand } from "../../command-line/print-command.ts";
import { findBindingFile, hasNamedBinding, readBindingFile } from "../../context/binding-place.ts";
import { findProjectFolder } from "../../context/project-place.ts";
import type { TextStyle } from "../../output/text-style.ts";
import { joinLines, renderNext } from "../../packets/render-facts.ts";
import type { CommandHandler, CommandInput } from "../command-handler.ts";

interface Checked {
  readonly project: InspectedDirectory;
  /** Of project and binding. */
  readonly findings: readonly Finding[];
  /** Null without a binding, or with one that can't be used at all. */
  readonly binding: ExplainedBinding | null;
}

/** Says everything that is wrong with a project, what a binding does for each of its providers, and what to do next. */
export const run: CommandHandler<"context check"> = async (input) => {
  const { flags, globals, ambient } = input;
  const directory = findProjectFolder(globals.project, ambient);
  const project = await inspectProjectDirectory(directory);
  const checked: Checked =
    flags.binding === undefined
      ? { project, findings: project.findings, binding: null }
      : await checkBinding(flags.binding, { directory, project, ambient });
  const isSound = isWithoutFault(checked);
  const next = [isSound ? printNextStep(input, checked) : printCheck(input, flags.binding)];
  return {
    packet: {
      ok: isSound,
      schema_version: "loopx_context_check_v1",
      findings: checked.findings,
      ...(checked.binding === null ? {} : { binding: toBindingPacket(checked.binding) }),
      next,
    },
    text: (style) =>
      joinLines(
        ...checked.findings.map((finding) => renderLine(finding, style)),
        ...(checked.binding === null ? [] : renderBinding(checked.binding, style)),
        isSound ? style.green("sound") : style.red("not sound"),
        renderNext(next, style, isSound ? "next" : "when that is mended"),
      ),
    exitCode: isSound ? 0 : 1,
  };
};

type Input = Pick<CommandInput<"context check">, "flags" | "globals" | "ambient">;

/** The binding that is there for it, where none was looked at; otherwise the build. */
function printNextStep(input: Input, { project }: Checked): string {
  const { flags, globals, ambient } = input;
  if (flags.binding === undefined && hasNamedBinding(project.id, ambient)) return printCheck(input, project.id);
  return printCommand("context build", { output: "builds" }, { globals: toProjectFlag(globals.project) }).shell;
}

function printCheck({ globals }: Input, binding: string | undefined): string {
  const flags = binding === undefined ? {} : { binding };
  return printCommand("context check", flags, { globals: toProjectFlag(globals.project) }).shell;
}

function toProjectFlag(project: string | undefined): { readonly project?: string } {
  return project === undefined ? {} : { project };
}

async function checkBinding(
  written: string,
  at: { readonly directory: string; readonly project: InspectedDirectory; readonly ambient: Ambient },
): Promise<Checked> {
  const { directory, project, ambient } = at;
  const path = findBindingFile(written, ambient);
  const inspected = await inspectBinding(readBindingFile(path, written, ambient), { path });
  const misplaced = findBindingInProject(path, directory);
  const findings = [...project.findings, ...inspected.findings, ...(misplaced === undefined ? [] : [misplaced])];
  const { binding } = inspected;
  return {
    project,
    findings,
    binding: binding === null ? null : explainBinding(project.providers, binding, ambient.env),
  };
}

/** An entry that nobody uses is said and passes; what stands in the way of a provider or of traces does not. */
function isWithoutFault({ findings, binding }: Checked): boolean {
  const isBound = binding === null || binding.providers.every(({ state }) => state === "bound" || state === "unused");
  return !hasError(findings) && isBound && (binding === null || binding.keysetRefused === null);
}

function hasError(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === "error");
}

function toBindingPacket({ revision, digest, providers, keysetRefused, keysetRemedies }: ExplainedBinding): object {
  return {
    revision,
    digest,
    providers: providers.map(({ provider, state, type, target, secret, maxItems, says, remedies }) => ({
      provider,
      state,
      type,
      target,
      secret,
      max_items: maxItems,
      says,
      remedies,
    })),
    keyset_refused: keysetRefused,
    keyset_remedies: keysetRemedies,
  };
}

function renderLine(finding: Finding, style: TextStyle): string {
  const label = finding.severity === "error" ? style.red("error  ") : style.yellow("warning");
  return `${label}  ${finding.rule}  ${renderFinding(finding)}`;
}

function renderBinding(
  { providers, keysetRefused, keysetRemedies }: ExplainedBinding,
  style: TextStyle,
): readonly string[] {
  return [
    ...providers.flatMap((bound) => renderProvider(bound, style)),
    ...(keysetRefused === null ? [] : [`${style.red("refused")}  keyset: ${keysetRefused}`]),
    ...renderRemedies(keysetRemedies, style),
  ];
}

function renderProvider(bound: BoundProvider, style: TextStyle): readonly string[] {
  const { provider, state, type, target, secret, says, remedies } = bound;
  const paint = { bound: style.green, refused: style.red, missing: style.red, unused: style.yellow }[state];
  const place = [type, target, secret === null ? null : `secret ${secret}`].filter((part) => part !== null).join(" ");
  return [
    `${paint(state.padEnd(7))}  ${provider}${place === "" ? "" : `: ${place}`}`,
    ...says.map((line) => `         ${line}`),
    ...renderRemedies(remedies, style),
  ];
}

function renderRemedies(remedies: readonly string[], style: TextStyle): readonly string[] {
  return remedies.map((remedy) => `         ${style.dim("do:")} ${style.cyan(remedy)}`);
}
