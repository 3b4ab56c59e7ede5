import { describe, expect, test } from "vitest";
import type { Database } from "@loopx/store";
import {
  checkProjectTrust,
  connectProject,
  createGoal,
  findProjectId,
  registerNewProject,
  findRegisteredGoal,
  listProjectsAtRoot,
  listRegisteredAgentIds,
  listRegisteredGoals,
  loadRegistryProjection,
  registerAgents,
  replaceProjectId,
  type ConnectRequest,
} from "../../src/index.ts";
import { a1, accepted, createPlace, OWNER, refusalOf, type Place } from "../control-plane-world.ts";
import { contentOf, rowsOf } from "../store-content.ts";

const AGENT = a1.actor;

const draftConnect = (projectId: string, more: Partial<ConnectRequest> = {}): ConnectRequest => ({
  projectId,
  root: `/projects/${projectId}`,
  label: projectId,
  actor: AGENT,
  isNewStore: true,
  holdsSameProject: async () => true,
  goal: null,
  ...more,
});
const goal = (goalId: string, isExplicit: boolean, objective = "make it work"): ConnectRequest["goal"] => ({
  goalId,
  isExplicit,
  isAnother: false,
  objective,
});

/** One home and as many project stores as asked for. */
async function openHome(): Promise<Place & { readonly home: Database; newProject(): Promise<Database> }> {
  const place = createPlace();
  const home = await place.open("home.db");
  return { ...place, home, newProject: () => createPlace().open("state.db") };
}

