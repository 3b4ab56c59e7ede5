import { isUtf8 } from "node:buffer";
import { lstatSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { LoopxError } from "@loopx/contracts";
import type { ContextProject, ProviderRequirement } from "./context-project.ts";
import { toFinding, toFindingsError, type Finding } from "./document/finding.ts";
import { DOCUMENT_LIMITS, findDocumentFormat, type DocumentSource } from "./document/located-document.ts";
import { FILE_LIMITS, listCaseTwins, type FileFault } from "./files/file-rules.ts";
import { readPlainFile } from "./files/read-plain-file.ts";
import { findSecrets } from "./files/scan-text.ts";
import { inspectContextProject } from "./parse-context-project.ts";

export const PROJECT_FILES = ["context.project.json", "context.project.jsonc", "context.project.yaml"] as const;

/** A project and the text of every file its layers name, each read once: these texts are hashed and these are used. */
export interface LoadedProject {
  readonly project: ContextProject;
  /** By project-relative path. */
  readonly files: ReadonlyMap<string, string>;
  /** Warnings only. */
  readonly findings: readonly Finding[];
}

/** Everything there is to say of the project in a directory. */
export interface InspectedDirectory {
  /** Null exactly when one finding is an error. */
  readonly loaded: LoadedProject | null;
  /** Errors and warnings, of the project and of its files. */
  readonly findings: readonly Finding[];
  /** Id of the project and its providers, as far as they could be made out. */
  readonly id: string;
  readonly providers: readonly ProviderRequirement[];
}

/**
 * The project in a directory with its files.
 *
 * Refuses with `project_invalid` for whatever `inspectProjectDirectory` finds wrong, `file_not_readable` where the directory
 * has no project.
 */
export async function loadContextProject(directory: string): Promise<LoadedProject> {
  const { loaded, findings } = await inspectProjectDirectory(directory);
  if (loaded === null) throw toFindingsError("project_invalid", findings);
  return loaded;
}

/** As `loadContextProject`, with all errors and warnings as values. Refuses with `file_not_readable`. */
export async function inspectProjectDirectory(directory: string): Promise<InspectedDirectory> {
  const root = findRoot(directory);
  const name = findProjectFile(root);
  const source = readPlainFile(root, name, DOCUMENT_LIMITS.bytes);
  const format = findDocumentFormat(name) ?? "json";
  const { project, sketch, ...inspected } =
    "rule" in source
      ? { project: null, sketch: null, findings: [toFinding({ ...source, file: name })] }
      : await inspectContextProject(source, { path: name, format });
  const read = sketch === null ? { files: new Map<string, string>(), findings: [] } : readLayerFiles(root, sketch);
  const findings = [...inspected.findings, ...read.findings];
  const isSound = project !== null && findings.every(({ severity }) => severity !== "error");
  return {
    loaded: isSound ? { project, files: read.files, findings } : null,
    findings,
    id: sketch?.id ?? "",
    providers: sketch?.providers ?? [],
  };
}

/** The project's file as it is written. */
export interface ProjectSource extends DocumentSource {
  readonly text: string;
}

/** The text of the project's file. Refuses with `file_not_readable`, and with `project_invalid` what is no plain file. */
export function readProjectSource(directory: string): ProjectSource {
  const root = findRoot(directory);
  const path = findProjectFile(root);
  const source = readPlainFile(root, path, DOCUMENT_LIMITS.bytes);
  if ("rule" in source) throw toFindingsError("project_invalid", [toFinding({ ...source, file: path })]);
  return { path, format: findDocumentFormat(path) ?? "json", text: source.toString("utf8") };
}

/** Links above the project are the user's own business; only what is inside it is judged. */
function findRoot(directory: string): string {
  try {
    return realpathSync(directory);
  } catch (error) {
    throw new LoopxError("file_not_readable", { message: "the project's directory cannot be read", cause: error });
  }
}

/** Whether a folder has a project file, whatever is in it. */
export function hasProjectFile(directory: string): boolean {
  return listProjectFiles(directory).length > 0;
}

function listProjectFiles(directory: string): readonly (typeof PROJECT_FILES)[number][] {
  return PROJECT_FILES.filter((name) => lstatSync(join(directory, name), { throwIfNoEntry: false }) !== undefined);
}

function findProjectFile(root: string): string {
  const present = listProjectFiles(root);
  const [name] = present;
  if (name === undefined) {
    throw new LoopxError("file_not_readable", { message: `the directory has no ${PROJECT_FILES.join(", no ")}` });
  }
  if (present.length > 1) {
    throw new LoopxError("project_invalid", {
      message: `there are ${present.join(" and ")}: keep one`,
      hint: `remove all but one of ${present.join(", ")}`,
      details: { files: present },
    });
  }
  return name;
}

function readLayerFiles(
  root: string,
  project: ContextProject,
): { readonly files: ReadonlyMap<string, string>; readonly findings: readonly Finding[] } {
  const layerOf = new Map(
    project.layers.flatMap(({ id, bindings }) =>
      bindings.flatMap((binding) => (binding.kind === "file" ? [[binding.path, id] as const] : [])),
    ),
  );
  const paths = new Set(layerOf.keys());
  const files = new Map<string, string>();
  const findings = listCaseTwins(paths).map(([left, right]) =>
    toFinding({ rule: "PATH_TWIN", file: right, message: `is the same file as ${left} where case doesn't count` }),
  );
  if (paths.size > FILE_LIMITS.files)
    return { files, findings: [...findings, tooLarge(`names ${paths.size} files`, FILE_LIMITS.files)] };
  let totalBytes = 0;
  for (const path of paths) {
    const bytes = readPlainFile(root, path, FILE_LIMITS.bytes);
    totalBytes += "rule" in bytes ? 0 : bytes.length;
    if (totalBytes > FILE_LIMITS.totalBytes)
      return { files, findings: [...findings, tooLarge("files are too large together", FILE_LIMITS.totalBytes)] };
    const text = "rule" in bytes ? bytes : decodeText(bytes);
    if (typeof text === "string") {
      files.set(path, text);
      findings.push(...findSecrets(text, path));
    } else {
      findings.push(toFinding({ ...text, file: path, hint: `layer ${layerOf.get(path)} names it` }));
    }
  }
  return { files, findings };
}

function tooLarge(what: string, limit: number): Finding {
  return toFinding({ rule: "TOO_LARGE", file: "layers", message: `${what}, the limit is ${limit}` });
}

function decodeText(bytes: Buffer): string | FileFault {
  if (!isUtf8(bytes)) return { rule: "NOT_TEXT", message: "is not UTF-8 text" };
  const text = bytes.toString("utf8");
  return text.includes("\0") ? { rule: "NOT_TEXT", message: "holds a NUL character" } : text;
}
