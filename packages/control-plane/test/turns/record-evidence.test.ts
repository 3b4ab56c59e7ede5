import { describe, expect, test } from "vitest";
import { a1, a2, accepted, GOAL, MINUTE_MS, openSecond, openWorld, refusalOf, TTL_MS } from "../control-plane-world.ts";
import { contentOf, rowsOf } from "../store-content.ts";

describe("recordEvidence", () => {
  test("records a turn once; a repeat answers the first record", async () => {
    const world = await openWorld();
    await world.add("work");
    const { turnId, todoId } = await world.run("a1");
    const first = accepted(await world.show("a1", turnId, { text: "first" }));
    expect(first.settlementIdentity).toBe(`${GOAL}:a1:${todoId}:${turnId}`);
    const before = await contentOf(world.project);
    const again = accepted(await world.show("a1", turnId, { text: "first" }));
    expect([again.alreadyRecorded, again.evidence]).toEqual([true, first.evidence]);
    for (const other of [{ text: "second" }, { text: "first", outcome: "blocked" }] as const) {
      expect(await refusalOf(world.show("a1", turnId, other))).toBe("evidence_already_recorded");
    }
    expect(await contentOf(world.project)).toEqual(before);
    accepted(await world.spend("a1", turnId));
    expect(await refusalOf(world.show("a1", turnId, { text: "second" }))).toBe("turn_already_settled");
  });

  test("twenty records of one turn at once keep one", async () => {
    const world = await openWorld();
    await world.add("work");
    const { turnId } = await world.run("a1");
    const second = await openSecond(world);
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? world : second).show("a1", turnId, { text: `${index}` }),
      ),
    );
    expect(await rowsOf(world.project, "evidence")).toHaveLength(1);
    expect((await world.eventTypes()).filter((type) => type === "evidence_recorded.v1")).toHaveLength(1);
  });

  test("is activity: the lease of turn and claim lasts on", async () => {
    const world = await openWorld();
    await world.add("work");
    const { turnId, todoId } = await world.run("a1");
    world.ambient.advance(30 * MINUTE_MS);
    accepted(await world.show("a1", turnId));
    const [turn] = await rowsOf(world.project, "turns");
    expect([turn?.["lease_expires_at"], (await world.todo(todoId)).claim_expires_at]).toEqual([
      "2026-03-01T13:15:00.000Z",
      "2026-03-01T13:15:00.000Z",
    ]);
  });

  test("blocked with nothing but files, the names of the files are the reason", async () => {
    const world = await openWorld();
    await world.add("work");
    const { turnId, todoId } = await world.run("a1");
    const files = ["a.log", "b.log", "c.log", "d.log"].map((path) => ({ path, sha256: "0".repeat(64), bytes: 1 }));
    accepted(await world.show("a1", turnId, { outcome: "blocked", text: "", files }));
    expect((await world.todo(todoId)).reason).toBe("blocked, as shown in a.log, b.log, c.log and 1 more");
  });

  test("names of files and of a check that an import would refuse are not recorded", async () => {
    const world = await openWorld();
    const token = `ghp_${"a1B2".repeat(9)}`;
    const file = { sha256: "0".repeat(64), bytes: 1 };
    const check = { status: "passed", exit_code: null, timed_out: false, ran_in: null, output: null } as const;
    for (const [code, more] of [
      ["credential_refused", { files: [{ ...file, path: `${token}.log` }] }],
      ["invalid_value", { files: [{ ...file, path: " " }] }],
      ["credential_refused", { validation: { ...check, label: token } }],
      ["text_too_long", { validation: { ...check, label: "x".repeat(5000) } }],
    ] as const) {
      expect(await refusalOf(world.show("a1", null, more))).toBe(code);
    }
    expect(await rowsOf(world.project, "evidence")).toEqual([]);
  });

  test("what is blocked is blocked with its reason, and the claim is given back", async () => {
    const world = await openWorld();
    await world.add("work");
    const { turnId, todoId } = await world.run("a1");
    accepted(await world.show("a1", turnId, { outcome: "blocked", text: "the API is down" }));
    expect(await world.todo(todoId)).toMatchObject({ status: "blocked", reason: "the API is down", claimed_by: null });
    expect((await world.next("a1")).decision).toEqual({ kind: "repair", code: "turn_not_settled", turnId });
    accepted(await world.spend("a1", turnId));
    expect((await world.next("a1")).decision).toEqual({ kind: "ask_user", reason: "blocked", todoIds: [todoId] });
  });

  test("is refused for another's turn, another todo, a settled turn, an unknown one, and when it shows nothing", async () => {
    const world = await openWorld();
    await world.add("work");
    const other = await world.add("other");
    const { turnId } = await world.run("a1");
    const before = await contentOf(world.project);
    expect(await refusalOf(world.show("a2", turnId))).toBe("turn_not_held");
    expect(await refusalOf(world.show("a1", turnId, { todoId: other.id }))).toBe("invalid_value");
    expect(await refusalOf(world.show("a1", "turn_999999"))).toBe("unknown_turn");
    expect(await refusalOf(world.show("a1", turnId, { text: "" }))).toBe("evidence_required");
    expect(await refusalOf(world.show("a1", null, { todoId: "todo_999999" }))).toBe("unknown_todo");
    const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    expect(await refusalOf(world.show("a1", turnId, { text: secret }))).toBe("credential_refused");
    expect(await contentOf(world.project)).toEqual(before);
  });

  test("an agent records and charges only as itself", async () => {
    const world = await openWorld();
    await world.add("work");
    const { turnId } = await world.run("a1");
    expect(await refusalOf(world.show("a1", turnId, { caller: a2 }))).toBe("turn_not_held");
    accepted(await world.show("a1", turnId, { caller: a1 }));
  });

  test("a lease that nobody took over still takes evidence; once taken over it does not", async () => {
    const world = await openWorld();
    await world.add("work");
    const { turnId } = await world.run("a1");
    world.ambient.advance(TTL_MS);
    await world.run("a2");
    expect(await refusalOf(world.show("a1", turnId))).toBe("lease_lost");
    await world.add("more");
    const own = await world.run("a1");
    world.ambient.advance(2 * TTL_MS);
    accepted(await world.show("a1", own.turnId));
  });

  test("a note without a turn is kept beside the turns", async () => {
    const world = await openWorld();
    const { id } = await world.add("work");
    const note = accepted(await world.show("a1", null, { todoId: id, text: "looked around" }));
    expect([note.settlementIdentity, note.evidence.turn_id, note.evidence.todo_id]).toEqual([null, null, id]);
    accepted(await world.show("a1", null, { text: "and again" }));
    expect(await rowsOf(world.project, "evidence")).toHaveLength(2);
  });
});
