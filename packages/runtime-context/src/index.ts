// The front door of @loopx/runtime-context: named exports only.
export type { ContextProject } from "./project/context-project.ts";
