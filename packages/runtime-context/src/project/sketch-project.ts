import type * as z from "zod/mini";
import { PROJECT_CONTRACT, type ContextProject } from "./context-project.ts";
import { findMeantKey } from "./document/explain-issues.ts";
import type { PathSegment } from "./document/finding.ts";
import { entrySchemas, projectSchema, type ProjectDocument } from "./project-schema.ts";
import { toContextProject } from "./to-context-project.ts";

/** As much of a project as a document with faults shows, so that its other faults are found too. Nothing is built from it. */
export interface ProjectSketch {
  readonly project: ContextProject;
  /** Entries that only stand in for a malformed one, as `layers/3`: what they say is not what was written. */
  readonly standIns: ReadonlySet<string>;
  /** Kinds of which not all ids could be made out: a reference to one may well lead somewhere. */
  readonly unknowable: ReadonlySet<Kind>;
}

type Kind = keyof typeof entrySchemas;
type Entry<Name extends Kind> = ProjectDocument[Name][number];
type Written = Readonly<Record<string, unknown>>;

/**
 * The project that a document means, entry by entry, each at its place. A mistyped key counts as what it means; others that
 * the schema doesn't know are passed over.
 */
export function sketchProject(value: unknown): ProjectSketch {
  const written = toRecord(withKnownKeys(value));
  const standIns = new Set<string>();
  const unknowable = new Set<Kind>();
  const list = <Name extends Kind>(kind: Name, standIn: (id: string, entry: Written) => Entry<Name>): Entry<Name>[] =>
    toList(written[kind]).map((entry, index) => {
      const parsed = entrySchemas[kind].safeParse(entry);
      if (parsed.success) return parsed.data;
      standIns.add(`${kind}/${index}`);
      const record = toRecord(entry);
      const id = record["id"];
      if (typeof id !== "string") unknowable.add(kind);
      return standIn(typeof id === "string" ? id : "", record);
    });
  const document: ProjectDocument = {
    contract: PROJECT_CONTRACT,
    id: typeof written["id"] === "string" ? written["id"] : "",
    version: "",
    objectives: list("objectives", (id) => ({ id })),
    consumers: list("consumers", (id) => ({ id })),
    profiles: list("profiles", (id) => ({ id, layers: [], budget: { bytes: 1 } })),
    layers: list("layers", toLayer),
    providers: list("providers", (id) => ({ id, name: id, lookup: { input: "", pattern: "" }, maxItems: 1 })),
    tests: list("tests", (id) => ({ id, objective: "", consumer: "", inputs: {}, providers: {}, expect: [] })),
  };
  for (const kind of KINDS) if (!isList(written[kind], kind)) unknowable.add(kind);
  return { project: toContextProject(document), standIns, unknowable };
}

const KINDS = ["objectives", "consumers", "profiles", "layers", "providers", "tests"] as const;
const MAY_BE_LEFT_OUT: readonly Kind[] = ["providers", "tests"];

function isList(value: unknown, kind: Kind): boolean {
  return Array.isArray(value) || (value === undefined && MAY_BE_LEFT_OUT.includes(kind));
}

/** Whether a path leads into an entry that only stands in for what was written. */
export function isInStandIn([kind, index]: readonly PathSegment[], { standIns }: ProjectSketch): boolean {
  return standIns.has(`${kind}/${index}`);
}

/** Its files are looked at all the same. */
function toLayer(id: string, entry: Written): Entry<"layers"> {
  const bindings = toList(entry["bindings"]).flatMap((binding) => {
    const parsed = entrySchemas.layers.shape.bindings.safeParse([binding]);
    return parsed.success ? parsed.data : [];
  });
  return { id, name: id, bindings, requiresInput: [], emptyIs: "empty", metadata: [] };
}

function withKnownKeys(value: unknown): unknown {
  const issues: readonly z.core.$ZodIssue[] = projectSchema.safeParse(value).error?.issues ?? [];
  const copy: unknown = structuredClone(value);
  for (const issue of issues) {
    if (issue.code !== "unrecognized_keys") continue;
    const holder = issue.path.reduce((at, segment) => toRecord(at)[String(segment)], copy);
    if (typeof holder !== "object" || holder === null) continue;
    const path = issue.path.filter((segment) => typeof segment !== "symbol");
    for (const key of issue.keys) {
      const meant = findMeantKey(key, { schema: projectSchema, path, value });
      const members = holder as Record<string, unknown>;
      if (meant !== undefined && !Object.hasOwn(members, meant)) members[meant] = members[key];
      Reflect.deleteProperty(members, key);
    }
  }
  return copy;
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function toRecord(value: unknown): Written {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- members stay unknown
  return typeof value === "object" && value !== null ? (value as Written) : {};
}
