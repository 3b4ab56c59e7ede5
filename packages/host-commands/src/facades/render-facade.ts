import { stringify as toToml } from "smol-toml";
import { stringify as toYaml } from "yaml";
import { renderFacadeBody, type Facade, type FacadeReader } from "./facade.ts";
import { markManaged } from "./managed-marker.ts";

/** Frontmatter fields of one file, in order. */
export type Frontmatter = Readonly<Record<string, string | boolean | Readonly<Record<string, string>>>>;

/** A markdown file with frontmatter: a skill, or an OpenCode command. */
export function renderSkill(frontmatter: Frontmatter, body: string, version: string): string {
  const yaml = toYaml(frontmatter, { lineWidth: 0 });
  return markManaged({ frontmatter: `---\n${yaml}---\n`, body: `\n${body}` }, "markdown", version);
}

/**
 * A facade as a skill that only its user invokes.
 *
 * `disable-model-invocation` is read by Claude Code and Cursor; Codex reads the policy file beside it. Claude Code may run
 * what the facade runs without asking, as far as it only reads.
 */
export function renderFacadeSkill(
  facade: Facade,
  reader: FacadeReader,
  options: { readonly version: string; readonly isForClaude: boolean },
): string {
  const { name, description, argumentHint } = facade;
  const forClaude = { "argument-hint": argumentHint, "allowed-tools": `Bash(${reader.program} host-parse *)` };
  return renderSkill(
    { name, description, ...(options.isForClaude && forClaude), "disable-model-invocation": true },
    renderFacadeBody(facade, reader),
    options.version,
  );
}

/** Codex's metadata beside a skill: it may not be invoked implicitly (seed 003: explicit only). */
export function renderCodexPolicy(facade: Facade, version: string): string {
  const metadata = {
    interface: { display_name: `/${facade.name}`, short_description: facade.description },
    policy: { allow_implicit_invocation: false },
  };
  return markManaged({ body: toYaml(metadata, { lineWidth: 0 }) }, "hash", version);
}

/** A Gemini CLI command. Without `{{args}}` in its prompt Gemini appends the message as it was typed. */
export function renderGeminiCommand(facade: Facade, reader: FacadeReader, version: string): string {
  const command = { description: facade.description, prompt: renderFacadeBody(facade, reader) };
  return markManaged({ body: `${toToml(command)}\n` }, "hash", version);
}

/** An OpenCode command. Without a placeholder in it OpenCode appends the arguments. */
export function renderOpencodeCommand(facade: Facade, reader: FacadeReader, version: string): string {
  return renderSkill({ description: facade.description }, renderFacadeBody(facade, reader), version);
}
