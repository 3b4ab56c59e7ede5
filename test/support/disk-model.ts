import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { DiskCall } from "./disk-log.ts";

const SECTOR = 512;

/** How much of what was not synced is on the disk when the power comes back. */
export type Loss = "none kept" | "all kept" | "torn" | "last kept";
export const LOSSES: readonly Loss[] = ["none kept", "all kept", "torn", "last kept"];

interface Write {
  readonly offset: number;
  readonly bytes: Buffer;
  /** Set for a truncation: the size that it left. */
  readonly size?: number;
}

interface File {
  synced: Buffer;
  pending: Write[];
}

type Names = Map<string, File>;

/**
 * A disk on which only what was synced is sure: the bytes of a file by a sync of the file, its names by one of the folder. Of the
 * rest any part may be there, a write by sectors.
 */
export class DiskModel {
  readonly #synced: Names = new Map();
  readonly #current: Names = new Map();
  #pendingNames: { readonly folder: string; readonly change: (names: Names) => void }[] = [];
  isReported = false;

  /** Takes the files below a folder as they are, all of them synced. */
  constructor(folder: string) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const file = { synced: readFileSync(path), pending: [] };
      this.#synced.set(path, file);
      this.#current.set(path, file);
    }
  }

  apply(call: DiskCall): void {
    switch (call.kind) {
      case "reported":
        this.isReported = true;
        return;
      case "create": {
        const file = this.#current.get(call.path);
        if (file === undefined) this.#name(call.path, { synced: Buffer.alloc(0), pending: [] });
        return;
      }
      case "write":
        this.#write(call.path, call);
        return;
      case "truncate": {
        const file = this.#current.get(call.path);
        file?.pending.push({ offset: call.size, bytes: Buffer.alloc(0), size: call.size });
        return;
      }
      case "sync":
        this.#sync(call.path);
        return;
      case "unlink":
        this.#change(call.path, (names) => void names.delete(call.path));
        return;
      case "link":
      case "rename": {
        const file = this.#current.get(call.path);
        if (file === undefined) return;
        this.#name(call.to, file);
        if (call.kind === "rename") this.#change(call.path, (names) => void names.delete(call.path));
        return;
      }
      default:
        call satisfies never;
    }
  }

  #write(path: string, { bytes, offset }: { readonly bytes: Buffer; readonly offset: number | "end" }): void {
    const file = this.#current.get(path);
    if (file === undefined) return;
    file.pending.push({ offset: offset === "end" ? render(file, file.pending).length : offset, bytes });
  }

  #name(path: string, file: File): void {
    this.#change(path, (names) => void names.set(path, file));
  }

  #change(path: string, change: (names: Names) => void): void {
    change(this.#current);
    this.#pendingNames.push({ folder: dirname(path), change });
  }

  #sync(path: string): void {
    const file = this.#current.get(path);
    if (file !== undefined) {
      file.synced = render(file, file.pending);
      file.pending = [];
      return;
    }
    for (const { folder, change } of this.#pendingNames) if (folder === path) change(this.#synced);
    this.#pendingNames = this.#pendingNames.filter(({ folder }) => folder !== path);
  }

  /** Writes what the disk holds after a power loss into another folder. */
  writeTo(target: string, from: string, loss: Loss): void {
    const names: Names = new Map(this.#synced);
    const kept = loss === "all kept" || loss === "last kept" ? this.#pendingNames : [];
    for (const { change } of kept) change(names);
    for (const [path, file] of names) {
      const copy = join(target, relative(from, path));
      mkdirSync(dirname(copy), { recursive: true });
      writeFileSync(copy, render(file, choose(file.pending, loss)), { mode: 0o600 });
    }
  }
}

function choose(pending: readonly Write[], loss: Loss): readonly Write[] {
  switch (loss) {
    case "none kept":
      return [];
    case "all kept":
      return pending;
    case "last kept":
      return pending.slice(-1);
    case "torn":
      return pending.map(({ offset, bytes, size }, index) => {
        const sectors = Math.ceil(bytes.length / SECTOR);
        const length = (index % 2 === 0 ? Math.floor(sectors / 2) : Math.max(1, sectors - 1)) * SECTOR;
        return { offset, bytes: bytes.subarray(0, length), ...(size === undefined ? {} : { size }) };
      });
    default:
      return loss satisfies never;
  }
}

function render(file: File, writes: readonly Write[]): Buffer {
  let content = file.synced;
  for (const { offset, bytes, size } of writes) {
    if (size !== undefined) {
      content =
        size <= content.length
          ? content.subarray(0, size)
          : Buffer.concat([content, Buffer.alloc(size - content.length)]);
      continue;
    }
    const end = offset + bytes.length;
    const grown = Buffer.alloc(Math.max(content.length, end));
    content.copy(grown);
    bytes.copy(grown, offset);
    content = grown;
  }
  return content;
}
