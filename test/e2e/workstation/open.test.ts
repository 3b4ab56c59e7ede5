import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { parseRoute } from "../../../packages/workstation/src/routing/route.ts";
import { runSql } from "../../support/run-sql.ts";
import { addTodo, createWorkingGoal, type WorkingGoal } from "../../support/working-goal.ts";
import { readToken, startWorkstation } from "../../support/workstation-server.ts";

let goal: WorkingGoal;
let todoId: string;
let note: string;
beforeAll(async () => {
  goal = await createWorkingGoal(1);
  todoId = await addTodo(goal, "look here");
  note = join(goal.world.loopxHome, "workstation.json");
});
afterAll(() => goal.world.remove());

const open = async (...words: readonly string[]): Promise<{ url?: string; error?: { code: string } }> =>
  (await goal.world.run(["open", ...words], { cwd: goal.world.directory })).json as { url?: string };

test("a goal, todo or trace is found by its id alone, from anywhere, on the page of the running server", async () => {
  const server = await startWorkstation(goal.world);
  const screens = [
    [[], { screen: "overview" }],
    [[goal.goalId], { screen: "goal", goalId: goal.goalId }],
    [[todoId], { screen: "todo", goalId: goal.goalId, todoId }],
    [["trace_0123456789abcdef"], { screen: "trace", traceId: "trace_0123456789abcdef" }],
  ] as const;
  for (const [words, screen] of screens) {
    const { url = "" } = await open(...words);
    expect(url.startsWith(`${server.url}/`)).toBe(true);
    expect(parseRoute(new URL(url).pathname)).toEqual(screen);
  }
  expect((await open("no-such-goal")).error?.code).toBe("unknown_goal");
  expect((await open("todo_0123456789abcdef")).error?.code).toBe("unknown_todo");
  await server.stop();
});

test("what is noted of a server is nobody's but the owner's, lets nobody in, and goes with the server", async () => {
  const server = await startWorkstation(goal.world);
  // oxlint-disable-next-line no-bitwise -- the permission bits of a mode
  expect(statSync(note).mode & 0o777).toBe(0o600);
  const text = readFileSync(note, "utf8");
  expect(Object.keys(JSON.parse(text) as object)).toEqual(["url", "pid", "server_id"]);
  expect(text).not.toContain(readToken(server.link));
  await server.stop();
  expect(existsSync(note)).toBe(false);
});

test("a note that a killed server left is no server, also where another program has its port", async () => {
  const squatter = createServer((_request, response) => response.end('{"server_id":"workstation_other"}'));
  await new Promise<void>((resolve) => squatter.listen(0, "127.0.0.1", resolve));
  const { port } = squatter.address() as AddressInfo;
  const stale = { pid: process.pid, server_id: "workstation_gone" };
  for (const content of [
    JSON.stringify({ ...stale, url: "http://127.0.0.1:9" }),
    JSON.stringify({ ...stale, url: `http://127.0.0.1:${port}` }),
    JSON.stringify({ ...stale, url: "file:///etc/passwd" }),
    "{",
    "",
    "null",
  ]) {
    writeFileSync(note, content);
    expect((await open(goal.goalId)).error?.code, content).toBe("runtime_not_ready");
  }
  squatter.close();
});

test("the note of a server that was started since is left alone by one that ends", async () => {
  const [first, second] = [await startWorkstation(goal.world), await startWorkstation(goal.world)];
  await first.stop();
  expect((await open()).url).toBe(`${second.url}/`);
  await second.stop();
});

const OPENER = process.platform === "darwin" ? "open" : "xdg-open";

test("the system's opener gets the address as its only word, and no shell reads it", async () => {
  const server = await startWorkstation(goal.world);
  const folder = join(goal.world.directory, "bin");
  mkdirSync(folder);
  copyFileSync(
    fileURLToPath(new URL("../../support/fixtures/opener-that-notes.cjs", import.meta.url)),
    join(folder, OPENER),
  );
  chmodSync(join(folder, OPENER), 0o755);
  const started = join(goal.world.directory, "started");
  const env = { PATH: `${folder}:${goal.world.env["PATH"]}`, OPENER_NOTE: started };
  // No goal is given such a name; what an address leaves of it unescaped ends a shell's line all the same.
  const odd = "it's(a)*goal!~";
  runSql(
    join(goal.world.loopxHome, "home.db"),
    `INSERT INTO registered_goals SELECT '${odd.replace("'", "''")}', project_id, registered_at FROM registered_goals LIMIT 1`,
  );
  for (const [id, path] of [
    [goal.goalId, `/goals/${goal.goalId}`],
    [todoId, `/goals/${goal.goalId}/todos/${todoId}`],
    [odd, `/goals/${odd}`],
  ] as const) {
    rmSync(started, { force: true });
    const answer = await goal.world.run(["open", id, "--browser"], { env });
    expect(answer).toMatchObject({ exitCode: 0, json: { ok: true, url: `${server.url}${path}` } });
    const words = await vi.waitFor(() => JSON.parse(readFileSync(started, "utf8")) as unknown, 30_000);
    expect(words).toEqual([`${server.url}${path}`]);
  }
  await server.stop();
});

test("where the system has no opener, that is said, and how to do without", async () => {
  const server = await startWorkstation(goal.world);
  const answer = await goal.world.run(["open", goal.goalId, "--browser"], { env: { PATH: goal.world.directory } });
  expect(answer.json).toMatchObject({
    ok: false,
    error: { code: "file_not_readable", message: `${OPENER} cannot be started here` },
  });
  expect((await open(goal.goalId)).url).toBe(`${server.url}/goals/${goal.goalId}`);
  await server.stop();
});
