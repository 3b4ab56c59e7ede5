import { sha256Hex } from "@loopx/contracts";

/** How a comment is written in a file. */
export type CommentStyle = "markdown" | "hash" | "slashes";

/** What the marker of a file of ours says. */
export interface ManagedMarker {
  /** The LoopX that wrote the file. */
  readonly version: string;
  /** The rest of the file is no longer what was written. */
  readonly isEdited: boolean;
}

const MARKER = /^(?:<!-- |# |\/\/ )loopx-managed:v1 version=(\S+) digest=([0-9a-f]{16})(?: -->)?$/;

/**
 * Marks a generated file as ours, with the version and a digest of everything else in it.
 *
 * The marker is a line of its own: the first one, or the first after the frontmatter. Who takes it out owns the file.
 */
export function markManaged(
  parts: { readonly frontmatter?: string; readonly body: string },
  comment: CommentStyle,
  version: string,
): string {
  const { frontmatter = "", body } = parts;
  const marker = `loopx-managed:v1 version=${version} digest=${digestOfRest(frontmatter, body)}`;
  return `${frontmatter}${toComment(marker, comment)}\n${body}`;
}

/** The marker of a file of ours; undefined for any other file, one that only quotes a marker included. */
export function findManagedMarker(text: string): ManagedMarker | undefined {
  const at = findMarkerLine(text);
  const end = text.indexOf("\n", at) === -1 ? text.length : text.indexOf("\n", at);
  const [, version, digest] = MARKER.exec(text.slice(at, end).trimEnd()) ?? [];
  if (version === undefined) return undefined;
  return { version, isEdited: digestOfRest(text.slice(0, at), text.slice(end + 1)) !== digest };
}

/** Where the line that may be a marker begins: behind the frontmatter and empty lines. */
export function findMarkerLine(text: string): number {
  const frontmatter = /^---\r?\n[\s\S]*?\r?\n---\r?\n/.exec(text)?.[0] ?? "";
  const gap = /^(?:[ \t]*\r?\n)*/.exec(text.slice(frontmatter.length))?.[0] ?? "";
  return frontmatter.length + gap.length;
}

function digestOfRest(before: string, after: string): string {
  return sha256Hex(`${before}\0${after}`).slice(0, 16);
}

function toComment(text: string, comment: CommentStyle): string {
  switch (comment) {
    case "markdown":
      return `<!-- ${text} -->`;
    case "hash":
      return `# ${text}`;
    case "slashes":
      return `// ${text}`;
    default:
      throw new TypeError(`no comment in ${String(comment satisfies never)}`);
  }
}
