import type { ContextSegment } from "@loopx/workstation/contract";

/** The two lines around a record. No content can hold either: rendering breaks whatever looks like them. */
const OPENING = /^\[\[loopx-data ([0-9a-f]+) (.*)\]\]$/;

/** Rendered text in stretches: the project's own, and what stands between the markers of a fence. */
export function markFences(rendered: string): readonly ContextSegment[] {
  const segments: ContextSegment[] = [];
  let own: string[] = [];
  const lines = rendered.split("\n");
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const [, nonce, facts = ""] = OPENING.exec(line) ?? [];
    const end = nonce === undefined ? -1 : lines.indexOf(`[[loopx-data-end ${nonce}]]`, at);
    if (end === -1) {
      own.push(line);
      continue;
    }
    if (own.length > 0) segments.push({ kind: "text", text: own.join("\n") });
    own = [];
    segments.push({ kind: "fence", text: lines.slice(at + 1, end).join("\n"), facts: toFacts(facts) });
    at = end;
  }
  const rest = own.join("\n");
  return rest === "" ? segments : [...segments, { kind: "text", text: rest }];
}

/** `layer=a provider=b`: ids, numbers and words of ours, so neither a space nor a quote stands in a value. */
function toFacts(words: string): readonly (readonly [string, string])[] {
  return words.split(" ").map((word) => {
    const at = word.indexOf("=");
    return [word.slice(0, at), word.slice(at + 1)];
  });
}
