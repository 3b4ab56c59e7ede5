import { useState, type ReactNode } from "react";
import type { ContextPreviewAnswer, ContextPreviewRequest, ContextProjectAnswer } from "../../contract/context.ts";
import { ErrorState } from "../../components/error-state.tsx";
import { postDocument } from "../../http/request.ts";
import { useAsked } from "../../http/use-asked.ts";
import { NameSelect } from "./name-select.tsx";
import { PreviewResult } from "./preview-result.tsx";

/** What a turn would get, on the fixtures of the project's tests: nobody is asked and nothing is kept. */
export function PreviewPanel({ project }: { readonly project: ContextProjectAnswer }): ReactNode {
  const [request, setRequest] = useState<ContextPreviewRequest>(() => toRequest(project, project.tests[0]?.id ?? ""));
  const preview = useAsked<ContextPreviewAnswer>();
  const inputs = listInputs(project);
  const change = (part: Partial<ContextPreviewRequest>): void => setRequest((last) => ({ ...last, ...part }));
  const show = (): void =>
    preview.ask(() =>
      postDocument(`/api/context/places/${project.place.place}/preview`, {
        ...request,
        inputs: withoutEmpty(request.inputs),
      }),
    );
  return (
    <section className="panel" aria-label="Preview">
      <form
        className="fields"
        onSubmit={(event) => {
          event.preventDefault();
          show();
        }}
      >
        <NameSelect
          label="Fixtures of the test"
          names={project.tests}
          value={request.test ?? ""}
          none="any test that agrees"
          onChange={(test) => setRequest(test === "" ? { ...request, test: null } : toRequest(project, test))}
        />
        <NameSelect
          label="Objective"
          names={project.objectives}
          value={request.objective}
          onChange={(objective) => change({ objective })}
        />
        <NameSelect
          label="Consumer"
          names={project.consumers}
          value={request.consumer}
          onChange={(consumer) => change({ consumer })}
        />
        <NameSelect
          label="Profile"
          names={project.profiles}
          value={request.profile ?? ""}
          onChange={(profile) => change({ profile })}
        />
        {inputs.map((input) => (
          <label key={input} className="field">
            <span>{input}</span>
            <input
              value={request.inputs[input] ?? ""}
              spellCheck={false}
              onChange={(event) => change({ inputs: { ...request.inputs, [input]: event.target.value } })}
            />
          </label>
        ))}
        <button type="submit" className="button-main" disabled={preview.isAsking}>
          Preview
        </button>
      </form>
      {preview.fault === undefined ? null : <ErrorState fault={preview.fault} />}
      {preview.document === undefined ? (
        <p className="faint">
          Shows what an agent would get, with invented answers from the tests. Nobody is asked, nothing is kept.
        </p>
      ) : (
        <PreviewResult preview={preview.document} />
      )}
    </section>
  );
}

/** What a test asks, or the first of everything without one. */
function toRequest(project: ContextProjectAnswer, testId: string): ContextPreviewRequest {
  const test = project.tests.find(({ id }) => id === testId);
  return {
    objective: test?.objective ?? project.asked.objective,
    consumer: test?.consumer ?? project.asked.consumer,
    profile: test?.profile ?? project.profiles[0]?.id ?? null,
    inputs: test?.inputs ?? {},
    test: test?.id ?? null,
  };
}

function listInputs({ layers }: ContextProjectAnswer): readonly string[] {
  return [...new Set(layers.flatMap(({ needs }) => needs))];
}

function withoutEmpty(inputs: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(inputs).filter(([, value]) => value !== ""));
}
