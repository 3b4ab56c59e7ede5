import type { ReactNode } from "react";
import type { Resource } from "../http/use-resource.ts";
import { ErrorState } from "./error-state.tsx";
import { Loading } from "./loading.tsx";

interface ResourceViewProps<Document> {
  readonly resource: Resource<Document>;
  /** How many rows to keep the place of. */
  readonly rows?: number;
  readonly children: (document: Document) => ReactNode;
}

/** What a resource has: its document, the place of one that is on its way, or why there is none. */
export function ResourceView<Document>({ resource, rows, children }: ResourceViewProps<Document>): ReactNode {
  const { document, fault, reload } = resource;
  return (
    <>
      {fault === undefined ? null : <ErrorState fault={fault} onRetry={reload} />}
      {document === undefined
        ? fault === undefined && <Loading {...(rows === undefined ? {} : { rows })} />
        : children(document)}
    </>
  );
}
