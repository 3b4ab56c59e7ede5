import { findClosest, renderDidYouMean } from "@loopx/contracts";
import * as z from "zod/mini";
import { quoteName, toFinding, toPointer, type Finding, type FindingRule, type PathSegment } from "./finding.ts";

export interface IssueContext {
  readonly file: string;
  readonly value: unknown;
  readonly schema: z.ZodMiniType;
  readonly lineOf: (path: readonly PathSegment[]) => number | null;
  /** What to say of a key that the schema doesn't have, where "unknown" isn't the best answer. */
  readonly explainKey?: (path: readonly PathSegment[]) => { rule: FindingRule; message: string } | undefined;
}

/** A schema's issues as findings with file, line, pointer and what would be right. Values are never repeated. */
export function explainIssues(issues: readonly z.core.$ZodIssue[], context: IssueContext): readonly Finding[] {
  const meant = new Set(issues.flatMap((issue) => listMeantPointers(issue, context)));
  return issues.flatMap((issue) => explainIssue(issue, { ...context, meant }));
}

/** Where a mistyped key leaves a gap: the key is what is wrong, and not that another is missing. */
function listMeantPointers(issue: z.core.$ZodIssue, { schema, value, explainKey }: IssueContext): readonly string[] {
  if (issue.code !== "unrecognized_keys") return [];
  const path = toPlainPath(issue);
  return issue.keys.flatMap((key) => {
    const meant = findMeantKey(key, { schema, path, value });
    return meant === undefined || explainKey?.([...path, key]) !== undefined ? [] : [toPointer([...path, meant])];
  });
}

/** The key of the schema that one it doesn't know most likely means, in the object at a path. */
export function findMeantKey(
  key: string,
  { schema, path, value }: Pick<IssueContext, "schema" | "value"> & { readonly path: readonly PathSegment[] },
): string | undefined {
  return findClosest(key, listKeys(schema, path, value));
}

function toPlainPath(issue: z.core.$ZodIssue): readonly PathSegment[] {
  return issue.path.filter((segment) => typeof segment !== "symbol");
}

function explainIssue(
  issue: z.core.$ZodIssue,
  context: IssueContext & { readonly meant: ReadonlySet<string> },
): readonly Finding[] {
  const path = toPlainPath(issue);
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => explainUnknownKey([...path, key], context));
  const isMissing = readAt(context.value, path) === undefined;
  if (isMissing && context.meant.has(toPointer(path))) return [];
  const said = isMissing ? "is missing" : sayIssue(issue);
  return [place({ rule: isMissing ? "MISSING" : findRule(issue), message: said }, path, context)];
}

function explainUnknownKey(path: readonly PathSegment[], context: IssueContext): Finding {
  const special = context.explainKey?.(path);
  if (special !== undefined) return place(special, path, context);
  const key = String(path.at(-1));
  const known = listKeys(context.schema, path.slice(0, -1), context.value);
  return place(
    { rule: "UNKNOWN_KEY", message: `unknown key ${quoteName(key)}${renderDidYouMean(key, known)}` },
    path,
    context,
  );
}

function place(
  said: { readonly rule: FindingRule; readonly message: string },
  path: readonly PathSegment[],
  { file, lineOf }: IssueContext,
): Finding {
  return toFinding({ ...said, file, line: lineOf(path), pointer: toPointer(path) });
}

/** A check of ours names its rule in `params`; everything else is a value of the wrong form. */
function findRule(issue: z.core.$ZodIssue): FindingRule {
  const rule: unknown = issue.code === "custom" ? issue.params?.["rule"] : undefined;
  return typeof rule === "string" ? (rule as FindingRule) : "INVALID_VALUE";
}

/** zod/mini brings no words of its own. */
const NO_WORDS = "Invalid input";

function sayIssue(issue: z.core.$ZodIssue): string {
  if (issue.message !== NO_WORDS) return issue.message;
  switch (issue.code) {
    case "invalid_type":
      return `must be ${TYPE_WORDS[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(" or ")}`;
    case "too_big":
      return `is over the limit of ${sayCount(issue.maximum, issue.origin)}`;
    case "too_small":
      return `must be at least ${sayCount(issue.minimum, issue.origin)}`;
    case "invalid_union":
      return sayChoices(issue);
    case "invalid_key":
    case "invalid_element":
      return `the key ${issue.issues[0] === undefined ? "is malformed" : sayIssue(issue.issues[0])}`;
    case "unrecognized_keys":
    case "invalid_format":
    case "not_multiple_of":
    case "custom":
      return "is malformed";
    default:
      return issue satisfies never;
  }
}

/** A union told apart by a constant lists what the constant may be. */
function sayChoices(issue: z.core.$ZodIssueInvalidUnion & { readonly options?: unknown }): string {
  const { options } = issue;
  if (!Array.isArray(options)) return "has none of the accepted forms";
  return `must be ${options.map((option) => JSON.stringify(option)).join(" or ")}`;
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: "text; a number or a date needs quotes",
  int: "a whole number",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: [" character", " characters"],
  array: [" entry", " entries"],
  record: [" key", " keys"],
};

function sayCount(count: number | bigint, origin: string): string {
  const [one, many] = UNITS[origin] ?? ["", ""];
  return `${count}${Number(count) === 1 ? one : many}`;
}

function readAt(value: unknown, path: readonly PathSegment[]): unknown {
  let current = value;
  for (const segment of path) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, segment)) return undefined;
    current = (current as Record<PathSegment, unknown>)[segment];
  }
  return current;
}

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly oneOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly const?: unknown;
  /** Of a schema that holds itself: a name in `$defs` of the whole. */
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
}

/** The keys that the object at a path may have, by the schema that editors get. */
function listKeys(schema: z.ZodMiniType, path: readonly PathSegment[], value: unknown): readonly string[] {
  const whole = z.toJSONSchema(schema, { io: "input", reused: "inline" }) as JsonSchema;
  const follow = (at: JsonSchema | undefined): JsonSchema | undefined =>
    at?.$ref === undefined ? at : whole.$defs?.[at.$ref.replace("#/$defs/", "")];
  let current: JsonSchema | undefined = whole;
  for (let depth = 0; depth < path.length; depth += 1) {
    const here = chooseBranch(follow(current), readAt(value, path.slice(0, depth)));
    const segment = path[depth];
    const inner: JsonSchema | boolean | undefined =
      typeof segment === "number" ? here?.items : (here?.properties?.[String(segment)] ?? here?.additionalProperties);
    current = typeof inner === "object" ? inner : undefined;
  }
  return Object.keys(chooseBranch(follow(current), readAt(value, path))?.properties ?? {});
}

/** Of alternatives told apart by a constant, the one that the value names. */
function chooseBranch(schema: JsonSchema | undefined, value: unknown): JsonSchema | undefined {
  const branches = schema?.oneOf ?? schema?.anyOf;
  if (branches === undefined) return schema;
  return branches.find((branch) =>
    Object.entries(branch.properties ?? {}).every(
      ([key, property]) => property.const === undefined || readAt(value, [key]) === property.const,
    ),
  );
}
