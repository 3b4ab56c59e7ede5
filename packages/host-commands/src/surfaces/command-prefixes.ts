import { surfaceOf, type HostSurface, type Surface } from "./surface.ts";

/** The character before `loopx` that makes a message a command. */
export type CommandPrefix = "/" | "$";

/** Codex refuses a line that begins with an unknown slash command; it names skills with `$` (openai/codex#29131). */
const PREFIXES_BY_FAMILY: Partial<Record<Surface["family"], readonly CommandPrefix[]>> = { codex: ["/", "$"] };

/** The prefixes declared for a surface; none is guessed. */
export function prefixesOf(hostSurface: HostSurface): readonly CommandPrefix[] {
  return PREFIXES_BY_FAMILY[surfaceOf(hostSurface).family] ?? ["/"];
}
