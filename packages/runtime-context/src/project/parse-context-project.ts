import type { ContextProject } from "./context-project.ts";
import { explainDeploymentKey, findAddresses, listTexts } from "./binding-fields.ts";
import { explainIssues } from "./document/explain-issues.ts";
import { toFinding, toFindingsError, toPointer, type Finding, type PathSegment } from "./document/finding.ts";
import { parseDocument, type DocumentSource, type LocatedDocument } from "./document/located-document.ts";
import { findPersonalData, findSecrets } from "./files/scan-text.ts";
import { findReferenceFaults, type PlacedFault } from "./project-references.ts";
import { projectSchema } from "./project-schema.ts";
import { isInStandIn, sketchProject, type ProjectSketch } from "./sketch-project.ts";
import { toContextProject } from "./to-context-project.ts";

/** A project or null, and everything there is to say of its text: null exactly when one finding is an error. */
export interface InspectedProject {
  readonly project: ContextProject | null;
  readonly findings: readonly Finding[];
  /** The project, or as much of it as could be made out; null of a text that is no document at all. */
  readonly sketch: ContextProject | null;
}

/**
 * A Context Project from the text of `context.project.json`, `.jsonc` or `.yaml`, validated and with every default filled in.
 *
 * Refuses with `project_invalid`: the message is the first fault with file, line and pointer, `details.findings` all of them.
 */
export async function parseContextProject(
  source: string | Uint8Array,
  options: DocumentSource,
): Promise<ContextProject> {
  const { project, findings } = await inspectContextProject(source, options);
  if (project === null) throw toFindingsError("project_invalid", findings);
  return project;
}

/** As `parseContextProject`, with warnings, and with errors as values. */
export async function inspectContextProject(
  source: string | Uint8Array,
  options: DocumentSource,
): Promise<InspectedProject> {
  const parsed = await parseDocument(source, options);
  if ("findings" in parsed) return { project: null, findings: parsed.findings, sketch: null };
  const text = typeof source === "string" ? source : Buffer.from(source).toString("utf8");
  const secrets = findDocumentSecrets(text, parsed.document.value, options);
  const { project, findings, sketch } = await inspectDocument(parsed.document, options.path);
  const all = [...findings, ...secrets];
  return { project: all.some(({ severity }) => severity === "error") ? null : project, findings: all, sketch };
}

/** The same for a value that has no text of its own, such as the one inside a build's manifest. */
export async function inspectDocument(document: LocatedDocument, file: string): Promise<InspectedProject> {
  const parsed = projectSchema.safeParse(document.value);
  const project = parsed.success ? toContextProject(parsed.data) : null;
  const sketch =
    project === null
      ? sketchProject(document.value)
      : { project, standIns: new Set<string>(), unknowable: new Set<never>() };
  const faults =
    project === null ? findSketchFaults(sketch) : [...findReferenceFaults(project), ...findFixtureFaults(project)];
  const addresses = findAddresses(document.value, file, () => null);
  if (project !== null && faults.length + addresses.length === 0) return { project, findings: [], sketch: project };

  const lineOf = await document.locate();
  const context = { file, value: document.value, schema: projectSchema, lineOf, explainKey: explainDeploymentKey };
  const findings = [
    ...(parsed.success ? [] : explainIssues(parsed.error.issues, context)),
    ...findAddresses(document.value, file, lineOf),
    ...faults.map(({ path, ...fault }) => toFinding({ ...fault, file, line: lineOf(path), pointer: toPointer(path) })),
  ];
  const hasError = findings.some(({ severity }) => severity === "error");
  return { project: hasError ? null : project, findings, sketch: sketch.project };
}

/** What is wrong beside the schema. Of what nobody uses nothing is said: it may be used where the document is malformed. */
function findSketchFaults(sketch: ProjectSketch): readonly PlacedFault[] {
  const faults = findReferenceFaults(sketch.project, sketch.unknowable);
  return faults.filter(({ path, severity }) => severity !== "warning" && !isInStandIn(path, sketch));
}

/** Escapes (`\u0067hp_…`) and folded lines must not hide what the text means; without a backslash JSON has none. */
function findDocumentSecrets(text: string, value: unknown, { path: file, format }: DocumentSource): readonly Finding[] {
  const written = findSecrets(text, file);
  if (written.length > 0 || (format !== "yaml" && !text.includes("\\"))) return written;
  return listTexts(value, []).flatMap(({ path, text: meant }) =>
    findSecrets(meant, file).map((finding) => ({ ...finding, line: null, pointer: toPointer(path) })),
  );
}

interface FixtureFault {
  readonly severity: "warning";
  readonly rule: "PERSONAL_DATA";
  readonly path: readonly PathSegment[];
  readonly message: string;
  readonly hint: string;
}

/** Fixtures are synthetic (seed 004); what looks like a person's data is said, unless the test states that it is invented. */
function findFixtureFaults({ tests }: ContextProject): readonly FixtureFault[] {
  return tests.flatMap((test, index) => {
    if (test.synthetic === true) return [];
    const path = ["tests", index, "providers"];
    const [found] = listTexts(test.providers, path).flatMap(({ text }) => findPersonalData(text) ?? []);
    if (found === undefined) return [];
    const message = `a fixture holds what looks like real personal data (${found})`;
    return [{ severity: "warning", rule: "PERSONAL_DATA", path, message, hint: 'invent it and say "synthetic": true' }];
  });
}
