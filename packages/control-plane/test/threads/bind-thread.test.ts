import { describe, expect, test } from "vitest";
import {
  bindThread,
  findRegisteredBinding,
  findThreadBinding,
  listBindingsOfGoal,
  listBindingsOfThread,
  previewBind,
  previewUnbind,
  unbindThread,
  type BindRequest,
} from "../../src/index.ts";
import {
  accepted,
  callerOf,
  GOAL,
  openWorld,
  OWNER,
  PROJECT,
  refusalOf,
  START,
  type World,
} from "../control-plane-world.ts";
import { contentOf } from "../store-content.ts";

const KEY = { goal_id: GOAL, host_surface: "codex-cli", thread_id: "thread-1" };
const draftBind = (more: Partial<BindRequest> = {}): BindRequest => ({
  goalId: GOAL,
  projectId: PROJECT,
  hostSurface: "codex-cli",
  threadId: "thread-1",
  agentId: "a1",
  actor: OWNER,
  ...more,
});
const bind = (world: World, more: Partial<BindRequest> = {}): ReturnType<typeof bindThread> =>
  bindThread(world.home, world.project, draftBind(more), world.ambient);
const unbind = (world: World, more: Partial<BindRequest> = {}): ReturnType<typeof unbindThread> =>
  unbindThread(world.home, world.project, draftBind(more), world.ambient);

/** What both stores say of the thread. */
const readBack = async (world: World): Promise<readonly unknown[]> => [
  await world.project.read((tx) => findThreadBinding(tx, KEY)),
  await world.home.read((tx) => findRegisteredBinding(tx, KEY)),
];

describe("bindThread", () => {
  test("stores in the project, then in the home, and is verified once both read back the same", async () => {
    const world = await openWorld();
    const bound = accepted(await bind(world));
    expect(bound).toEqual({
      ok: true,
      changed: true,
      binding: { ...KEY, agent_id: "a1", status: "bound", is_verified: true, bound_at: START },
    });
    expect(await readBack(world)).toEqual([bound.binding, "a1"]);
    const before = await contentOf(world.project);
    expect(accepted(await bind(world))).toEqual({ ...bound, changed: false });
    expect(await contentOf(world.project)).toEqual(before);
    expect((await world.eventTypes()).slice(-2)).toEqual(["thread_bound.v1", "thread_verified.v1"]);
  });

  test("a preview says the same and stores nothing", async () => {
    const world = await openWorld();
    const before = [await contentOf(world.home), await contentOf(world.project)];
    const preview = accepted(await previewBind(world.project, draftBind(), START));
    expect([preview.changed, preview.binding.is_verified]).toEqual([true, false]);
    expect(await refusalOf(previewBind(world.project, draftBind({ agentId: "a9" }), START))).toBe("unknown_agent");
    expect([await contentOf(world.home), await contentOf(world.project)]).toEqual(before);
  });

  test("never takes a thread from another agent silently, and never names a lane that is not registered", async () => {
    const world = await openWorld();
    accepted(await bind(world));
    const before = [await contentOf(world.home), await contentOf(world.project)];
    expect(await refusalOf(bind(world, { agentId: "a2" }))).toBe("thread_agent_binding_conflict");
    expect(await refusalOf(bind(world, { agentId: "a9", threadId: "thread-2" }))).toBe("unknown_agent");
    expect(await refusalOf(bind(world, { goalId: "other-goal" }))).toBe("unknown_goal");
    expect([await contentOf(world.home), await contentOf(world.project)]).toEqual(before);
  });

  test("a home that cannot be written stores nothing, with the remedy in the hint", async () => {
    const world = await openWorld();
    const readOnly = { ...world, home: await world.open("home.db", "read") };
    const before = [await contentOf(world.home), await contentOf(world.project)];
    const refused = await bind(readOnly);
    expect(refused).toMatchObject({ ok: false, code: "home_not_writable" });
    expect(refused.ok ? "" : refused.hint).toContain("[sandbox_workspace_write] writable_roots");
    expect(await refusalOf(unbind(readOnly))).toBe("home_not_writable");
    expect([await contentOf(world.home), await contentOf(world.project)]).toEqual(before);
  });

  test("a crash between the two commits leaves it unverified and of no force; the same call completes it", async () => {
    const world = await openWorld();
    const { id } = await world.add("work");
    await world.home.write((tx) =>
      tx.run("CREATE TRIGGER crash BEFORE INSERT ON registered_bindings BEGIN SELECT RAISE(ABORT, 'crash'); END"),
    );
    expect(await refusalOf(bind(world))).toBe("store_failed");
    const [stored, mirrored] = await readBack(world);
    expect([stored, mirrored]).toMatchObject([{ status: "bound", is_verified: false }, undefined]);
    const caller = { ...callerOf("a1"), threadId: "thread-1" };
    expect(await refusalOf(world.complete(id, { caller }))).toBe("binding_not_verified");
    await world.home.write((tx) => tx.run("DROP TRIGGER crash"));
    expect(accepted(await bind(world))).toMatchObject({ changed: true, binding: { is_verified: true } });
    expect(await refusalOf(world.complete(id, { caller }))).toBe("accepted");
  });

  test("a home in which the goal is another project's never verifies it", async () => {
    const world = await openWorld();
    await world.home.write((tx) => tx.run("UPDATE registered_goals SET project_id = 'project_999999'"));
    expect(accepted(await bind(world)).binding.is_verified).toBe(false);
    expect(await readBack(world)).toMatchObject([{ status: "bound", is_verified: false }, undefined]);
  });

  test("twenty binds of one thread at once to two agents: one agent has it, in both stores", async () => {
    const world = await openWorld();
    const second = { ...world, home: await world.open("home.db"), project: await world.open("state.db") };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        refusalOf(bind(index % 2 === 0 ? world : second, { agentId: index % 2 === 0 ? "a1" : "a2" })),
      ),
    );
    expect(answers.filter((answer) => answer === "accepted")).toHaveLength(10);
    const [stored, mirrored] = await readBack(world);
    expect(stored).toMatchObject({ is_verified: true, agent_id: mirrored });
  });
});

