import type { ProjectDocument } from "../../src/project/project-schema.ts";

/** The seed's snippet, word for word. */
export const SEED_SNIPPET = `"providers": [{ "id": "customer-data", "name": "Customer data", "lookup": { "input": "customerId", "pattern": "^CUST-[0-9]{4}$" }, "maxItems": 2 }],
"layers": [{ "id": "customer-profile", "name": "Customer profile", "bindings": [{ "provider": "customer-data" }] }]`;

/** The smallest project around it. */
export const SEED_PROJECT = `{
  "contract": "context-project.v1",
  "id": "support-desk",
  "version": "1.0.0",
  "objectives": [{ "id": "answer-ticket" }],
  "consumers": [{ "id": "support-agent" }],
  "profiles": [{ "id": "support", "budget": { "bytes": 4096 }, "layers": [{ "layer": "customer-profile", "rule": "required" }] }],
  ${SEED_SNIPPET}
}`;

/** A fresh copy of it as a value that a test may change. */
export function createProjectDocument(): ProjectDocument {
  return JSON.parse(SEED_PROJECT) as ProjectDocument;
}
