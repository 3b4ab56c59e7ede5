import { delimiter, join } from "node:path";
import { isProgram } from "@loopx/store";

/** Whether a shell with this environment finds a program of this name. */
export function isOnPath(program: string, env: Readonly<Record<string, string | undefined>>): boolean {
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.some((folder) => isProgram(join(folder, program)));
}
