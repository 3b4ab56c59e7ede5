import type { ContextProject } from "../../src/project/context-project.ts";
import { parseContextProject } from "../../src/project/parse-context-project.ts";
import { scaffoldProject } from "../../src/project/scaffold-project.ts";
import { createBuild } from "../../src/build/create-build.ts";
import type { ContextBuild } from "../../src/build/context-build.ts";

/** The scaffolded project, changed. */
export async function createProject(change: (document: any) => void = () => {}): Promise<ContextProject> {
  const document: unknown = JSON.parse(scaffoldProject("desk").project["context.project.json"] ?? "");
  change(document);
  return parseContextProject(JSON.stringify(document), { path: "context.project.json", format: "json" });
}

export const HOUSE_RULES = new Map([["layers/house-rules.md", "Be kind.\n"]]);

/** Its build. */
export async function createDeskBuild(change?: (document: any) => void, files = HOUSE_RULES): Promise<ContextBuild> {
  return createBuild(await createProject(change), files);
}
