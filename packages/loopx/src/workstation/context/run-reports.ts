import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { LoopxError } from "@loopx/contracts";
import {
  createBuild,
  CURRENT_BUILD,
  loadBuild,
  runRegression,
  runSuite,
  selectTests,
  toShownChange,
  toShownChangeCounts,
  toShownCounts,
  toShownVerdict,
  type ContextBuild,
  type OnProgress,
} from "@loopx/runtime-context/offline";
import { listBuildFolders, loadPlacedProject, type ContextPlace } from "./context-place.ts";
import { BUILD_NAME, WORKING_BUILD } from "./project-answer.ts";

/** More than a person reads: `loopx context test --report` holds all of them. */
const SHOWN_TESTS = 200;

/** Runs the tests of a project as it stands now, on their fixtures. */
export async function reportTests(
  place: ContextPlace,
  filter: readonly string[],
  onProgress: OnProgress,
): Promise<object> {
  const { project, files } = await loadPlacedProject(place);
  const report = await runSuite(createBuild(project, files), selectTests(project, filter), onProgress);
  const notPassed = report.tests.filter(({ status }) => status !== "PASSED");
  const passed = report.tests.filter(({ status }) => status === "PASSED");
  return {
    verdict: report.verdict,
    counts: toShownCounts(report),
    tests: [...notPassed, ...passed].slice(0, SHOWN_TESTS).map(toShownVerdict),
  };
}

/** What a regression run compares, and on which tests. */
export interface AskedRegression {
  readonly baseline: string;
  readonly candidate: string;
  readonly filter: readonly string[];
}

/** Runs the tests of a project on two builds, on their fixtures, and says what the candidate changes. */
export async function reportRegression(
  place: ContextPlace,
  asked: AskedRegression,
  onProgress: OnProgress,
): Promise<object> {
  const { project, files } = await loadPlacedProject(place);
  const tests = selectTests(project, asked.filter);
  const load = async (field: "baseline" | "candidate"): Promise<ContextBuild> =>
    asked[field] === WORKING_BUILD ? createBuild(project, files) : loadPlacedBuild(place, asked[field], field);
  const parts = { baseline: await load("baseline"), candidate: await load("candidate"), tests, live: null };
  const report = await runRegression(parts, onProgress);
  const changed = report.tests.filter(({ status }) => status !== "UNCHANGED");
  return {
    verdict: report.verdict,
    counts: toShownChangeCounts(report),
    differences: report.differences.map(({ says }) => says),
    tests: changed.slice(0, SHOWN_TESTS).map(toShownChange),
  };
}

async function loadPlacedBuild(place: ContextPlace, name: string, field: string): Promise<ContextBuild> {
  const isName = BUILD_NAME.test(name) || name === CURRENT_BUILD;
  const folder = listBuildFolders(place).find((builds) => isName && existsSync(join(builds, name)));
  // `current` is a link: it is followed once, and the build is read whole from where it led.
  if (folder !== undefined) return loadBuild(await realpath(join(folder, name)));
  throw new LoopxError("invalid_value", {
    message: `${field} is no build in or beside the project`,
    hint: "make one: loopx context build --project=<project-folder> --output=<builds>",
    details: { field },
  });
}
