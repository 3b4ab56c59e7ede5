import type { ReactNode } from "react";
import type { ContextPlacesAnswer } from "../../contract/context.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { ResourceView } from "../../components/resource-view.tsx";
import { Code } from "../../components/code.tsx";
import { useResource } from "../../http/use-resource.ts";
import { PlaceList } from "./place-list.tsx";
import { ProjectView } from "./project-view.tsx";

interface ContextScreenProps {
  /** The project that is open; without it the list of them, or the only one. */
  readonly place?: string;
  readonly view?: string;
}

/** The context projects that are shown: their layers, previews, providers, traces and tests. */
export function ContextScreen({ place, view }: ContextScreenProps): ReactNode {
  const places = useResource<ContextPlacesAnswer>("/api/context/places", ["overview"]);
  return (
    <ResourceView resource={places}>
      {(answer) => {
        const only = answer.places.length === 1 ? answer.places[0]?.place : undefined;
        const open = place ?? only;
        if (open !== undefined) return <ProjectView key={open} place={open} view={view} isOnly={only === open} />;
        return (
          <>
            <h1>Context</h1>
            {answer.places.length === 0 ? <NoPlaces /> : <PlaceList answer={answer} />}
          </>
        );
      }}
    </ResourceView>
  );
}

function NoPlaces(): ReactNode {
  return (
    <EmptyState title="No context project is known here">
      <p>
        Shown are the projects that goals of this machine have attached, and those named when the Workstation starts.
      </p>
      <Code text="loopx context attach --goal-id=<goal> --project=<folder> --binding=<binding> --store=<traces>" />
      <Code text="loopx workstation --context-project=<folder> --binding=<binding> --traces=<folder>" />
    </EmptyState>
  );
}
