import { spawn as start } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { spawn } from "@lydell/node-pty";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createWorkingGoal, type WorkingGoal } from "../../support/working-goal.ts";
import { readToken, startWorkstation } from "../../support/workstation-server.ts";

let goal: WorkingGoal;
beforeAll(async () => {
  goal = await createWorkingGoal(1);
});
afterAll(() => goal.world.remove());

test("at a terminal it is an owner's, Enter asks for another link, and Ctrl-C ends it", async () => {
  const { world } = goal;
  const argv = [world.program, "workstation", "--port=0"];
  const terminal = spawn(process.execPath, argv, { cwd: world.project, env: { ...world.env }, cols: 200 });
  let shown = "";
  const ended = new Promise<number>((resolve) => terminal.onExit(({ exitCode }) => resolve(exitCode)));
  const waitForLinks = (count: number): Promise<readonly string[]> =>
    new Promise((resolve) => {
      terminal.onData((text) => {
        shown += text;
        const links = shown.match(/http:\/\/\S+#token=[\w-]{43}/g) ?? [];
        if (links.length >= count && shown.includes("Enter prints")) resolve(links);
      });
    });
  await waitForLinks(1);
  terminal.write("\r");
  const [first, second = ""] = await waitForLinks(2);
  expect(second).not.toBe(first);
  const { origin } = new URL(second);
  const answer = await fetch(`${origin}/api/session`, {
    method: "POST",
    headers: { origin, "content-type": "application/json" },
    body: JSON.stringify({ token: readToken(second) }),
  });
  expect(await answer.json()).toMatchObject({ may_decide: true });
  terminal.write("\u0003");
  expect(await ended).toBe(0);
});

test("at a terminal the end of what is typed ends it too", async () => {
  const { world } = goal;
  const argv = [world.program, "workstation", "--port=0"];
  const terminal = spawn(process.execPath, argv, { cwd: world.project, env: { ...world.env }, cols: 200 });
  const ended = new Promise<object>((resolve) => terminal.onExit(resolve));
  let shown = "";
  terminal.onData((text) => {
    shown += text;
    if (text.includes("Enter prints")) terminal.write("\u0004");
  });
  expect(await ended).toMatchObject({ exitCode: 0, signal: 0 });
  expect(shown).toContain("stopped");
});

test("it ends with its terminal: nobody is left there to ask it for a link", async () => {
  const { world } = goal;
  const argv = [world.program, "workstation", "--port=0"];
  const terminal = spawn(process.execPath, argv, { cwd: world.project, env: { ...world.env }, cols: 200 });
  const note = join(world.loopxHome, "workstation.json");
  const ended = new Promise<{ signal?: number }>((resolve) => terminal.onExit(resolve));
  await new Promise<void>((resolve) => {
    let shown = "";
    terminal.onData((text) => (shown += text).includes("Enter prints") && resolve());
  });
  const { url } = JSON.parse(readFileSync(note, "utf8")) as { url: string };
  expect((await fetch(`${url}/api/server`)).status).toBe(200);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it closes the terminal's other end, as a window that is closed does
  (terminal as typeof terminal & { destroy(): void }).destroy();
  await vi.waitFor(() => expect(existsSync(note)).toBe(false), 30_000);
  await vi.waitFor(() => expect(fetch(`${url}/api/server`)).rejects.toThrow(), 30_000);
  // Of the signal that terminals send when they go, not of a fault.
  expect((await ended).signal).toBe(constants.signals.SIGHUP);
});

test.skipIf(!existsSync("/dev/full"))("what it says where nobody can read it ends nothing", async () => {
  const { world } = goal;
  const note = join(world.loopxHome, "workstation.json");
  const full = openSync("/dev/full", "w");
  const words = [world.program, "workstation", "--port=0"];
  const child = start(process.execPath, words, {
    cwd: world.project,
    env: world.env,
    stdio: ["ignore", "ignore", full],
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  closeSync(full);
  const read = (): { url: string; pid: number } =>
    JSON.parse(readFileSync(note, "utf8")) as { url: string; pid: number };
  await vi.waitFor(() => expect(read().pid).toBe(child.pid), 30_000);
  expect((await fetch(`${read().url}/api/server`)).status).toBe(200);
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
});

test("it ends on SIGTERM with 0, and ends the streams of pages that listen", async () => {
  const other = await startWorkstation(goal.world);
  const events = await other.follow(await other.signIn());
  expect(await other.stop()).toBe(0);
  await events.ended;
});
