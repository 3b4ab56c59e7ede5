import type { ConformanceCheck } from "@loopx/contracts";
import type { TextStyle } from "../output/text-style.ts";

/** The verdict on somebody's provider, one entry for each check, and how many of each there were. */
export function renderConformance(
  subject: { readonly name: string; readonly version: string | null; readonly isConformant: boolean },
  checks: readonly ConformanceCheck[],
  style: TextStyle,
): string {
  const verdict = subject.isConformant ? style.green("keeps its contract") : style.red("does not keep its contract");
  const of = (state: ConformanceCheck["state"]): number => checks.filter((check) => check.state === state).length;
  return [
    [style.bold(subject.name), ...(subject.version === null ? [] : [subject.version]), verdict].join(" "),
    ...checks.map((check) => renderCheck(check, style)),
    "",
    `${of("passed")} passed, ${of("failed")} failed, ${of("skipped")} skipped`,
  ].join("\n");
}

function renderCheck({ name, state, found, remedy }: ConformanceCheck, style: TextStyle): string {
  const marks = { passed: style.green("passed "), failed: style.red("failed "), skipped: style.yellow("skipped") };
  const line = `${marks[state]}  ${name}: ${found}`;
  return remedy === undefined ? line : `${line}\n         ${style.dim("change")}  ${remedy}`;
}
