import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findAccessibilityFaults } from "../support/accessibility-faults.ts";
import { CHROMIUM, startChromium } from "../support/chromium.ts";
import { openPage } from "../support/open-page.ts";
import { CANARIES, createRecallWorld, type RecallWorld } from "../support/recall-world.ts";
import { startWorkstation, type WorkstationServer } from "../support/workstation-server.ts";

describe.skipIf(CHROMIUM === undefined)("the screen recall", () => {
  let world: RecallWorld;
  let server: WorkstationServer;
  let browser: Browser;
  beforeAll(async () => {
    world = await createRecallWorld();
    server = await startWorkstation(world);
    browser = await startChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    world?.remove();
  });

  test("shows who can be asked and what became of a recall as it happens, and never what was recalled", async () => {
    const { page, complaints, close } = await openPage(browser, server, { path: "/recall", colorScheme: "dark" });
    await page.getByRole("row", { name: /canary-history.*ready.*nothing to do/ }).waitFor();
    await page.getByText("No receipt is kept").waitFor();
    const noChange = join(world.directory, "no-change.json");
    writeFileSync(noChange, '{"semantic_no_change":true}');
    const review = (query: string): Promise<unknown> =>
      world.decide("prepare-review", [`--query=${query}`, `--rebase-json=${noChange}`, "--execute"]);
    await review(CANARIES.query);
    await page.getByText("Historical task user").waitFor();
    await review("crash");
    await page.getByText("provider_retrieval_failed").waitFor();
    const shown = await page.content();
    for (const canary of Object.values(CANARIES)) expect(shown).not.toContain(canary);
    expect(await findAccessibilityFaults(page)).toEqual([]);
    await world.call(["extension", "disable", "canary-history", "--execute"]);
    await page.getByText("loopx extension enable --execute canary-history").waitFor();
    expect(complaints).toEqual([]);
    await close();
  });
});
