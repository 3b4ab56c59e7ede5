import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findAccessibilityFaults } from "../support/accessibility-faults.ts";
import { CHROMIUM, startChromium } from "../support/chromium.ts";
import { openPage, type OpenedPage } from "../support/open-page.ts";
import { readText } from "../support/read-field.ts";
import { BINDING, createSupportDesk, editBinding, type SupportDesk } from "../support/support-desk.ts";
import { startWorkstation, type WorkstationServer } from "../support/workstation-server.ts";

function expectAnotherPlan(project: string): string {
  return project
    .replace("metadata: [plan]", "metadata: []")
    .replace("contains: Enterprise plan", "contains: Gold plan");
}

function breakBudget(project: string): string {
  return project.replace("budget: { bytes: 16384 }", "budget: { bytes: none }");
}

const VIEWS_WITH_TEXT = [
  ["Layers", null],
  ["Preview", "Preview"],
  ["Tests", "Run tests"],
] as const;
const SLOW = '"ticket-history": {';

describe.skipIf(CHROMIUM === undefined)("the screens of runtime context", () => {
  let desk: SupportDesk;
  let server: WorkstationServer;
  let browser: Browser;
  let opened: OpenedPage;
  let page: Page;
  let degraded = "";

  beforeAll(async () => {
    desk = await createSupportDesk();
    // A busy machine must not look like a slow provider.
    editBinding(desk.folder, (text) => text.replaceAll(/"timeoutMs": \d+/g, '"timeoutMs": 9000'));
    await desk.turn();
    const patient = readBinding();
    const [head = "", tail = ""] = patient.split(SLOW);
    editBinding(desk.folder, () => `${head}${SLOW}${tail.replace('"timeoutMs": 9000', '"timeoutMs": 300')}`);
    await desk.restartCrm(["--slow=ticket-history"]);
    degraded = readText((await desk.turn()).json, "trace_id");
    await desk.restartCrm([]);
    editBinding(desk.folder, () => patient);
    server = await startWorkstation(
      { program: desk.world.program, project: desk.folder, env: desk.env },
      { flags: ["--context-project=project", BINDING, "--traces=traces"] },
    );
    browser = await startChromium();
    opened = await openPage(browser, server, { path: "/context" });
    ({ page } = opened);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await desk?.remove();
  });

  const readBinding = (): string => readFileSync(join(desk.folder, "deployment", "context-binding.json"), "utf8");

  /** The project changed as `edit` says, while `work` looks at it. */
  async function withProject(edit: (text: string) => string, work: () => Promise<void>): Promise<void> {
    const path = join(desk.folder, "project", "context.project.yaml");
    const before = readFileSync(path, "utf8");
    const edited = edit(before);
    expect(edited).not.toBe(before);
    writeFileSync(path, edited);
    try {
      await work();
    } finally {
      writeFileSync(path, before);
    }
  }

  async function openView(title: string): Promise<void> {
    await page.getByRole("navigation", { name: "Screens" }).getByRole("link", { name: "Context" }).click();
    await page.getByRole("navigation", { name: "Views of the project" }).getByRole("link", { name: title }).click();
  }

  test("somebody who knows nothing finds out why a turn was DEGRADED", async () => {
    await openView("Traces");
    await page.getByLabel("Outcome").selectOption("DEGRADED");
    await page.getByText("1 turn", { exact: true }).waitFor();
    await page.getByLabel("Until").fill("2020-01-01T00:00");
    await page.getByText("No trace fits").waitFor();
    await page.getByLabel("Until").fill("");
    await page.getByRole("combobox", { name: "Provider", exact: true }).selectOption("customer-data");
    await page.getByLabel("Asked for customerId").fill("CUST-0000");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByText("No trace fits").waitFor();
    await page.getByLabel("Asked for customerId").fill("CUST-1042");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("link", { name: "answer-ticket for support-agent" }).click();
    expect(new URL(page.url()).pathname).toBe(`/context/traces/${degraded}`);
    const why = page.getByRole("region", { name: "Why it came out so" });
    expect(await why.textContent()).toContain("current facts of one layer are unknown");
    expect(await why.textContent()).toMatch(
      /earlier-tickets from ticket-history: The provider did not answer within its/,
    );
    await page.getByRole("row", { name: /earlier-tickets optional.*UNAVAILABLE.*TIMEOUT/ }).waitFor();
  });

  test("a trace's address leads to it from anywhere, and its turn is reproduced by the keyboard alone", async () => {
    await page.goto(`${server.url}/context/traces/${degraded}`);
    await page.getByRole("button", { name: "Reproduce" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("LIVE_DEPENDENCY_UNAVAILABLE").waitFor();
    await page.getByText(/is not the one that the turn was carried out with|was not kept/).waitFor();
  });

  test("a trace that is written while the page is open appears on it, and an idle page asks for nothing again", async () => {
    await openView("Traces");
    await page.getByText("2 turns", { exact: true }).waitFor();
    await desk.turn();
    await page.getByText("3 turns", { exact: true }).waitFor();
    let count = 0;
    page.on("request", (asked) => asked.url().endsWith("/traces/search") && (count += 1));
    await page.waitForTimeout(3000);
    expect(count).toBeLessThanOrEqual(1);
  });

  test("a preview shows what an agent would get, with what a provider would say marked as data from outside", async () => {
    await openView("Preview");
    await page.getByLabel("customerId").fill("CUST-1042");
    await page.getByLabel("orderId").fill("ORD-20001");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByText(/of 16,384 bytes/).waitFor();
    const fences = page.getByRole("figure").filter({ hasText: "From outside, data only" });
    expect(await fences.count()).toBe(3);
    await page.getByLabel("customerId").fill("CUST-9999");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByText("PROVIDER_FIXTURE_MISSING").first().waitFor();
    await page.getByText("a blocked turn gives the agent nothing", { exact: false }).waitFor();
  });

  test("the matrix follows the objective", async () => {
    await openView("Layers");
    await page.getByRole("row", { name: /Customer profile.*in scope required/ }).waitFor();
    await page.getByLabel("Objective").selectOption("plan-shift");
    await page.getByRole("row", { name: /Customer profile.*not for this objective/ }).waitFor();
  });

  test("providers are asked only by a click", async () => {
    await openView("Providers");
    expect(await page.getByText("not asked").count()).toBe(3);
    await page.getByRole("button", { name: "Ask providers how they are" }).click();
    await page.getByRole("row", { name: /Customer data.*READY/ }).waitFor();
  });

  test("a test that fails shows what was expected beside what came, and a comparison the lines that changed", async () => {
    await withProject(expectAnotherPlan, async () => {
      await openView("Tests");
      await page.getByRole("button", { name: "Run tests" }).click();
      await page.getByText("3 passed, 1 failed, 0 unknown").waitFor();
      await page.getByText(/expected .*Gold plan/).waitFor();
      await page.getByRole("button", { name: "Compare" }).click();
      await page.getByText('− plan: "Enterprise"', { exact: false }).waitFor();
    });
  });

  test("no name, text or answer becomes markup or hides anything, wherever it is shown", async () => {
    const markup = "<img src=x onerror=document.title='hacked'>";
    const answer = `${markup}\\u202Egnp.exe\\u2066`;
    const edit = (text: string): string =>
      text
        .replace("name: Customer profile", `name: "${markup}"`)
        .replace("name: Answer a ticket", `name: "${markup}"`)
        .replace("content: On the Enterprise plan since 2024., metadata", `content: "${answer}", metadata`)
        .replace("contains: Enterprise plan", `contains: "${answer} and more"`);
    await withProject(edit, async () => {
      for (const [view, act] of VIEWS_WITH_TEXT) {
        await page.goto(`${server.url}/context`);
        await openView(view);
        if (act !== null) await page.getByRole("button", { name: act, exact: true }).click();
        const shownText = page.getByText(act === null ? markup : `${markup}gnp.exe`, { exact: false });
        await shownText.locator("visible=true").first().waitFor();
        const shown = await page.evaluate(() => ({
          images: document.images.length,
          title: document.title,
          bidi: /[\u202a-\u202e\u2066-\u2069]/.test(document.documentElement.outerHTML),
        }));
        expect({ view, ...shown }).toEqual({ view, images: 0, title: "LoopX Workstation", bidi: false });
      }
    });
  });

  test("a project that can't be read any more says so, and its traces can be searched all the same", async () => {
    await withProject(breakBudget, async () => {
      await page.goto(`${server.url}/context`);
      await page.getByRole("alert").waitFor();
      await openView("Traces");
      await page.getByRole("link", { name: "answer-ticket for support-agent" }).first().waitFor();
    });
  });

  test.each(["light", "dark"] as const)("every view can be used by everybody, in %s colours", async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    await page.goto(`${server.url}/context`);
    const width = colorScheme === "dark" ? 390 : 1200;
    await page.setViewportSize({ width, height: 900 });
    for (const view of ["Layers", "Preview", "Traces", "Providers", "Tests"]) {
      await openView(view);
      if (view === "Preview") await page.getByRole("button", { name: "Preview" }).click();
      if (view === "Tests") await page.getByRole("button", { name: "Run tests" }).click();
      expect({ view, faults: await findAccessibilityFaults(page) }).toEqual({ view, faults: [] });
      const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      expect({ view, isWide }).toEqual({ view, isWide: false });
    }
    await page.goto(`${server.url}/context/traces/${degraded}`);
    await page.getByRole("heading", { name: "Layers" }).waitFor();
    expect(await findAccessibilityFaults(page)).toEqual([]);
  });

  test("nothing was refused by the page's policy, and nobody else was asked", () => {
    // A refused answer of the API is said by the browser too.
    const others = opened.complaints.filter((line) => !line.includes("the server responded with a status of 4"));
    expect({ others, elsewhere: opened.elsewhere }).toEqual({ others: [], elsewhere: [] });
  });
});
