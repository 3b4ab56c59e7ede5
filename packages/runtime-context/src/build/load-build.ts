import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import * as z from "zod/mini";
import { isLoopxError, LoopxError, parseStrictJson, sha256Hex } from "@loopx/contracts";
import type { ContextProject } from "../project/context-project.ts";
import { renderFinding } from "../project/document/finding.ts";
import { FILE_LIMITS } from "../project/files/file-rules.ts";
import { inspectDocument } from "../project/parse-context-project.ts";
import { BLOB_DIRECTORY, isBuildName, MANIFEST_FILE, MANIFEST_MAX_BYTES, toBuildName } from "./build-directory.ts";
import type { ContextBuild } from "./context-build.ts";
import { createBuild, digestOfManifest } from "./create-build.ts";
import { toProjectDocument } from "./manifest-project.ts";

const resolvedSchema = z.object({
  resolved: z
    .array(
      z.object({
        path: z.nullable(z.string()),
        sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
        bytes: z.int().check(z.gte(0), z.lte(FILE_LIMITS.bytes)),
      }),
    )
    .check(z.maxLength(1_000_000)),
});

/**
 * The build in a directory, every byte of it checked: the manifest is canonical, its project valid, each text has the digest
 * it is named by, and building them again gives this very manifest.
 *
 * Refuses with `build_corrupt`, naming what doesn't fit; `file_not_readable` where there is no build.
 */
export async function loadBuild(directory: string): Promise<ContextBuild> {
  const bytes = readRegularFile(join(directory, MANIFEST_FILE), MANIFEST_MAX_BYTES);
  if (bytes === undefined) throw notReadable(`has no ${MANIFEST_FILE}`);
  const rendered = decode(bytes, MANIFEST_FILE);
  const digest = digestOfManifest(rendered);
  const name = basename(directory);
  if (isBuildName(name) && name !== toBuildName(digest)) throw corrupt(`${name} holds a manifest of another digest`);
  const manifest = parseManifest(rendered);
  const build = rebuild(await readProject(manifest), await readFiles(manifest, directory));
  // Equal digests are equal bytes.
  if (build.digest !== digest) {
    throw corrupt(`${MANIFEST_FILE} is not what its own project and texts build to`);
  }
  return build;
}

function rebuild(project: ContextProject, files: ReadonlyMap<string, string>): ContextBuild {
  try {
    return createBuild(project, files);
  } catch (error) {
    throw isLoopxError(error) ? corrupt(error.message) : error;
  }
}

function parseManifest(rendered: string): unknown {
  try {
    return parseStrictJson(rendered, { field: MANIFEST_FILE });
  } catch (error) {
    throw isLoopxError(error) ? corrupt(error.message) : error;
  }
}

async function readProject(manifest: unknown): Promise<ContextProject> {
  const value = toProjectDocument(manifest);
  const { project, findings } = await inspectDocument({ value, locate: async () => () => null }, MANIFEST_FILE);
  if (project !== null) return project;
  const [first] = findings.filter(({ severity }) => severity === "error");
  throw corrupt(first === undefined ? `${MANIFEST_FILE} holds no project` : renderFinding(first));
}

/** A server that loads a new build goes on serving: it is let in between every few small files and after each large one. */
const BYTES_A_TURN = 65_536;

/** The texts of the files that the manifest names, read by digest: no name from anywhere else is opened. */
async function readFiles(manifest: unknown, directory: string): Promise<ReadonlyMap<string, string>> {
  const parsed = resolvedSchema.safeParse(manifest);
  if (!parsed.success) throw corrupt(`${MANIFEST_FILE} does not list its texts`);
  const { resolved } = parsed.data;
  const byDigest = new Map(resolved.map((entry) => [entry.sha256, entry]));
  const texts = new Map<string, string>();
  let totalBytes = 0;
  for (const { sha256, bytes } of byDigest.values()) {
    totalBytes += bytes;
    if (totalBytes > FILE_LIMITS.totalBytes + FILE_LIMITS.bytes)
      throw corrupt("the texts are over the limit of a build");
    texts.set(sha256, readBlob(directory, sha256));
    if (texts.size % 32 === 0 || bytes > BYTES_A_TURN) await setImmediate();
  }
  return new Map(resolved.flatMap(({ path, sha256 }) => (path === null ? [] : [[path, texts.get(sha256) ?? ""]])));
}

function readBlob(directory: string, sha256: string): string {
  const label = `${BLOB_DIRECTORY}/${sha256.slice(0, 12)}…`;
  const bytes = readRegularFile(join(directory, BLOB_DIRECTORY, sha256), FILE_LIMITS.bytes);
  if (bytes === undefined) throw corrupt(`${label} is missing`);
  if (sha256Hex(bytes) !== sha256) throw corrupt(`${label} does not have the digest it is named by`);
  return decode(bytes, label);
}

/** Undefined where there is no such file. */
function readRegularFile(path: string, maxBytes: number): Buffer | undefined {
  const label = basename(path);
  const file = openFile(path);
  if (file === undefined) return undefined;
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw corrupt(`${label} is not a regular file`);
    if (stats.size > maxBytes) throw corrupt(`${label} is ${stats.size} bytes, the limit is ${maxBytes}`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

function openFile(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
    if (code === "ELOOP") throw corrupt(`${basename(path)} is a symbolic link`);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw notReadable(`cannot be read (${code ?? "unknown"})`, error);
  }
}

function notReadable(what: string, cause?: unknown): LoopxError {
  return new LoopxError("file_not_readable", { message: `the build ${what}`, cause });
}

function decode(bytes: Buffer, label: string): string {
  if (!isUtf8(bytes)) throw corrupt(`${label} is not UTF-8 text`);
  return bytes.toString("utf8");
}

function corrupt(message: string): LoopxError {
  return new LoopxError("build_corrupt", { message });
}
