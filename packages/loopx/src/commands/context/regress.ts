import { LoopxError } from "@loopx/contracts";
import {
  loadContextProject,
  runRegression,
  selectTests,
  toShownChange,
  toShownChangeCounts,
  type ContextBuild,
  type RegressionCase,
  type RegressionReport,
} from "@loopx/runtime-context/offline";
import { loadNamedBuild } from "../../context/build-place.ts";
import { noteProgress } from "../../context/suite/progress-notes.ts";
import { findProjectFolder } from "../../context/project-place.ts";
import { renderRegression } from "../../context/suite/render-regression.ts";
import { VERIFY_EXIT_CODES } from "../../context/suite/verify-exit-codes.ts";
import { parseReportFiles, writeReports } from "../../context/suite/write-reports.ts";
import type { CommandHandler, CommandInput } from "../command-handler.ts";

type Input = CommandInput<"context regress">;

/** Runs a project's tests on two builds and says what the candidate changes. */
export const run: CommandHandler<"context regress"> = async (input) => {
  const { flags, globals, ambient } = input;
  const reports = parseReportFiles(flags.report, ["json"]);
  const binding = findLiveBinding(flags);
  const { project } = await loadContextProject(findProjectFolder(globals.project, ambient));
  const tests = selectTests(project, flags.filter);
  const baseline = await loadNamedBuild("baseline", flags.baseline, ambient);
  const candidate = await loadNamedBuild("candidate", flags.candidate, ambient);
  const report = await runCase({ baseline, candidate, tests }, binding, input);
  const packet = toPacket(report, { baseline, candidate });
  await writeReports(reports, () => `${JSON.stringify(packet(report.tests), null, 2)}\n`, ambient);
  const changed = report.tests.filter(({ status }) => status !== "UNCHANGED");
  return {
    packet: packet(changed.slice(0, SHOWN_TESTS)),
    text: (style) => renderRegression(report, style),
    exitCode: EXIT_CODES[report.verdict],
  };
};

/** A report holds all of them. */
const SHOWN_TESTS = 50;

const EXIT_CODES = {
  UNCHANGED: VERIFY_EXIT_CODES.PASSED,
  CHANGED: VERIFY_EXIT_CODES.PASSED,
  REGRESSED: VERIFY_EXIT_CODES.FAILED,
  NOT_VERIFIED: VERIFY_EXIT_CODES.NOT_VERIFIED,
} as const;

/** Live calls are asked for in so many words: a binding alone starts none. */
function findLiveBinding({ live, binding }: Input["flags"]): string | null {
  if (live && binding !== undefined) return binding;
  if (!live && binding === undefined) return null;
  if (live) {
    throw new LoopxError("missing_flag", {
      message: "--live asks real providers, and only a binding says where they are",
      hint: "name it with --binding, or leave --live out to take the tests' fixtures",
      details: { flags: ["--binding"] },
    });
  }
  throw new LoopxError("missing_flag", {
    message: "--binding is for real providers, which are asked with --live only",
    hint: "add --live, or leave --binding out to take the tests' fixtures",
    details: { flags: ["--live"] },
  });
}

async function runCase(
  parts: Omit<RegressionCase, "live">,
  binding: string | null,
  input: Input,
): Promise<RegressionReport> {
  const onProgress = noteProgress(input, "tests, on both builds");
  if (binding === null) return runRegression({ ...parts, live: null }, onProgress);
  // Loaded here alone: without --live nothing in the process could open a socket.
  const { openLiveSources } = await import("../../context/suite/open-live-sources.ts");
  const { sources, close } = await openLiveSources([parts.baseline, parts.candidate], binding, input.ambient);
  try {
    const [baseline, candidate] = sources;
    const live = baseline === undefined || candidate === undefined ? null : { baseline, candidate };
    return await runRegression({ ...parts, live }, onProgress);
  } finally {
    await close();
  }
}

function toPacket(
  report: RegressionReport,
  { baseline, candidate }: { readonly baseline: ContextBuild; readonly candidate: ContextBuild },
): (tests: RegressionReport["tests"]) => object {
  return (tests) => ({
    ok: EXIT_CODES[report.verdict] === 0,
    schema_version: "loopx_context_regress_v1",
    verdict: report.verdict,
    baseline: baseline.digest,
    candidate: candidate.digest,
    evaluation: report.evaluation,
    counts: toShownChangeCounts(report),
    differences: report.differences.map(({ says }) => says),
    tests: tests.map(toShownChange),
  });
}
