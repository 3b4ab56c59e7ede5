import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { readField } from "../../support/read-field.ts";
import { addTodo, createWorkingGoal, openTurn, type WorkingGoal } from "../../support/working-goal.ts";
import { startWorkstation, type WorkstationServer } from "../../support/workstation-server.ts";

const postgres = inject("postgres");

describe.skipIf(!("url" in postgres))("the page of a project whose state a server keeps", () => {
  let goal: WorkingGoal;
  let line: Line;
  let server: WorkstationServer;
  let cookie: string;
  beforeAll(async () => {
    const url = new URL("url" in postgres ? postgres.url : "");
    process.env["TESTED_STORE_URL"] = url.href;
    goal = await createWorkingGoal(1);
    line = await openLine(Number(url.port));
    const throughLine = new URL(url);
    throughLine.port = String(line.port);
    server = await startWorkstation(goal.world, { env: { LOOPX_STORE_URL: throughLine.href } });
    cookie = await server.signIn();
  });
  afterAll(async () => {
    delete process.env["TESTED_STORE_URL"];
    await server.stop();
    await line.cut();
    goal.world.remove();
  });

  const changeOfGoal = (): RegExp => new RegExp(`^event: change\\ndata: .*"goal:${goal.goalId}"`);
  const listUnread = async (): Promise<unknown> =>
    readField((await server.ask("/api/overview", { headers: { cookie } })).json, "unread");

  test("what another process adds and the turn it opens are announced with their goal", async () => {
    const page = await server.follow(cookie);
    // What may have changed before anybody looked.
    await page.next(changeOfGoal());
    const changes = [() => addTodo(goal, "first"), () => addTodo(goal, "second"), () => openTurn(goal)];
    for (const change of changes) {
      const announced = page.next(changeOfGoal());
      await change();
      expect(await announced).toContain('"overview"');
    }
    page.close();
  });

  test("a server that goes away is said and comes back by itself, with what was added meanwhile", async () => {
    const page = await server.follow(cookie);
    await line.untilOpen((count) => count > 0);
    const away = page.next(changeOfGoal());
    await line.cut();
    await away;
    expect(await listUnread()).toMatchObject([{ code: "store_unreachable" }]);
    await addTodo(goal, "meanwhile");
    const back = page.next(changeOfGoal());
    await line.mend();
    await back;
    expect(await listUnread()).toEqual([]);
    page.close();
  });

  test("no connection is left once nobody looks", async () => {
    const page = await server.follow(cookie);
    await line.untilOpen((count) => count > 0);
    page.close();
    await line.untilOpen((count) => count === 0);
  });
});

/** A line to a server that can be cut. */
interface Line {
  readonly port: number;
  /** Breaks what is connected and refuses what would be. */
  readonly cut: () => Promise<void>;
  readonly mend: () => Promise<void>;
  /** Settles once the number of connections is such. */
  readonly untilOpen: (isSuch: (count: number) => boolean) => Promise<void>;
}

async function openLine(toPort: number): Promise<Line> {
  const open = new Set<Socket>();
  const waiting = new Set<() => void>();
  const counted = (): void => waiting.forEach((look) => look());
  const join = (near: Socket): void => {
    const far = connect(toPort, "127.0.0.1");
    open.add(near);
    counted();
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on("error", () => undefined);
      from.on("close", () => to.destroy());
      from.pipe(to);
    }
    near.on("close", () => {
      open.delete(near);
      counted();
    });
  };
  let listening: Server = await listen(0, join);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on TCP has a port
  const { port } = listening.address() as AddressInfo;
  return {
    port,
    cut: () =>
      new Promise((resolve) => {
        listening.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
    mend: async () => {
      listening = await listen(port, join);
    },
    untilOpen: (isSuch) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!isSuch(open.size)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}

function listen(port: number, join: (socket: Socket) => void): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer(join);
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}
