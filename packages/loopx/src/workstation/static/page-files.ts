import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join, relative } from "node:path";
import { LoopxError } from "@loopx/contracts";

/** A file of the page, as it is sent. */
export interface PageFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
  /** Its name changes with its content, so a browser may keep it. */
  readonly isLasting: boolean;
}

/** The files of the page by their paths, `/` among them. */
export type PageFiles = ReadonlyMap<string, PageFile>;

/** Beside this program in the bundle, where the build puts it; from source, where the bundle is. */
const PLACES = [join(import.meta.dirname, "workstation"), join(import.meta.dirname, "../../../dist/workstation")];

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/**
 * Reads the whole page into memory: some two hundred kilobytes, so no request ever names a file.
 *
 * Throws `file_not_readable` where this installation has none.
 */
export function loadPageFiles(): PageFiles {
  const place = PLACES.find(isPage);
  if (place === undefined) {
    throw new LoopxError("file_not_readable", {
      message: "this installation has no Workstation",
      hint: "install LoopX again",
    });
  }
  const entries = readdirSync(place, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    entries.map((entry) => {
      const file = join(entry.parentPath, entry.name);
      const path = `/${relative(place, file).replaceAll("\\", "/")}`;
      const type = TYPES[extname(file)] ?? "application/octet-stream";
      const isLasting = path.startsWith("/assets/");
      return [path === "/index.html" ? "/" : path, { bytes: new Uint8Array(readFileSync(file)), type, isLasting }];
    }),
  );
}

function isPage(folder: string): boolean {
  return existsSync(join(folder, "index.html"));
}
