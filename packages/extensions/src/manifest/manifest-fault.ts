import { LoopxError } from "@loopx/contracts";

/** Where in a manifest something stands: keys, and numbers in lists of tables. */
export type ManifestPointer = readonly (string | number)[];

/** One rule that a manifest breaks. */
export interface ManifestFault {
  readonly pointer: ManifestPointer;
  /** What is wrong and how it would be right, behind the name of the field. */
  readonly says: string;
}

const MOST_LISTED = 20;

/** `runtime.timeout_seconds`, `implements[0].protocol`. */
export function renderPointer(pointer: ManifestPointer): string {
  let rendered = "";
  for (const part of pointer) {
    if (typeof part === "number") rendered += `[${part}]`;
    else rendered += rendered === "" ? part : `.${part}`;
  }
  return rendered;
}

/** The refusal that names every fault with its line; the message is the first one. */
export function toManifestError(
  faults: readonly ManifestFault[],
  lineOf: (pointer: ManifestPointer) => number | undefined,
): LoopxError {
  const rows = faults.slice(0, MOST_LISTED).map(({ pointer, says }) => {
    const line = lineOf(pointer);
    return { field: renderPointer(pointer), ...(line === undefined ? {} : { line }), says };
  });
  const sentences = rows.map(({ field, line, says }) => {
    const place = line === undefined ? "extension.toml" : `extension.toml line ${line}`;
    return field === "" ? `${place}: ${says}` : `${place}: ${field} ${says}`;
  });
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : "";
  return new LoopxError("manifest_invalid", {
    message: `${sentences[0] ?? "extension.toml breaks a rule"}${more}`,
    hint: "loopx extension check <path>",
    details: { fault_count: faults.length, faults: rows },
  });
}