describe("unbindThread", () => {
  test("takes the binding away in both stores; again is already so; then another agent may have it", async () => {
    const world = await openWorld();
    accepted(await bind(world));
    expect(accepted(await previewUnbind(world.project, draftBind())).changed).toBe(true);
    expect(accepted(await unbind(world))).toMatchObject({
      changed: true,
      binding: { status: "unbound", is_verified: false },
    });
    expect((await readBack(world))[1]).toBeUndefined();
    const before = await contentOf(world.project);
    expect(accepted(await unbind(world)).changed).toBe(false);
    expect(accepted(await unbind(world, { threadId: "thread-9" }))).toEqual({
      ok: true,
      binding: null,
      changed: false,
    });
    expect(await contentOf(world.project)).toEqual(before);
    expect(accepted(await bind(world, { agentId: "a2" })).binding).toMatchObject({ agent_id: "a2", is_verified: true });
  });

  test("names the agent it takes the thread from, or is refused", async () => {
    const world = await openWorld();
    accepted(await bind(world));
    expect(await refusalOf(unbind(world, { agentId: "a2" }))).toBe("thread_agent_binding_agent_mismatch");
    expect(accepted(await previewBind(world.project, draftBind(), START)).changed).toBe(false);
  });
});

test("bindings are told apart by goal, surface and thread", async () => {
  const world = await openWorld();
  accepted(await bind(world));
  accepted(await bind(world, { hostSurface: "claude-code" }));
  accepted(await bind(world, { threadId: "thread-2", agentId: "a2" }));
  await world.project.read(async (tx) => {
    const ofThread = await listBindingsOfThread(tx, "thread-1");
    expect(ofThread.map((binding) => binding.host_surface)).toEqual(["claude-code", "codex-cli"]);
    expect(await listBindingsOfGoal(tx, GOAL)).toHaveLength(3);
    expect(await listBindingsOfThread(tx, "thread")).toEqual([]);
  });
});

test("a thread that two surfaces bind to two agents speaks for neither", async () => {
  const world = await openWorld();
  await world.add("work");
  accepted(await bind(world));
  accepted(await bind(world, { hostSurface: "claude-code", agentId: "a2" }));
  for (const agentId of ["a1", "a2"]) {
    const caller = { ...callerOf(agentId), threadId: "thread-1" };
    expect(await refusalOf(world.complete("todo_000001", { caller }))).toBe("binding_not_verified");
  }
});
