import { lstatSync, rmSync, unlinkSync } from "node:fs";

/**
 * Takes away what stands at a path, whatever it is: a folder with all in it, a link itself and never what it leads to.
 * Nothing there is no fault.
 *
 * `rmSync` alone leaves a link that leads nowhere in some versions of Node 24, and reports success.
 */
export function removeEntry(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (stats.isDirectory()) rmSync(path, { recursive: true, force: true });
  else unlinkSync(path);
}
