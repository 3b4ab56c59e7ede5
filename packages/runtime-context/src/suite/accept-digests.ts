import { LoopxError, toCanonicalJson } from "@loopx/contracts";
import type { ContextProject } from "../project/context-project.ts";
import { toPointer, type PathSegment } from "../project/document/finding.ts";
import type { Expectation } from "../project/expectation.ts";
import type { ProjectSource } from "../project/load-context-project.ts";
import { parseContextProject } from "../project/parse-context-project.ts";
import type { TestVerdict } from "./judge-test.ts";

/** A golden digest that takes the place of another. */
export interface AcceptedDigest {
  readonly test: string;
  readonly path: readonly PathSegment[];
  /** Empty where none was accepted before. */
  readonly before: string;
  readonly after: string;
}

/** The digests that a run leaves to accept: of tests in which nothing but golden digests fails. */
export function listAcceptable(project: ContextProject, verdicts: readonly TestVerdict[]): readonly AcceptedDigest[] {
  const golden = new Map(listGolden(project).map(({ path, digest }) => [toPointer(path), digest]));
  return verdicts.flatMap(({ test, digest, failures }) =>
    digest === null
      ? []
      : failures.map(({ path }) => ({ test, path, before: golden.get(toPointer(path)) ?? "", after: digest })),
  );
}

/** A digest as JSON and YAML write it behind its key. */
const WRITTEN = /(["']?digest["']?\s*:\s*)(?:(["'])((?:sha256:[0-9a-f]{64})?)\2|(sha256:[0-9a-f]{64}))/g;

/**
 * The text of the project's file with these digests in it and nothing else changed: comments and form stay.
 *
 * Refuses with `project_invalid` a file in which the places can't be told for certain, such as one that quotes digests.
 */
export async function acceptDigests(
  source: ProjectSource,
  project: ContextProject,
  accepted: readonly AcceptedDigest[],
): Promise<string> {
  const byPath = new Map(accepted.map(({ path, after }) => [toPointer(path), after]));
  const wanted = listGolden(project).map(({ path, digest }) => byPath.get(toPointer(path)) ?? digest);
  const places = [...source.text.matchAll(WRITTEN)];
  if (places.length !== wanted.length) throw toUncertain(accepted);
  let at = 0;
  const text = source.text.replace(WRITTEN, (_found, key: string) => `${key}"${wanted[at++] ?? ""}"`);
  const fresh = await parseContextProject(text, source);
  const isSame = listGolden(fresh).every(({ digest }, index) => digest === wanted[index]);
  if (!isSame || withoutDigests(fresh) !== withoutDigests(project)) throw toUncertain(accepted);
  return text;
}

function toUncertain(accepted: readonly AcceptedDigest[]): LoopxError {
  const [first] = accepted;
  return new LoopxError("project_invalid", {
    message: "the places of the golden digests in the project's file can't be told for certain; nothing was written",
    hint: `write ${first?.after ?? "the digest"} at ${toPointer(first?.path ?? [])}/digest by hand`,
  });
}

function withoutDigests(project: ContextProject): string {
  return toCanonicalJson(project).replaceAll(/"digest":"(?:sha256:[0-9a-f]{64})?"/g, "");
}

interface GoldenDigest {
  readonly path: readonly PathSegment[];
  readonly digest: string;
}

/** In the order in which they are written. */
function listGolden({ tests }: ContextProject): readonly GoldenDigest[] {
  return tests.flatMap(({ expect }, index) =>
    expect.flatMap((expectation, at) => findGolden(expectation, ["tests", index, "expect", at])),
  );
}

function findGolden(expectation: Expectation, path: readonly PathSegment[]): readonly GoldenDigest[] {
  switch (expectation.kind) {
    case "digest":
      return [{ path, digest: expectation.digest }];
    case "not":
      return findGolden(expectation.expectation, [...path, "not"]);
    case "all":
    case "any":
      return expectation.expectations.flatMap((one, at) => findGolden(one, [...path, expectation.kind, at]));
    default:
      return [];
  }
}