describe("connectProject", () => {
  test("another goal whose default id was taken meanwhile gets one of its own; an explicit one is refused", async () => {
    const { home, ambient, newProject } = await openHome();
    const project = await newProject();
    const connect = (isExplicit: boolean, objective: string): ReturnType<typeof connectProject> => {
      const wanted = { goalId: "my-goal-2", isExplicit, isAnother: true, objective };
      return connectProject(home, project, draftConnect("project_000001", { goal: wanted }), ambient);
    };
    expect(accepted(await connect(false, "first")).goal?.goal_id).toBe("my-goal-2");
    const second = accepted(await connect(false, "second")).goal;
    expect(second).toMatchObject({ goal_id: expect.stringMatching(/^my-goal-2-[a-z0-9]{4}$/), objective: "second" });
    expect(await refusalOf(connect(true, "third"))).toBe("goal_id_taken");
  });

  test("registers the project and creates the goal; the same again changes nothing but the time", async () => {
    const { home, ambient, newProject } = await openHome();
    const project = await newProject();
    const request = draftConnect("project_000001", { goal: goal("my-goal", false) });
    const first = accepted(await connectProject(home, project, request, ambient));
    expect([first.goal?.goal_id, first.goalAlreadyExists, first.goalIds]).toEqual(["my-goal", false, ["my-goal"]]);
    const before = await contentOf(project);
    const again = accepted(await connectProject(home, project, request, ambient));
    expect([again.goalAlreadyExists, again.project]).toEqual([true, first.project]);
    expect(await contentOf(project)).toEqual(before);
    expect(await home.read(listRegisteredGoals)).toEqual([
      { goal_id: "my-goal", project_id: "project_000001", root: "/projects/project_000001", label: "project_000001" },
    ]);
  });

  test("an explicit id that another project has is refused before any write", async () => {
    const { home, ambient, newProject } = await openHome();
    const taken = draftConnect("project_000001", { goal: goal("my-goal", true) });
    accepted(await connectProject(home, await newProject(), taken, ambient));
    const project = await newProject();
    const before = [await contentOf(home), await contentOf(project)];
    const request = draftConnect("project_000002", { goal: goal("my-goal", true) });
    expect(await refusalOf(connectProject(home, project, request, ambient))).toBe("goal_id_taken");
    expect([await contentOf(home), await contentOf(project)]).toEqual(before);
  });

  test("a default id makes way with four characters more", async () => {
    const { home, ambient, newProject } = await openHome();
    const connect = async (projectId: string): Promise<string | undefined> => {
      const request = draftConnect(projectId, { goal: goal("my-goal", false) });
      return accepted(await connectProject(home, await newProject(), request, ambient)).goal?.goal_id;
    };
    expect(await connect("project_000001")).toBe("my-goal");
    expect(await connect("project_000002")).toMatch(/^my-goal-[a-z0-9]{4}$/);
  });

  test("twenty projects connected at once through connections of their own are all registered", async () => {
    const place = await openHome();
    const connect = async (index: number): Promise<string | undefined> => {
      const home = await place.open("home.db");
      const projectId = `project_${String(index).padStart(6, "0")}`;
      const request = draftConnect(projectId, { goal: goal("same-goal", false) });
      const connected = await connectProject(home, await place.newProject(), request, place.ambient);
      return accepted(connected).goal?.goal_id;
    };
    const goalIds = await Promise.all(Array.from({ length: 20 }, (_, index) => connect(index)));
    expect(new Set(goalIds).size).toBe(20);
    const registered = await place.home.read(listRegisteredGoals);
    expect(registered.map((each) => each.goal_id)).toEqual(goalIds.map(String).toSorted());
  });

  test("a copy with the same project id is a conflict while the original is there, a moved project is not", async () => {
    const { home, ambient, newProject } = await openHome();
    const project = await newProject();
    accepted(await connectProject(home, project, draftConnect("project_000001"), ambient));
    const moved = draftConnect("project_000001", { root: "/elsewhere", isNewStore: false });
    const before = await contentOf(home);
    expect(await refusalOf(connectProject(home, project, moved, ambient))).toBe("project_id_conflict");
    expect(await contentOf(home)).toEqual(before);
    const asked: string[][] = [];
    const holdsSameProject = async (...place: readonly [string, string]): Promise<boolean> => {
      asked.push([...place]);
      return false;
    };
    accepted(await connectProject(home, project, { ...moved, holdsSameProject }, ambient));
    expect(asked).toEqual([["/projects/project_000001", "project_000001"]]);
    expect(await home.read((tx) => listProjectsAtRoot(tx, "/elsewhere"))).toHaveLength(1);
  });

  test("a copy under an id of its own takes no goal away from the original", async () => {
    const { home, ambient, newProject } = await openHome();
    const original = await newProject();
    const copy = await newProject();
    accepted(await connectProject(home, original, draftConnect("project_000001", { goal: goal("g", true) }), ambient));
    accepted(await createGoal(copy, { goalId: "g", objective: "make it work", actor: AGENT }, ambient));
    const agents = (project: Database, projectId: string, agentId: string): ReturnType<typeof registerAgents> =>
      registerAgents(
        home,
        project,
        { goalId: "g", projectId, agentIds: [agentId], mustBeNew: false, actor: OWNER },
        ambient,
      );
    accepted(await agents(original, "project_000001", "a1"));
    accepted(await connectProject(home, copy, draftConnect("project_000002", { actor: OWNER }), ambient));
    expect(accepted(await agents(copy, "project_000002", "a2")).isVerified).toBe(false);
    await home.read(async (tx) => {
      expect(await findRegisteredGoal(tx, "g")).toMatchObject({ project_id: "project_000001" });
      expect(await listRegisteredAgentIds(tx, "g")).toEqual(["a1"]);
    });
  });

  test("a goal of a project that is gone goes to the one that has it now", async () => {
    const { home, ambient, newProject } = await openHome();
    accepted(
      await connectProject(
        home,
        await newProject(),
        draftConnect("project_000001", { goal: goal("g", true) }),
        ambient,
      ),
    );
    const restored = await newProject();
    accepted(await createGoal(restored, { goalId: "g", objective: "make it work", actor: AGENT }, ambient));
    const request = draftConnect("project_000002", { holdsSameProject: async () => false });
    accepted(await connectProject(home, restored, request, ambient));
    expect(await home.read((tx) => findRegisteredGoal(tx, "g"))).toMatchObject({ project_id: "project_000002" });
  });

  test("a store that came with the folder is trusted only once an owner connects it", async () => {
    const { home, ambient, newProject } = await openHome();
    const project = await newProject();
    const cloned = draftConnect("project_000001", { isNewStore: false });
    const trust = (root: string) =>
      home.read((tx) => checkProjectTrust(tx, { projectId: "project_000001", root }).then((refusal) => refusal?.code));
    const before = await contentOf(home);
    expect(await refusalOf(connectProject(home, project, cloned, ambient))).toBe("project_not_trusted");
    expect([await contentOf(home), await trust(cloned.root)]).toEqual([before, "project_not_trusted"]);
    accepted(await connectProject(home, project, { ...cloned, actor: OWNER }, ambient));
    expect((await rowsOf(home, "projects")).map((row) => row["trusted_by"])).toEqual(["owner"]);
    expect([await trust(cloned.root), await trust("/elsewhere")]).toEqual([undefined, "project_not_trusted"]);
    accepted(await connectProject(home, project, cloned, ambient));
    expect((await rowsOf(home, "projects")).map((row) => row["trusted_by"])).toEqual(["owner"]);
  });

  test("a home that cannot be written stores nothing anywhere", async () => {
    const place = await openHome();
    const home = await place.open("home.db", "read");
    const project = await place.newProject();
    const before = [await contentOf(home), await contentOf(project)];
    const request = draftConnect("project_000001", { goal: goal("g", true) });
    expect(await refusalOf(connectProject(home, project, request, place.ambient))).toBe("home_not_writable");
    expect([await contentOf(home), await contentOf(project)]).toEqual(before);
  });

  test("a crash between the two commits leaves a goal that the same call registers", async () => {
    const { home, ambient, newProject } = await openHome();
    const project = await newProject();
    const request = draftConnect("project_000001", { goal: goal("g", true) });
    await home.write((tx) =>
      tx.run("CREATE TRIGGER crash BEFORE INSERT ON registered_goals BEGIN SELECT RAISE(ABORT, 'crash'); END"),
    );
    expect(await refusalOf(connectProject(home, project, request, ambient))).toBe("store_failed");
    expect([await rowsOf(project, "goals"), await rowsOf(home, "projects")]).toMatchObject([[{ goal_id: "g" }], []]);
    await home.write((tx) => tx.run("DROP TRIGGER crash"));
    expect(accepted(await connectProject(home, project, request, ambient))).toMatchObject({
      goalAlreadyExists: true,
      goalIds: ["g"],
    });
  });
});

