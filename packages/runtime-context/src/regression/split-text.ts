import { renderUnknownFacts } from "../kernel/unknown-fact.ts";
import type { TurnResult } from "../kernel/turn-result.ts";
import { SEPARATOR_BYTES } from "../kernel/select-layers.ts";

/** The lines that each selected layer has in a turn's text, by id, and those of what is unknown, under `null`. */
export type TextSections = ReadonlyMap<string | null, readonly string[]>;

/**
 * Takes a turn's text apart by the bytes that the result says each layer has: no line in it can pass for a heading. What
 * stands before the first layer is the notice, the same for every turn.
 */
export function splitText({ layers, unknowns, rendered }: TurnResult): TextSections {
  const sections = new Map<string | null, readonly string[]>();
  if (rendered === "") return sections;
  const selected = layers.filter(({ isSelected }) => isSelected);
  const bytes = Buffer.from(rendered);
  const tail = renderUnknownFacts(unknowns);
  let end = bytes.length;
  if (tail !== "") {
    sections.set(null, toLines(tail));
    end -= Buffer.byteLength(tail) + SEPARATOR_BYTES;
  }
  for (const layer of selected.toReversed()) {
    const start = end - layer.bytes;
    sections.set(layer.layer, toLines(bytes.subarray(start, end).toString("utf8")));
    end = start - SEPARATOR_BYTES;
  }
  return sections;
}

function toLines(text: string): readonly string[] {
  return text.replace(/\n$/, "").split("\n");
}
