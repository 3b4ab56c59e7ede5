import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM, startChromium } from "../support/chromium.ts";
import { createGate } from "../support/create-gate.ts";
import { createOwnerToken } from "../support/create-owner-token.ts";
import { openPage } from "../support/open-page.ts";
import { runSql } from "../support/run-sql.ts";
import { addTodo, createWorkingGoal, type WorkingGoal } from "../support/working-goal.ts";
import { startWorkstation, type WorkstationServer } from "../support/workstation-server.ts";

describe.skipIf(CHROMIUM === undefined)("what comes in between", () => {
  let goal: WorkingGoal;
  let token: string;
  let server: WorkstationServer;
  let browser: Browser;
  let goalPath: string;
  beforeAll(async () => {
    goal = await createWorkingGoal(2);
    goalPath = `/goals/${goal.goalId}`;
    token = await createOwnerToken(goal.world);
    server = await startWorkstation(goal.world, { flags: [`--owner-token-file=${token}`] });
    browser = await startChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    goal?.world.remove();
  });

  test("a receipt stays until it is read, also where its gate has left the goal's list", async () => {
    await createGate(goal, { question: "May I?", blocks: "agent:agent-2" });
    const { page, complaints, close } = await openPage(browser, server, { path: goalPath });
    await page.getByRole("button", { name: "Approve…" }).click();
    await page.getByRole("button", { name: "Confirm: approve" }).click();
    await page.getByText("It is on record").waitFor();
    await page.getByRole("heading", { name: /^Gates/, includeHidden: true }).waitFor({ state: "detached" });
    expect(await page.getByText("It is on record").isVisible()).toBe(true);
    await page.getByRole("button", { name: "Done", exact: true }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
    await close();
  });

  test("who is quicker at a terminal takes no dialog away, nor what was written in it", async () => {
    const gateId = await createGate(goal, { question: "Now?", blocks: "agent:agent-2" });
    const { page, close } = await openPage(browser, server, { path: goalPath });
    await page.getByRole("button", { name: "Reject…" }).click();
    await page.getByLabel("Reason").fill("Not before the audit");
    await goal.world.call([
      "gate",
      "decide",
      `--gate-id=${gateId}`,
      "--decision=approve",
      `--owner-token-file=${token}`,
    ]);
    await page.getByRole("heading", { name: /^Gates/, includeHidden: true }).waitFor({ state: "detached" });
    expect(await page.getByLabel("Reason").inputValue()).toBe("Not before the audit");
    await page.getByRole("button", { name: "Confirm: reject" }).click();
    await page.getByText("Somebody was quicker.").waitFor();
    await page.getByText("It was approved by the owner (with an owner token)").waitFor();
    await close();
  });

  test("going back closes what was being decided", async () => {
    const gateId = await createGate(goal, { question: "Then?", blocks: "agent:agent-2" });
    const { page, close } = await openPage(browser, server, { path: goalPath });
    await page.getByRole("link", { name: gateId }).click();
    await page.getByRole("button", { name: "Defer…" }).click();
    await page.getByRole("dialog").waitFor();
    await page.goBack();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await close();
  });

  test("a link that is pasted where the page is open already lets it in, and leaves no trace", async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${server.url}/`);
    await page.getByRole("heading", { name: "Open the link that the Workstation printed" }).waitFor();
    await page.goto(await server.nextLink());
    await page.getByText("Live", { exact: true }).waitFor();
    expect(page.url()).toBe(`${server.url}/`);
    await page.goBack();
    await page.goForward();
    expect(page.url()).not.toContain("token");
    await context.close();
  });

  test("a browser that keeps nothing shows everything", async () => {
    const { page, complaints, close } = await openPage(browser, server);
    await page.evaluate(() => {
      for (const kept of [sessionStorage, localStorage]) {
        kept.clear();
        for (let size = 1 << 22; size > 0;) {
          try {
            kept.setItem(`x${kept.length}`, "y".repeat(size));
          } catch {
            size >>= 1;
          }
        }
      }
    });
    await page.reload();
    await page.getByText("Since you were last here").waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test("while the server is away, the rest of a goal as it was is asked for when somebody says so", async () => {
    const last = await addTodo(goal, "The last one");
    // As 150 more todos would be on record.
    const row = `SELECT * FROM events WHERE entity_id = '${last}'`;
    runSql(
      join(goal.world.project, ".loopx", "state.db"),
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 150)
       INSERT INTO events SELECT goal_id, seq + i, type, at, actor, entity, 'todo_' || printf('%016d', i),
         json_set(image, '$.todo_id', 'todo_' || printf('%016d', i)) FROM (${row}), n`,
    );
    const { page, close } = await openPage(browser, server, { path: goalPath });
    await page.getByRole("button", { name: "Timeline" }).click();
    await page
      .getByRole("button", { name: /^The goal as of event/ })
      .first()
      .click();
    const then = page.getByRole("region", { name: "The goal as it was" });
    await then.getByRole("listitem").first().waitFor();
    const uncaught: string[] = [];
    page.on("pageerror", (error) => uncaught.push(error.message));
    let askedCount = 0;
    await page.route("**/at/**", (route) => {
      askedCount += 1;
      return route.abort();
    });
    await scrollUntil(page, '[role="alert"]');
    await then.getByText("The Workstation does not answer").waitFor();
    expect(askedCount).toBe(1);
    await page.unroute("**/at/**");
    await then.getByRole("button", { name: "Try again" }).click();
    await then.getByText("The Workstation does not answer").waitFor({ state: "detached" });
    await scrollUntil(page, '[aria-posinset="150"]');
    expect(uncaught).toEqual([]);
    await close();
  });

  test("a command that cannot be copied is selected, and says so", async () => {
    const { page, complaints, close } = await openPage(browser, server);
    // As at an address of another machine, which browsers trust with no clipboard.
    await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
    await page
      .getByRole("button", { name: /^Copy: / })
      .first()
      .click();
    await page.getByText("Selected").waitFor();
    expect(await page.evaluate(() => String(getSelection()))).toMatch(/^loopx /);
    expect(complaints).toEqual([]);
    await close();
  });
});

/** Scrolls down until there is what the selector means. */
async function scrollUntil(page: Page, selector: string): Promise<void> {
  await page.waitForFunction((wanted) => {
    scrollTo(0, document.documentElement.scrollHeight);
    return document.querySelector(wanted) !== null;
  }, selector);
}
