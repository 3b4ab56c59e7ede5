import { useState, type ReactNode } from "react";
import type { ContextProjectAnswer } from "../../contract/context.ts";
import { ResourceView } from "../../components/resource-view.tsx";
import { useResource } from "../../http/use-resource.ts";
import { Link } from "../../routing/link.tsx";
import { LayerMatrix } from "./layer-matrix.tsx";
import { PreviewPanel } from "./preview-panel.tsx";
import { ProvidersPanel } from "./providers-panel.tsx";
import { RunsPanel } from "./runs-panel.tsx";
import { TracesPanel } from "./traces-panel.tsx";

const VIEWS = [
  ["layers", "Layers"],
  ["preview", "Preview"],
  ["traces", "Traces"],
  ["providers", "Providers"],
  ["tests", "Tests"],
] as const;

interface ProjectViewProps {
  readonly place: string;
  readonly view: string | undefined;
  /** No list to go back to. */
  readonly isOnly: boolean;
}

/** One context project, a view at a time. */
export function ProjectView({ place, view, isOnly }: ProjectViewProps): ReactNode {
  const [asked, setAsked] = useState<Partial<ContextProjectAnswer["asked"]>>({});
  const query = new URLSearchParams(Object.entries(asked)).toString();
  const project = useResource<ContextProjectAnswer>(`/api/context/places/${place}${query === "" ? "" : `?${query}`}`);
  const [shown] = VIEWS.find(([name]) => name === view) ?? VIEWS[0];
  return (
    <>
      <header className="project-head">
        <h1>{project.document?.place.label ?? "Context"}</h1>
        <span className="faint">
          {project.document === undefined ? "" : `context project ${project.document.place.version ?? ""}`}
        </span>
        {isOnly ? null : <Link to={{ screen: "context" }}>All projects</Link>}
      </header>
      <nav className="views" aria-label="Views of the project">
        {VIEWS.map(([name, title]) => (
          <Link key={name} to={{ screen: "context", place, view: name }} isCurrent={name === shown}>
            {title}
          </Link>
        ))}
      </nav>
      {/* Traces stay there when the project can't be read any more. */}
      {shown === "traces" ? (
        <TracesPanel place={place} project={project.document} />
      ) : (
        <ResourceView resource={project} rows={10}>
          {(answer) => toView(shown, { answer, onAsk: setAsked })}
        </ResourceView>
      )}
    </>
  );
}

interface ViewParts {
  readonly answer: ContextProjectAnswer;
  readonly onAsk: (asked: ContextProjectAnswer["asked"]) => void;
}

function toView(view: Exclude<(typeof VIEWS)[number][0], "traces">, { answer, onAsk }: ViewParts): ReactNode {
  switch (view) {
    case "layers":
      return <LayerMatrix project={answer} onAsk={onAsk} />;
    case "preview":
      return <PreviewPanel project={answer} />;
    case "providers":
      return <ProvidersPanel project={answer} />;
    case "tests":
      return <RunsPanel project={answer} />;
  }
}
