import { checkExtension, type ConformanceReport } from "@loopx/extensions";
import { printCommand } from "../../command-line/print-command.ts";
import { draftFromPath } from "../../extension/extension-source.ts";
import type { TextStyle } from "../../output/text-style.ts";
import { renderConformance } from "../../packets/render-conformance.ts";
import { joinLines, OWNER_RUNS_THESE, renderNext } from "../../packets/render-facts.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Holds an extension against its contract and says what its author changes. */
export const run: CommandHandler<"extension check"> = async (input) => {
  const { ambient, facts, flags, positionals } = input;
  const [path = ""] = positionals;
  const draft = await draftFromPath(path, { ambient, field: "path" });
  if (facts.isStderrTerminal) {
    const { provider, runtime } = draft.manifest;
    input.note(`asking ${provider.id} a dozen times, each within ${runtime.timeout_seconds} s`);
  }
  const abort = new AbortController();
  input.onInterrupt(() => abort.abort());
  const report = await checkExtension(draft, {
    ...flags,
    environment: ambient.env,
    signal: abort.signal,
  });
  const next = report.ok
    ? printCommand("extension install", { manifest: path, execute: true })
    : printCommand("extension check", {}, { positionals: [path] });
  return {
    packet: { ...report, next: [next.shell] },
    text: (style) => renderReport(report, next.shell, style),
    exitCode: report.ok ? 0 : 1,
  };
};

function renderReport(report: ConformanceReport, next: string, style: TextStyle): string {
  const subject = { name: report.extension_id, version: report.version, isConformant: report.ok };
  return joinLines(
    renderConformance(subject, report.checks, style),
    renderNext([next], style, report.ok ? OWNER_RUNS_THESE : "when it is changed"),
  );
}
