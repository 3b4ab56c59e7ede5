import { closeSync, fsyncSync, openSync } from "node:fs";

/** Makes the names in a directory durable: a file that was synced but whose name was not can be gone after a power loss. */
export function syncDirectory(path: string): void {
  // Windows has no directory handles, and makes renames durable with the file.
  if (process.platform === "win32") return;
  syncFile(path);
}

/** Makes the content of a file durable. */
export function syncFile(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
