import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findAccessibilityFaults } from "../support/accessibility-faults.ts";
import { CHROMIUM, startChromium } from "../support/chromium.ts";
import { createGate } from "../support/create-gate.ts";
import { createOwnerToken } from "../support/create-owner-token.ts";
import { fillWithTodos } from "../support/fill-with-todos.ts";
import { openPage } from "../support/open-page.ts";
import { readText } from "../support/read-field.ts";
import { addTodo, createWorkingGoal, nameTurn, openTurn, type WorkingGoal } from "../support/working-goal.ts";
import { startWorkstation, type WorkstationServer } from "../support/workstation-server.ts";

/** Would show, were it taken for markup; would hide or reorder, were it shown as it is. */
const MARKUP = `<img src=x onerror="document.title='taken'"><script>document.title='taken'</script>`;
const BIDI = "safe \u202Etxt.exe\u2066 \u0007\u200B";

describe.skipIf(CHROMIUM === undefined)("overview and goal in a browser", () => {
  let goal: WorkingGoal;
  let server: WorkstationServer;
  let browser: Browser;
  let goalPath: string;
  beforeAll(async () => {
    goal = await createWorkingGoal(2);
    goalPath = `/goals/${goal.goalId}`;
    const token = await createOwnerToken(goal.world);
    server = await startWorkstation(goal.world, { flags: [`--owner-token-file=${token}`] });
    browser = await startChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    goal?.world.remove();
  });

  test("an owner finds the gate that waits on the overview, sees what an answer changes, and gives it", async () => {
    const todoId = await addTodo(goal, "Publish the importer");
    const gateId = await createGate(goal, { question: "May I publish it?", blocks: todoId });
    const { page, complaints, close } = await openPage(browser, server);
    await page.getByRole("list", { name: "Waits for you" }).getByText("1 todo waits for your answer.").waitFor();
    await page.getByRole("link", { name: "May I publish it?" }).click();
    await page.getByRole("link", { name: "Publish the importer" }).waitFor();
    await page.getByRole("button", { name: "Reject…" }).click();
    await page.getByRole("dialog").getByText("1 todo becomes blocked").waitFor();
    await page.getByLabel("Reason").fill("Not before the audit");
    expect(await goal.world.call(["gate", "show", `--gate-id=${gateId}`])).not.toHaveProperty("gate.decision");
    await page.getByRole("button", { name: "Confirm: reject" }).click();
    await page.getByText("by the owner (through the Workstation). It is on record").waitFor();
    await page.getByRole("button", { name: "Done", exact: true }).click();
    await page.getByText("a gate was rejected").waitFor();
    expect(await goal.world.call(["gate", "show", `--gate-id=${gateId}`])).toMatchObject({
      gate: { decision: "rejected", decided_by: "owner:workstation", reason: "Not before the audit" },
    });
    expect(complaints).toEqual([]);
    await close();
  });

  test("what another process writes is there by itself", async () => {
    const { page, close } = await openPage(browser, server, { path: goalPath });
    await page.getByRole("button", { name: /^Open \d/ }).click();
    await addTodo(goal, "Written while you look");
    await page.getByRole("link", { name: "Written while you look" }).waitFor();
    await close();
  });

  test("a list that is longer than its first page stays live to its end, where it was scrolled to and with its focus", async () => {
    const long = await createWorkingGoal(1);
    const add = (text: string): Promise<unknown> =>
      long.world.call(["todo", "add", "--role=user", "--task-class=user_action", "--priority=P3", `--text=${text}`]);
    const like = readText(await add("Look at this"), "todo", "todo_id");
    fillWithTodos(long, { like, count: 300, text: "Look at" });
    const other = await startWorkstation(long.world);
    const { page, close } = await openPage(browser, other);
    const list = page.getByRole("list", { name: "Waits for you" });
    await page.getByRole("button", { name: "Show more" }).click();
    await page.getByRole("button", { name: "Show more" }).waitFor({ state: "detached" });
    const last = list.getByRole("link", { name: "Look at 299", exact: true });
    while (!(await last.isVisible())) await page.mouse.wheel(0, 1_000);
    await last.focus();
    const placeOf = async (): Promise<number | undefined> => (await last.boundingBox())?.y;
    const place = await placeOf();
    await add("Added while you look");
    await list.getByRole("link", { name: "Added while you look" }).waitFor();
    expect(await last.evaluate((link) => link === link.ownerDocument.activeElement)).toBe(true);
    expect(await placeOf()).toBe(place);
    await close();
    await other.stop();
    long.world.remove();
  });

  test("a tab that nobody looks at listens to nothing, and catches up when it is looked at", async () => {
    const { page, close } = await openPage(browser, server, { path: goalPath });
    await page.getByRole("button", { name: /^Open \d/ }).click();
    // A browser without a window hides no tab by itself.
    const turn = (isHidden: boolean): Promise<void> =>
      page.evaluate((hidden) => {
        Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      }, isHidden);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await turn(true);
    await addTodo(goal, "Written while nobody looks");
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(asked).toEqual([]);
    await turn(false);
    await page.getByRole("link", { name: "Written while nobody looks" }).waitFor();
    await close();
  });

  test("of two tabs that decide one gate, the later one is told who decided what and changes nothing", async () => {
    const gateId = await createGate(goal, { question: "Which of the two?", blocks: "agent:agent-2" });
    const path = `${goalPath}/todos/${gateId}`;
    const first = await openPage(browser, server, { path });
    const second = await openPage(browser, server, { path });
    await first.page.getByRole("button", { name: "Approve…" }).click();
    await second.page.getByRole("button", { name: "Defer…" }).click();
    const confirm = (tab: typeof first, verdict: string): Promise<void> =>
      tab.page.getByRole("button", { name: `Confirm: ${verdict}` }).click();
    await second.page.getByText("What it holds waits on").waitFor();
    await confirm(first, "approve");
    await first.page.getByText("It is on record").waitFor();
    await confirm(second, "defer");
    await second.page.getByText("Somebody was quicker.").waitFor();
    await second.page.getByText("It was approved by the owner (through the Workstation)").waitFor();
    expect(await goal.world.call(["gate", "show", `--gate-id=${gateId}`])).toMatchObject({
      gate: { decision: "approved" },
    });
    await first.close();
    await second.close();
  });

  test("a server that an agent started shows the gate and offers no answer", async () => {
    const gateId = await createGate(goal, { question: "For its owner?", blocks: "agent:agent-2" });
    const agents = await startWorkstation(goal.world, { env: { CLAUDECODE: "1" } });
    const { page, close } = await openPage(browser, agents, { path: `${goalPath}/todos/${gateId}` });
    await page.getByRole("note").getByText("decides nothing", { exact: false }).waitFor();
    expect(await page.getByRole("button", { name: "Approve…" }).isDisabled()).toBe(true);
    await close();
    await agents.stop();
  });

  test("a goal is paused and resumed, and its timeline shows it as it was in between", async () => {
    const { page, close } = await openPage(browser, server, { path: goalPath });
    for (const [open, confirm, state] of [
      ["Pause…", "Pause it", "paused"],
      ["Resume…", "Resume it", "active"],
    ] as const) {
      await page.getByRole("button", { name: open }).click();
      await page.getByRole("button", { name: confirm }).click();
      await page.getByText(`Done: the goal is ${state}.`).waitFor();
      await page.getByRole("button", { name: "Close" }).click();
    }
    await page.getByRole("button", { name: "Timeline" }).click();
    await page.getByText("an owner resumed the goal").waitFor();
    await page
      .getByRole("button", { name: /^The goal as of event/ })
      .nth(1)
      .click();
    await page.getByRole("region", { name: "The goal as it was" }).getByText("paused").waitFor();
    await page.getByRole("button", { name: "One event later" }).click();
    await page.getByRole("region", { name: "The goal as it was" }).getByText("active").waitFor();
    await close();
  });

  test("no text, however long or piled up, pushes anything out of a narrow screen, nor out of a dialog", async () => {
    const piled = `${"W".repeat(300)} Z${"\u0301\u0489\u0322".repeat(60)}`;
    const gateId = await createGate(goal, { question: piled, blocks: await addTodo(goal, `${piled} too`) });
    const { page, close } = await openPage(browser, server, { viewport: { width: 360, height: 740 } });
    for (const path of ["/", goalPath, `${goalPath}/todos/${gateId}`]) {
      await page.goto(`${server.url}${path}`);
      await page.getByText("WWW", { exact: false }).filter({ visible: true }).first().waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), path).toBeLessThanOrEqual(0);
    }
    await page.getByRole("button", { name: "Reject…" }).click();
    await page.getByLabel("Reason").fill(piled);
    await page.getByRole("dialog").getByText("1 todo becomes blocked").waitFor();
    for (const part of [page.getByLabel("Reason"), page.getByRole("button", { name: "Confirm: reject" })]) {
      const box = await part.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(360);
    }
    await close();
  });

  test("markup stays text, and nothing hides or reorders, in goal, todo, gate, evidence and reason", async () => {
    const hostile = await createWorkingGoal(1, { objective: `${MARKUP} ${BIDI}` });
    const todoId = await addTodo(hostile, `${MARKUP} ${BIDI}`);
    const turn = await openTurn(hostile);
    const told = [`--evidence=${MARKUP} ${BIDI}`, "--outcome=progress"];
    await hostile.world.call(["refresh-state", ...nameTurn(hostile, turn), ...told]);
    const gateId = await createGate(hostile, { question: `${MARKUP} ${BIDI}`, blocks: "agent:agent-1" });
    const token = await createOwnerToken(hostile.world);
    const words = ["gate", "decide", `--gate-id=${gateId}`, "--decision=reject", `--reason=${MARKUP}`];
    await hostile.world.call([...words, `--owner-token-file=${token}`]);
    const own = await startWorkstation(hostile.world);
    const { page, complaints, elsewhere, close } = await openPage(browser, own);
    for (const path of [
      "/",
      `/goals/${hostile.goalId}`,
      `/goals/${hostile.goalId}/todos/${todoId}`,
      `/goals/${hostile.goalId}/todos/${gateId}`,
    ]) {
      await page.goto(`${own.url}${path}`);
      await page.getByText("<img src=x", { exact: false }).filter({ visible: true }).first().waitFor();
      await page.evaluate(() => document.querySelectorAll("details").forEach((folded) => (folded.open = true)));
      const text = await page.evaluate(() => document.body.innerText);
      // oxlint-disable-next-line no-control-regex -- what must not be there
      expect(text).not.toMatch(/[\u202A-\u202E\u2066-\u2069\u200B\u0007]/);
      expect(await page.evaluate(() => document.querySelectorAll("main img, main script").length)).toBe(0);
      expect(await page.title()).toBe("LoopX Workstation");
    }
    expect({ complaints, elsewhere }).toEqual({ complaints: [], elsewhere: [] });
    await close();
    await own.stop();
    hostile.world.remove();
  });

  test.each(["light", "dark"] as const)(
    "everybody can use overview, goal, todo and gate, in %s, wide and narrow",
    async (colorScheme) => {
      const todoId = await addTodo(
        goal,
        "With a text that is long enough to be wrapped on a narrow screen, more than once",
      );
      const gateId = await createGate(goal, { question: "Can it be read?", blocks: todoId });
      for (const viewport of [
        { width: 1280, height: 800 },
        { width: 360, height: 740 },
      ]) {
        const { page, close } = await openPage(browser, server, { colorScheme, viewport });
        for (const path of ["/", goalPath, `${goalPath}/todos/${todoId}`, `${goalPath}/todos/${gateId}`]) {
          await page.goto(`${server.url}${path}`);
          await page.getByRole("heading", { level: 1 }).waitFor();
          await page.getByText("Can it be read?").or(page.getByText("With a text")).first().waitFor();
          expect(await findAccessibilityFaults(page)).toEqual([]);
          expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
        }
        await page.getByRole("button", { name: "Approve…" }).click();
        await page.getByRole("button", { name: "Confirm: approve" }).waitFor();
        expect(await findAccessibilityFaults(page)).toEqual([]);
        await close();
      }
    },
  );
});