describe("a project's identity", () => {
  test("is given once, however many ask at once, and anew only on demand", async () => {
    const place = createPlace();
    const at = { root: "/p", label: "p" };
    const pairs: { readonly home: Database; readonly store: Database }[] = [];
    for (let count = 0; count < 5; count += 1) {
      pairs.push({ home: await place.open("home.db"), store: await place.open("state.db") });
    }
    const ids = await Promise.all(pairs.map(({ home, store }) => registerNewProject(home, store, at, place.ambient)));
    expect(new Set(ids).size).toBe(1);
    const [first] = pairs;
    if (first === undefined) throw new Error("no store");
    expect(await rowsOf(first.home, "projects")).toMatchObject([{ project_id: ids[0], trusted_by: "created" }]);
    const fresh = await replaceProjectId(first.store, place.ambient);
    expect(fresh).not.toBe(ids[0]);
    expect(await first.store.read(findProjectId)).toBe(fresh);
  });

  test("survives a kill between the home and the store: the id that was registered is taken up again", async () => {
    const place = createPlace();
    const home = await place.open("home.db");
    const store = await place.open("state.db");
    const at = { root: "/p", label: "p" };
    await store.write((tx) =>
      tx.run("CREATE TRIGGER crash BEFORE INSERT ON project BEGIN SELECT RAISE(ABORT, 'crash'); END"),
    );
    await expect(registerNewProject(home, store, at, place.ambient)).rejects.toMatchObject({ code: "store_failed" });
    await store.write((tx) => tx.run("DROP TRIGGER crash"));
    const [row] = await rowsOf(home, "projects");
    expect(await registerNewProject(home, store, at, place.ambient)).toBe(row?.["project_id"]);
    expect(await rowsOf(home, "projects")).toHaveLength(1);
  });
});

test("the registry's projection names goals, lanes and bindings, and its sequence only grows", async () => {
  const { home, ambient, newProject } = await openHome();
  const project = await newProject();
  const empty = await home.read(loadRegistryProjection);
  expect(empty).toEqual({ schema_version: "loopx_global_registry_v1", sequence: 0, goals: [] });
  const request = draftConnect("project_000001", { goal: goal("g", true) });
  accepted(await connectProject(home, project, request, ambient));
  const lanes = { goalId: "g", projectId: "project_000001", agentIds: ["b", "a"], mustBeNew: false, actor: OWNER };
  accepted(await registerAgents(home, project, lanes, ambient));
  const registry = await home.read(loadRegistryProjection);
  expect(registry).toEqual({
    schema_version: "loopx_global_registry_v1",
    sequence: 2,
    goals: [
      {
        goal_id: "g",
        project_id: "project_000001",
        root: "/projects/project_000001",
        label: "project_000001",
        agent_ids: ["a", "b"],
        thread_bindings: [],
      },
    ],
  });
});
