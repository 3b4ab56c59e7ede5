import { toErrorPacket, type LoopxError } from "@loopx/contracts";
import { renderJson } from "./render-json.ts";
import { neutraliseText } from "./neutralise-text.ts";
import type { TextStyle } from "./text-style.ts";

/** What a failure writes: its packet on stdout, or two lines on stderr for people. */
export interface RenderedFailure {
  readonly stdout: string;
  readonly stderr: string;
}

export function renderFailure(
  error: LoopxError,
  look: { readonly format: "json" | "text"; readonly isTerminal: boolean; readonly style: TextStyle },
): RenderedFailure {
  if (look.format === "json") return { stdout: renderJson(toErrorPacket(error), look.isTerminal), stderr: "" };
  const lines = [`${look.style.red("error:")} ${oneLine(error.message)}`];
  if (error.hint !== undefined) lines.push(`  ${look.style.bold("next:")} ${oneLine(error.hint)}`);
  return { stdout: "", stderr: `${neutraliseText(lines.join("\n"))}\n` };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, " ");
}
