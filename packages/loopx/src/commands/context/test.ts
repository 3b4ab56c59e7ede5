import { statSync } from "node:fs";
import { join } from "node:path";
import { LoopxError } from "@loopx/contracts";
import {
  acceptDigests,
  createBuild,
  listAcceptable,
  loadContextProject,
  locateInProject,
  readProjectSource,
  renderJunit,
  runSuite,
  selectTests,
  toShownCounts,
  toShownVerdict,
  type AcceptedDigest,
  type SuiteReport,
} from "@loopx/runtime-context/offline";
import { writeFileAtomically } from "@loopx/store";
import { printCommand } from "../../command-line/print-command.ts";
import { noteProgress } from "../../context/suite/progress-notes.ts";
import { findProjectFolder } from "../../context/project-place.ts";
import { renderSuite } from "../../context/suite/render-suite.ts";
import { VERIFY_EXIT_CODES } from "../../context/suite/verify-exit-codes.ts";
import { listWatchedFiles, watchTests, type TestRun } from "../../context/suite/watch-tests.ts";
import { parseReportFiles, writeReports, type ReportFile } from "../../context/suite/write-reports.ts";
import type { TextStyle } from "../../output/text-style.ts";
import { joinLines, renderNext } from "../../packets/render-facts.ts";
import type { CommandHandler, CommandInput } from "../command-handler.ts";

type Input = CommandInput<"context test">;

/** Runs a project's tests once, or again and again while its files change. */
export const run: CommandHandler<"context test"> = async (input) => {
  const { flags, globals, ambient } = input;
  if (flags.watch && flags.update) {
    throw new LoopxError("usage", {
      message: "--watch and --update exclude each other: a digest is accepted once, by somebody who looks",
      hint: "run with --update when the text is as it should be",
    });
  }
  const reports = parseReportFiles(flags.report, ["junit", "json"]);
  const directory = findProjectFolder(globals.project, ambient);
  const runTests = (): Promise<TestRun> => runOnce(directory, input, reports);
  return flags.watch ? watchTests(directory, runTests, input) : (await runTests()).result;
};

type Report = ReportFile<"junit" | "json">;

async function runOnce(directory: string, input: Input, reports: readonly Report[]): Promise<TestRun> {
  const { flags, ambient } = input;
  const { project, files } = await loadContextProject(directory);
  const tests = selectTests(project, flags.filter);
  const build = createBuild(project, files);
  const first = await runSuite(build, tests, noteProgress(input, "tests"));
  const acceptable = listAcceptable(project, first.tests);
  const isAccepting = flags.update && acceptable.length > 0;
  const source = readProjectSource(directory);
  const placeOf = first.verdict === "PASSED" ? () => source.path : await locateInProject(source);
  if (isAccepting) {
    const text = await acceptDigests(source, project, acceptable);
    const path = join(directory, source.path);
    await writeFileAtomically(path, text, { mode: statSync(path).mode % 0o1000, isExactMode: true });
  }
  const report = isAccepting ? await runAgain(directory, input) : first;
  const packet = toPacket(report, build.digest);
  await writeReports(
    reports,
    (kind) =>
      kind === "junit" ? renderJunit(project.id, report) : `${JSON.stringify(packet(report.tests), null, 2)}\n`,
    ambient,
  );
  const notPassed = report.tests.filter(({ status }) => status !== "PASSED");
  const accepted = isAccepting ? acceptable : [];
  const next = accepted.length === 0 && acceptable.length > 0 ? [printUpdate(input)] : [];
  return {
    result: {
      packet: { ...packet(notPassed.slice(0, SHOWN_TESTS)), ...toShownAccepted(accepted), next },
      text: (style) =>
        joinLines(
          ...accepted.map((digest) => renderAccepted(digest, style)),
          renderSuite(report, placeOf, style),
          flags.update && !isAccepting && report.verdict === "FAILED" ? style.yellow(NOTHING_ACCEPTED) : "",
          renderNext(next, style, "when the text is as it should be"),
        ),
      exitCode: VERIFY_EXIT_CODES[report.verdict],
    },
    files: listWatchedFiles(directory, files.keys()),
  };
}

const NOTHING_ACCEPTED = "--update accepted no digest: a test takes a new one where nothing else of it fails";

/** Reports hold all of them. */
const SHOWN_TESTS = 50;

/** The project as it was written: what is reported is what the file now says. */
async function runAgain(directory: string, { flags }: Input): Promise<SuiteReport> {
  const { project, files } = await loadContextProject(directory);
  return runSuite(createBuild(project, files), selectTests(project, flags.filter));
}

function toPacket(report: SuiteReport, build: string): (tests: SuiteReport["tests"]) => object {
  return (tests) => ({
    ok: report.verdict === "PASSED",
    schema_version: "loopx_context_test_v1",
    verdict: report.verdict,
    build,
    evaluation: { providers: "FIXTURE" },
    counts: toShownCounts(report),
    tests: tests.map(toShownVerdict),
  });
}

function toShownAccepted(accepted: readonly AcceptedDigest[]): object {
  return accepted.length === 0
    ? {}
    : { accepted: accepted.map(({ test, before, after }) => ({ test, before, after })) };
}

function renderAccepted({ test, before, after }: AcceptedDigest, style: TextStyle): string {
  return `${style.cyan("accepted")}  ${test}: the digest was ${before === "" ? "not set" : before} and is ${after}`;
}

function printUpdate({ flags, globals }: Input): string {
  const project = globals.project === undefined ? {} : { project: globals.project };
  return printCommand("context test", { update: true, filter: flags.filter }, { globals: project }).shell;
}
