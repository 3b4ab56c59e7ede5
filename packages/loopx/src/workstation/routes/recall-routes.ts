import type { Hono } from "hono";
import type { ContextSources } from "../context/list-context-places.ts";
import { listAdvisoryProviders } from "../recall/list-advisory-providers.ts";
import { listReceipts } from "../recall/list-receipts.ts";

/** What the recall screen reads: who could be asked, and what became of recalls. Nobody is asked from here. */
export function addRecallRoutes(app: Hono, { ambient, globals }: Pick<ContextSources, "ambient" | "globals">): void {
  app.get("/api/recall/providers", async (context) =>
    context.json(await listAdvisoryProviders(ambient), 200, NO_STORE),
  );
  app.get("/api/recall/receipts", async (context) => context.json(await listReceipts(globals, ambient), 200, NO_STORE));
}

const NO_STORE = { "cache-control": "no-store" } as const;
