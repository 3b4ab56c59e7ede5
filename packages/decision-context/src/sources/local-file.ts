import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from "node:fs";
import { isAbsolute } from "node:path";
import { LoopxError, sha256Hex, toInstant } from "@loopx/contracts";
import { anInteger, anObject, optional, readDocument } from "../documents/field-rule.ts";
import type { ProfileSource } from "../profile/profile.ts";
import type { AuthoritySource, ScanOutcome, ScanRequest, SourceAdapter, SourceItem } from "./authority-source.ts";

const LARGEST = 4_194_304;
const USUAL_LARGEST = 1_048_576;

const SETTINGS = anObject({ max_bytes: optional(anInteger(1, LARGEST), USUAL_LARGEST) });

/** One UTF-8 text file as an authority: its cursor is the digest of its content. */
export const LOCAL_FILE: SourceAdapter = {
  name: "local-file",
  open: (config) => {
    const settings = readDocument(SETTINGS, config);
    if (!settings.ok) throw new LoopxError("invalid_value", { message: "local-file takes max_bytes only" });
    return openLocalFile(settings.value.max_bytes);
  },
};

function openLocalFile(maxBytes: number): AuthoritySource {
  return {
    version: "builtin-v0",
    scan: async (request) => scanFile(request, maxBytes),
    readExactly: async (source, item) => {
      const file = readTextFile(source.private_locator, maxBytes);
      if (file.digest === item.revision) return file.text;
      throw new LoopxError("file_not_readable", { message: "the file changed after it was scanned" });
    },
  };
}

function scanFile({ source, after_cursor, before }: ScanRequest, maxBytes: number): ScanOutcome {
  const file = readTextFile(source.private_locator, maxBytes);
  const cursor = `sha256:${file.digest}`;
  if (cursor === after_cursor) return { status: "no_change", cursor_after: after_cursor };
  // It has changed, and what it said by then is nowhere to be read. A clock that goes wrong must not make that "no change".
  if (Date.parse(file.modifiedAt) > Date.parse(before))
    return { status: "failed", reason_code: "source_newer_than_before" };
  const item: SourceItem = { resource_ref: file.path, revision: file.digest, observed_at: file.modifiedAt };
  return { status: "completed", cursor_after: cursor, items: [item] };
}

interface TextFile {
  readonly path: string;
  readonly text: string;
  readonly digest: string;
  readonly modifiedAt: string;
}

/** The file, whole. Throws for what is missing, no regular file, too large, blank or no UTF-8; never waits for a pipe. */
function readTextFile(locator: ProfileSource["private_locator"], maxBytes: number): TextFile {
  if (!isAbsolute(locator)) throw unreadable("is not named by an absolute path");
  const path = realpathSync(locator);
  // oxlint-disable-next-line no-bitwise -- how flags of an open are joined
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw unreadable("is no regular file");
    if (stats.size > maxBytes) throw unreadable("is too large");
    const bytes = readFileSync(fd);
    if (bytes.length > maxBytes) throw unreadable("is too large");
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    if (text.trim() === "") throw unreadable("is blank");
    return { path, text, digest: sha256Hex(bytes), modifiedAt: toInstant(Math.floor(stats.mtimeMs)) };
  } finally {
    closeSync(fd);
  }
}

function unreadable(what: string): LoopxError {
  return new LoopxError("file_not_readable", { message: `the file of a source ${what}` });
}
