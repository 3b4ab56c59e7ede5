import { cutText, LIMITS, parseStorableText } from "@loopx/contracts";
import { refuseCredential } from "../todos/check-todo-text.ts";
import type { EvidenceFile, ValidationResult } from "./turn.ts";

/** What is shown besides a text: it is kept, exported and imported as it is. */
interface Shown {
  readonly files: readonly EvidenceFile[];
  readonly validation: ValidationResult | null;
}

/** Refuses names of files and of a check that could not be stored: `text_not_storable`, `credential_refused`, … */
export function checkShown({ files, validation }: Shown): void {
  for (const { path } of files) {
    refuseCredential(parseStorableText(path, { field: "evidence_file" }), "evidence_file");
  }
  const label = validation?.label ?? null;
  if (label === null) return;
  const limits = { maxCodePoints: LIMITS.todoTextMaxCodePoints, isEmptyAllowed: true };
  refuseCredential(parseStorableText(label, { field: "validation_label", ...limits }), "validation_label");
}

const NAMED_FILES = 3;
const NAME_SHOWN = 200;

/** Evidence of nothing but files, in words: why a todo is blocked that was blocked with it. */
export function describeShownFiles(files: readonly EvidenceFile[]): string {
  const names = files.slice(0, NAMED_FILES).map(({ path }) => cutText(path, NAME_SHOWN).text);
  const more = files.length > NAMED_FILES ? ` and ${files.length - NAMED_FILES} more` : "";
  return `blocked, as shown in ${names.join(", ")}${more}`;
}
