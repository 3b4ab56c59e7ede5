import { useState, type ReactNode } from "react";
import type { ContextProjectAnswer } from "../../contract/context.ts";
import type { ContextRegressionReport, ContextTestsReport } from "../../contract/context-runs.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { Code } from "../../components/code.tsx";
import { NameSelect } from "./name-select.tsx";
import { RegressionReport } from "./regression-report.tsx";
import { RunProgress } from "./run-progress.tsx";
import { TestsReport } from "./tests-report.tsx";
import { useRun } from "./use-run.ts";

/** Runs the tests of the project as it is now, or on two builds to see what one changes. */
export function RunsPanel({ project }: { readonly project: ContextProjectAnswer }): ReactNode {
  const [filter, setFilter] = useState("");
  if (project.tests.length === 0) {
    return (
      <EmptyState title="The project has no tests">
        <p>A test gives invented answers of providers and says what must come of them.</p>
        <Code text="loopx context guide" />
      </EmptyState>
    );
  }
  const words = filter.split(/\s+/).filter((word) => word !== "");
  return (
    <>
      <label className="field field-wide">
        <span>Only tests whose id or name contains</span>
        <input
          value={filter}
          placeholder={`all ${project.tests.length}`}
          onChange={(event) => setFilter(event.target.value)}
        />
      </label>
      <Tests project={project} filter={words} />
      <Regression project={project} filter={words} />
    </>
  );
}

interface RunProps {
  readonly project: ContextProjectAnswer;
  readonly filter: readonly string[];
}

function Tests({ project, filter }: RunProps): ReactNode {
  const run = useRun<ContextTestsReport>();
  return (
    <section className="panel" aria-labelledby="run-tests">
      <h2 id="run-tests">Tests</h2>
      <p className="fields">
        <button
          type="button"
          className="button-main"
          disabled={run.isRunning}
          onClick={() => run.start(`/api/context/places/${project.place.place}/tests`, { filter })}
        >
          Run tests
        </button>
        <span className="faint">On the project's files as they are now, with fixtures: no provider is asked.</span>
      </p>
      <RunProgress run={run} />
      {run.report === undefined ? null : <TestsReport report={run.report} />}
    </section>
  );
}

function Regression({ project, filter }: RunProps): ReactNode {
  const run = useRun<ContextRegressionReport>();
  const names = project.builds.map(({ build }) => ({
    id: build,
    name: build === "working" ? "the files as they are now" : build,
  }));
  const [baseline, setBaseline] = useState(
    project.builds.find(({ is_current: isCurrent }) => isCurrent)?.build ?? names.at(-1)?.id ?? "",
  );
  const [candidate, setCandidate] = useState("working");
  return (
    <section className="panel" aria-labelledby="run-regression">
      <h2 id="run-regression">What does a change do?</h2>
      {names.length < 2 ? (
        <EmptyState title="There is nothing to compare with">
          <p>A regression run compares with a build in or beside the project's folder.</p>
          <Code text="loopx context build --project=<folder> --output=builds" />
        </EmptyState>
      ) : (
        <div className="fields">
          <NameSelect label="From" names={names} value={baseline} onChange={setBaseline} />
          <NameSelect label="To" names={names} value={candidate} onChange={setCandidate} />
          <button
            type="button"
            className="button-main"
            disabled={run.isRunning}
            onClick={() =>
              run.start(`/api/context/places/${project.place.place}/regressions`, { filter, baseline, candidate })
            }
          >
            Compare
          </button>
        </div>
      )}
      <RunProgress run={run} />
      {run.report === undefined ? null : <RegressionReport report={run.report} />}
    </section>
  );
}
