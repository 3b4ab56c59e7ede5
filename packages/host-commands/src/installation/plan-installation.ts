import { listFacades, type FacadeReader } from "../facades/facade.ts";
import { HOST_COMMANDS } from "../registry/host-command.ts";
import type { HostSurface } from "../surfaces/surface.ts";
import { planEntries } from "./plan-entries.ts";
import { planFacades, planPlugin, planWorkflowSkill } from "./plan-files.ts";
import type { InstallHost } from "./install-host.ts";
import type { InstallScope, InstallTarget, RetiredTarget } from "./install-target.ts";

/** What an installation is made for. */
export interface PlanRequest {
  readonly scope: InstallScope;
  readonly version: string;
  /** `loopx` in a shell of the host, quoted: what skills tell an agent to run. */
  readonly shellProgram: FacadeReader["program"];
  /** The argv by which a host itself starts LoopX: hooks and MCP servers. */
  readonly argv: readonly [string, ...string[]];
  readonly codexSurface: HostSurface | undefined;
  /** Set where the files are a plugin's, which no other host reads. */
  readonly pluginPrefix?: FacadeReader["pluginPrefix"];
}

/**
 * Everything that LoopX keeps in one host, in the order in which it is written.
 *
 * `skills`: only the facades and the workflow skill, which seed 003 wants for Codex and Claude Code before they are there.
 */
export function planInstallation(
  host: InstallHost,
  request: PlanRequest,
  extent: "all" | "skills",
): readonly InstallTarget[] {
  const facades = listFacades();
  const files = [...facades.flatMap((facade) => planFacades(host, facade, request)), planWorkflowSkill(host, request)];
  if (extent === "skills") return [...planRetired(host, request), ...files];
  return [...planRetired(host, request), ...files, ...planPlugin(host, request), ...planEntries(host, request)];
}

/** Legacy names are never shown: the older installer wrote a facade for each, and Codex prompts. */
function planRetired(host: InstallHost, { scope }: PlanRequest): readonly RetiredTarget[] {
  if (scope === "project") return [];
  const legacyNames = HOST_COMMANDS.flatMap(({ legacyToken }) => (legacyToken ? [legacyToken.slice(1)] : []));
  const retire = (path: string): RetiredTarget => ({ kind: "retired", host, place: { scope, root: host, path } });
  const skills = legacyNames.map((name) => `skills/${name}/SKILL.md`);
  switch (host) {
    case "codex": {
      const policies = legacyNames.map((name) => `skills/${name}/agents/openai.yaml`);
      const prompts = [...new Set(HOST_COMMANDS.map(({ token }) => token.slice(1))), ...legacyNames];
      return [...policies, ...skills, ...prompts.map((name) => `prompts/${name}.md`)].map(retire);
    }
    case "opencode": {
      const ofClaude = [...new Set(HOST_COMMANDS.map(({ token }) => `skills/${token.slice(1)}/SKILL.md`))];
      return [...ofClaude, ...skills, ...legacyNames.map((name) => `commands/${name}.md`)].map(retire);
    }
    default:
      return skills.map(retire);
  }
}
