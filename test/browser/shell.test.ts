import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findAccessibilityFaults } from "../support/accessibility-faults.ts";
import { CHROMIUM, startChromium } from "../support/chromium.ts";
import { openPage } from "../support/open-page.ts";
import { createWorkingGoal, type WorkingGoal } from "../support/working-goal.ts";
import { startWorkstation, type WorkstationServer } from "../support/workstation-server.ts";

describe.skipIf(CHROMIUM === undefined)("the Workstation's frame", () => {
  let goal: WorkingGoal;
  let server: WorkstationServer;
  let browser: Browser;
  beforeAll(async () => {
    goal = await createWorkingGoal(1);
    server = await startWorkstation(goal.world);
    browser = await startChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    goal?.world.remove();
  });

  test("a link lets one browser in, leaves no trace in its address, and every screen can be reached by it", async () => {
    const { page, complaints, elsewhere, close } = await openPage(browser, server);
    expect(page.url()).toBe(`${server.url}/`);
    for (const [title, path] of [
      ["Context", "/context"],
      ["Recall", "/recall"],
      ["Overview", "/"],
    ] as const) {
      await page.getByRole("link", { name: title }).click();
      await page.getByRole("heading", { level: 1, name: title }).waitFor();
      expect(new URL(page.url()).pathname).toBe(path);
    }
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Recall" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Recall" }).waitFor();
    // The policy was broken by nothing of the page itself, and nothing was asked of anybody else.
    expect({ complaints, elsewhere }).toEqual({ complaints: [], elsewhere: [] });
    await close();
  });

  test("a link that was used tells a second browser what to do, and it goes on by itself once it is let in", async () => {
    const used = await server.nextLink();
    const first = await browser.newContext();
    await (await first.newPage()).goto(used);
    const second = await browser.newContext();
    const waiting = await second.newPage();
    await waiting.goto(used);
    await waiting.getByText("The link was used before or has expired.").waitFor();
    await waiting.getByText("press Enter in the terminal", { exact: false }).first().waitFor();
    const other = await second.newPage();
    await other.goto(await server.nextLink());
    await waiting.getByRole("navigation").waitFor();
    await first.close();
    await second.close();
  });

  test("the page's cookie is out of reach of scripts, and a page of another site can't use it", async () => {
    const { page, close } = await openPage(browser, server);
    expect(await page.evaluate(() => document.cookie)).toBe("");
    const foreign = await page.context().newPage();
    await foreign.goto("data:text/html,<h1>elsewhere</h1>");
    const answers = await foreign.evaluate(async (url) => {
      const ask = async (init: RequestInit): Promise<string> => {
        try {
          return String((await fetch(`${url}/api/session`, { credentials: "include", ...init })).status);
        } catch {
          return "refused";
        }
      };
      return [await ask({}), await ask({ method: "POST", body: "{}" })];
    }, server.url);
    expect(answers).toEqual(["refused", "refused"]);
    await close();
  });

  test("no text of the page can become script", async () => {
    const { page, close } = await openPage(browser, server);
    const outcomes = await page.evaluate(() => {
      const attempts: readonly (() => unknown)[] = [
        () => (document.body.innerHTML = "<img src=x onerror=alert(1)>"),
        () => (document.createElement("script").textContent = "alert(1)"),
        () => (document.createElement("script").src = "/assets/other.js"),
        () => (document.createElement("iframe").srcdoc = "<script>alert(1)</script>"),
      ];
      return attempts.map((attempt) => {
        try {
          attempt();
          return "done";
        } catch (error) {
          return error instanceof Error ? error.name : "thrown";
        }
      });
    });
    expect(outcomes).toEqual(["TypeError", "TypeError", "TypeError", "TypeError"]);
    await close();
  });

  test("while the server is away the page says so, and what it is to do once it is there again", async () => {
    const first = await startWorkstation(goal.world);
    const { page, close } = await openPage(browser, first);
    await first.stop();
    await page.getByText("The server is away. Trying again…").waitFor();
    const again = await startWorkstation(goal.world, { flags: [`--port=${first.port}`] });
    await page.getByRole("heading", { name: "Open the link that the Workstation printed" }).waitFor();
    const other = await page.context().newPage();
    await other.goto(again.link);
    await page.getByText("Live", { exact: true }).waitFor();
    await again.stop();
    await close();
  });

  test.each(["light", "dark"] as const)("everybody can use it, in %s, wide and narrow", async (colorScheme) => {
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 360, height: 740 },
    ]) {
      const { page, close } = await openPage(browser, server, { colorScheme, viewport });
      for (const path of ["/", `/goals/${goal.goalId}`, "/context", "/recall", "/nowhere"]) {
        await page.goto(`${server.url}${path}`);
        await page.getByText("Live", { exact: true }).waitFor();
        expect(await findAccessibilityFaults(page)).toEqual([]);
        // Nothing is cut off at the side.
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      }
      await close();
    }
  });

  test("the check finds what keeps people out", async () => {
    const { page, close } = await openPage(browser, server);
    await page.evaluate(() => {
      const button = document.createElement("button");
      button.style.cssText = "color: #777; background: #888";
      document.querySelector("main")?.append(button, document.createElement("input"));
    });
    const faults = await findAccessibilityFaults(page);
    expect(faults.map(({ rule }) => rule)).toEqual(expect.arrayContaining(["button-name", "label"]));
    await close();
  });

  test("the keyboard reaches the content past the navigation, and shows where it is", async () => {
    const { page, close } = await openPage(browser, server);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("main");
    await page.goto(`${server.url}/`);
    await page.getByText("Live", { exact: true }).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    const focused = page.locator(":focus-visible");
    expect(await focused.textContent()).toBe("Overview");
    expect(await focused.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe("solid");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Context" }).waitFor();
    await close();
  });
});
