import type { Hono } from "hono";
import { listAdvisoryProviders } from "../recall/list-advisory-providers.ts";
import { listReceipts } from "../recall/list-receipts.ts";
import { renderDocument } from "../render-document.ts";
import type { WorkstationWorld } from "../workstation-world.ts";

/** What the recall screen reads: who could be asked, and what became of recalls. Nobody is asked from here. */
export function addRecallRoutes(app: Hono, { ambient, globals }: Pick<WorkstationWorld, "ambient" | "globals">): void {
  app.get("/api/recall/providers", async () => renderDocument(await listAdvisoryProviders(ambient)));
  app.get("/api/recall/receipts", async () => renderDocument(await listReceipts(globals, ambient)));
}
