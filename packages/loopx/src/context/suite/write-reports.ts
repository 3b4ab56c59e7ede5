import { resolve } from "node:path";
import { LoopxError, type Ambient } from "@loopx/contracts";
import { writeFileAtomically } from "@loopx/store";

/** A report that `--report` asks for: what it is and where it goes. */
export interface ReportFile<Kind extends string> {
  readonly kind: Kind;
  /** As the user wrote it. */
  readonly file: string;
}

/** The reports that `--report=KIND=FILE` names. Refuses with `invalid_value`. */
export function parseReportFiles<Kind extends string>(
  written: readonly string[],
  kinds: readonly Kind[],
): readonly ReportFile<Kind>[] {
  return written.map((pair) => {
    const at = pair.indexOf("=");
    const kind = kinds.find((one) => one === pair.slice(0, at));
    const file = pair.slice(at + 1);
    if (kind !== undefined && file !== "") return { kind, file };
    throw new LoopxError("invalid_value", {
      message: `--report takes ${kinds.map((one) => `${one}=FILE`).join(" or ")}`,
      hint: `for example --report=${kinds[0]}=report.${kinds[0] === "junit" ? "xml" : kinds[0]}`,
      details: { flag: "--report" },
    });
  });
}

/** Writes each report whole. Refuses with `file_not_writable`, `store_full`. */
export async function writeReports<Kind extends string>(
  reports: readonly ReportFile<Kind>[],
  render: (kind: Kind) => string,
  ambient: Ambient,
): Promise<void> {
  for (const { kind, file } of reports) {
    await writeFileAtomically(resolve(ambient.cwd, file), render(kind), { mode: 0o666, label: file });
  }
}
