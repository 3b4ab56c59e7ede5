import { join } from "node:path";
import { isLoopxError, LoopxError } from "@loopx/contracts";
import {
  acceptDigests,
  createBuild,
  listAcceptable,
  loadContextProject,
  locateInProject,
  PROJECT_FILES,
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
import { noteProgress } from "../../context/progress-notes.ts";
import { findProjectFolder } from "../../context/project-place.ts";
import { renderSuite } from "../../context/render-suite.ts";
import { VERIFY_EXIT_CODES } from "../../context/verify-exit-codes.ts";
import { markFiles, waitForChange } from "../../context/watch-files.ts";
import { parseReportFiles, writeReports } from "../../context/write-reports.ts";
import type { CommandResult } from "../../output/command-result.ts";
import { createTextStyle, mayStyle, type TextStyle } from "../../output/text-style.ts";
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
  const directory = findProjectFolder(globals.project, ambient);
  return flags.watch ? watchTests(directory, input) : (await runOnce(directory, input)).result;
};

interface Run {
  readonly result: CommandResult;
  /** Of the project, absolute. */
  readonly files: readonly string[];
}

async function runOnce(directory: string, input: Input): Promise<Run> {
  const { flags, ambient } = input;
  const reports = parseReportFiles(flags.report, ["junit", "json"]);
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
    await writeFileAtomically(join(directory, source.path), text, { mode: 0o666 });
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
          renderNext(next, style, "when the text is as it should be"),
        ),
      exitCode: VERIFY_EXIT_CODES[report.verdict],
    },
    files: listFiles(directory, files.keys()),
  };
}

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

function listFiles(directory: string, layerFiles: Iterable<string>): readonly string[] {
  return [...PROJECT_FILES, ...layerFiles].map((file) => join(directory, file));
}

/** Each run is a note, so that stdout keeps the one answer: that of the last run. */
async function watchTests(directory: string, input: Input): Promise<CommandResult> {
  const { ambient, facts, globals, note } = input;
  const stop = new AbortController();
  void input.untilInterrupted().then(() => stop.abort());
  const isStyled = mayStyle({ noColor: globals.noColor, env: ambient.env, isTerminal: facts.isStderrTerminal });
  const style = createTextStyle(isStyled, facts.columns);
  let files = listFiles(directory, []);
  for (;;) {
    const [known, mark] = [files, markFiles(files)];
    const last = await tryRun(directory, input);
    files = "files" in last ? last.files : known;
    note("files" in last ? last.result.text(style) : `${style.red("not run")}  ${last.error.message}`);
    note(style.dim("waiting for a change"));
    // What changed during the run counts; files that it was the first to name are looked at from now on.
    const isKnown = files.join("\n") === known.join("\n");
    const hasChanged = await waitForChange(files, isKnown ? mark : markFiles(files), stop.signal);
    if (hasChanged) continue;
    if ("error" in last) throw last.error;
    return last.result;
  }
}

/** A project that is broken for the moment doesn't end the watch. */
async function tryRun(directory: string, input: Input): Promise<Run | { readonly error: LoopxError }> {
  try {
    return await runOnce(directory, input);
  } catch (error) {
    if (isLoopxError(error)) return { error };
    throw error;
  }
}
