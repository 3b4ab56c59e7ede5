import type * as installer from "./installer.ts";

/** The functions that write and read what hosts keep. */
export type Installer = typeof installer;

/** Loads them with their libraries, half a megabyte that no other command needs. */
export function loadInstaller(): Promise<Installer> {
  return import("./installer.ts");
}
