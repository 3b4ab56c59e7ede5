import { parseDocument } from "../project/document/located-document.ts";
import type { ProjectSource } from "../project/load-context-project.ts";
import type { PathSegment } from "../project/document/finding.ts";

/** Says where in the project's file a path leads: `context.project.yaml:83`. The file's name alone where that isn't known. */
export async function locateInProject(source: ProjectSource): Promise<(path: readonly PathSegment[]) => string> {
  const parsed = await parseDocument(source.text, source);
  const lineOf = "document" in parsed ? await parsed.document.locate() : () => null;
  return (path) => {
    const line = lineOf(path);
    return line === null ? source.path : `${source.path}:${line}`;
  };
}
