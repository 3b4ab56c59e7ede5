import { createServer, connect, type AddressInfo, type Server, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { addTodo, createWorkingGoal, type WorkingGoal } from "../../support/working-goal.ts";
import { startWorkstation, type WorkstationServer } from "../../support/workstation-server.ts";

const postgres = inject("postgres");

describe.skipIf(!("url" in postgres))("a project whose state a server keeps, on the page", () => {
  let goal: WorkingGoal;
  let way: Way;
  let server: WorkstationServer;
  let cookie: string;
  beforeAll(async () => {
    const url = "url" in postgres ? postgres.url : "";
    way = await openWay(Number(new URL(url).port));
    const reached = new URL(url);
    reached.port = String(way.port);
    process.env["TESTED_STORE_URL"] = reached.href;
    goal = await createWorkingGoal(1);
    server = await startWorkstation(goal.world);
    cookie = await server.signIn();
  });
  afterAll(async () => {
    delete process.env["TESTED_STORE_URL"];
    await server.stop();
    goal.world.remove();
    way.close();
  });

  test("what another process adds is announced with its goal", async () => {
    const page = await server.follow(cookie);
    const changed = new RegExp(`^event: change\\ndata: .*"goal:${goal.goalId}"`);
    // What the page may have missed before it listened.
    await page.next(changed);
    for (const text of ["first", "second"]) {
      const announced = page.next(changed);
      await addTodo(goal, text);
      expect(await announced).toContain('"overview"');
    }
    page.close();
  });

  test("a server that goes away is announced, and again once it is back; nobody looks when no page listens", async () => {
    const page = await server.follow(cookie);
    await page.next(/"overview"/);
    const gone = page.next(/"overview"/);
    way.cut();
    await gone;
    const overview = await server.ask("/api/overview", { headers: { cookie } });
    expect(overview.text).toContain("store_unreachable");
    const back = page.next(/"overview"/);
    way.mend();
    await back;
    page.close();
    await expect.poll(() => way.openCount(), { timeout: 10_000 }).toBe(0);
  });
});

/** A way to the server that can be cut. */
interface Way {
  readonly port: number;
  /** How many connections lead through it. */
  readonly openCount: () => number;
  /** Ends what leads through it, and refuses more. */
  readonly cut: () => void;
  readonly mend: () => void;
  readonly close: () => void;
}

async function openWay(port: number): Promise<Way> {
  const open = new Set<Socket>();
  let isCut = false;
  const way: Server = createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect(port, "127.0.0.1");
    open.add(near);
    near.pipe(far).pipe(near);
    const end = (): void => {
      open.delete(near);
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) socket.on("error", end).on("close", end);
  });
  await new Promise<void>((resolve) => {
    way.listen(0, "127.0.0.1", resolve);
  });
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on TCP has a port
    port: (way.address() as AddressInfo).port,
    openCount: () => open.size,
    cut: () => {
      isCut = true;
      for (const socket of open) socket.destroy();
    },
    mend: () => (isCut = false),
    close: () => way.close(),
  };
}
