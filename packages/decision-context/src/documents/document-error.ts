import { LoopxError, parseStrictJson } from "@loopx/contracts";
import { readDocument, type Problem, type Rule } from "./field-rule.ts";

/** Faults of one document that an error repeats. */
const PROBLEMS_SHOWN = 8;

/** What a document is and which flag named it. */
export interface NamedDocument {
  readonly text: string;
  /** The flag, without dashes: `rebase_json`. */
  readonly field: string;
  readonly what: string;
}

/** The value in a JSON document, held against its rule. Refuses with `invalid_value`, pointer and remedy of each fault. */
export function parseDocument<Value>(rule: Rule<Value>, { text, field, what }: NamedDocument): Value {
  const read = readDocument(rule, parseStrictJson(text, { field: what }));
  if (read.ok) return read.value;
  throw toDocumentError(read.problems, { field, what });
}

/** One error for all faults of a document. */
export function toDocumentError(
  problems: readonly Problem[],
  { field, what }: Pick<NamedDocument, "field" | "what">,
): LoopxError {
  const said = problems
    .slice(0, PROBLEMS_SHOWN)
    .map(({ pointer, message }) => `${pointer || "the document"} ${message}`);
  const more = problems.length - said.length;
  return new LoopxError("invalid_value", {
    message: `${what} breaks a rule: ${said.join("; ")}${more > 0 ? `; and ${more} more` : ""}`,
    details: { field, problems: problems.slice(0, PROBLEMS_SHOWN) },
  });
}
