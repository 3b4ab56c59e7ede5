import type { Facade, FacadeReader } from "../facades/facade.ts";
import { renderOpencodePlugin } from "../facades/opencode-plugin.ts";
import {
  renderCodexPolicy,
  renderFacadeSkill,
  renderGeminiCommand,
  renderOpencodeCommand,
} from "../facades/render-facade.ts";
import { renderWorkflowSkill, WORKFLOW_SKILL_NAME } from "../facades/workflow-skill.ts";
import { HOST_NAMES, surfacesOf, type InstallHost } from "./install-host.ts";
import { listUserCopies, type FileTarget, type InstallScope, type Place, type RootName } from "./install-target.ts";
import type { PlanRequest } from "./plan-installation.ts";

/**
 * Whose skills a host reads besides its own (autumn 2026). A name that one of them holds is there already.
 *
 * OpenCode reads Claude Code's skills too, but a command of a name goes before a skill of it (anomalyco/opencode,
 * `command/index.ts`): so only its workflow skill has anything to be shadowed by.
 */
const ALSO_READS: Readonly<Record<InstallHost, readonly RootName[]>> = {
  codex: ["agents"],
  "claude-code": [],
  opencode: ["claude-code", "agents"],
  cursor: ["agents", "claude-code", "codex"],
  gemini: ["agents"],
};

/** Hosts that read the skills of this one, and so have to find their own surface in them. */
const READ_BY: Readonly<Record<InstallHost, readonly InstallHost[]>> = {
  codex: ["cursor"],
  "claude-code": ["cursor", "opencode"],
  opencode: [],
  cursor: [],
  gemini: [],
};

/** A facade in one host; for Codex its policy first, so that a skill that is half there is never invoked implicitly. */
export function planFacades(host: InstallHost, facade: Facade, request: PlanRequest): readonly FileTarget[] {
  const { version } = request;
  const reader = toReader(host, request);
  const skill = `skills/${facade.name}/SKILL.md`;
  const target = { host, part: "facade", name: facade.name } as const;
  switch (host) {
    case "codex": {
      const policy = toTarget({ ...target, part: "policy" }, `skills/${facade.name}/agents/openai.yaml`, request);
      const shadows = listCopies(host, skill, request.scope);
      return [
        { ...policy, text: renderCodexPolicy(facade, version), shadows, goesWith: { ...policy.place, path: skill } },
        {
          ...toTarget(target, skill, request),
          text: renderFacadeSkill(facade, reader, { version, isForClaude: false }),
          shadows,
        },
      ];
    }
    case "claude-code":
    case "cursor": {
      const isForClaude = host === "claude-code";
      const text = renderFacadeSkill(facade, reader, { version, isForClaude });
      return [{ ...toTarget(target, skill, request), text, shadows: listCopies(host, skill, request.scope) }];
    }
    case "opencode":
      return [
        {
          ...toTarget(target, `commands/${facade.name}.md`, request),
          text: renderOpencodeCommand(facade, reader, version),
        },
      ];
    case "gemini":
      return [
        {
          ...toTarget(target, `commands/${facade.name}.toml`, request),
          text: renderGeminiCommand(facade, reader, version),
        },
      ];
    default:
      throw new TypeError(`no facade for ${String(host satisfies never)}`);
  }
}

/** The workflow skill in one host, unless the host reads another one's copy. */
export function planWorkflowSkill(host: InstallHost, request: PlanRequest): FileTarget {
  const path = `skills/${WORKFLOW_SKILL_NAME}/SKILL.md`;
  return {
    ...toTarget({ host, part: "workflow_skill", name: WORKFLOW_SKILL_NAME }, path, request),
    text: renderWorkflowSkill({
      program: request.shellProgram,
      version: request.version,
      isForClaude: host === "claude-code",
    }),
    shadows: listCopies(host, path, request.scope),
  };
}

/** OpenCode's plugin: the prompt hook of a host that has none. */
export function planPlugin(host: InstallHost, request: PlanRequest): readonly FileTarget[] {
  if (host !== "opencode") return [];
  const target = toTarget({ host, part: "plugin", name: "loopx" }, "plugins/loopx.js", request);
  return [{ ...target, text: renderOpencodePlugin(request.argv, request.version) }];
}

type Named = Pick<FileTarget, "host" | "part" | "name">;

function toTarget(named: Named, path: string, { scope }: PlanRequest): Omit<FileTarget, "text"> {
  const place: Place = { scope, root: named.host, path };
  return { kind: "file", ...named, place, shadows: listUserCopies(place) };
}

/** Every other place from which the host takes a skill of this name: of the same scope, and of the user's. */
function listCopies(host: InstallHost, path: string, scope: InstallScope): readonly Place[] {
  const own: Place = { scope, root: host, path };
  const others = ALSO_READS[host].map((root): Place => ({ scope, root, path }));
  return [...others, ...[own, ...others].flatMap(listUserCopies)];
}

/** Who reads a host's facades: the host, and those that read its files. */
export function toReader(host: InstallHost, { shellProgram, pluginPrefix }: PlanRequest): FacadeReader {
  const others = pluginPrefix === undefined ? READ_BY[host] : [];
  const hosts = [host, ...others].map((each) => ({
    label: HOST_NAMES[each].label,
    surfaces: surfacesOf(each),
  }));
  return { hosts, program: shellProgram, ...(pluginPrefix !== undefined && { pluginPrefix }) };
}
