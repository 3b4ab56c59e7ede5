import { afterAll, beforeAll, describe, inject, test } from "vitest";
import * as checks from "./race-checks.ts";

const server = inject("postgres");

describe.skipIf(!("url" in server))("many processes on one goal whose state a server keeps", () => {
  beforeAll(() => {
    process.env["TESTED_STORE_URL"] = "url" in server ? server.url : "";
  });
  afterAll(() => {
    delete process.env["TESTED_STORE_URL"];
  });

  test("fifty adds of distinct texts keep fifty todos with ids of their own", () => checks.keepsFiftyDistinctTodos());
  test("fifty adds of one text add it once", () => checks.addsOneOfFiftyIdenticalTodos());
  test("fifty agents that claim one todo have one winner", () => checks.letsOneOfFiftyAgentsClaim());
  test("fifty askers of one identity get one turn", () => checks.opensOneTurnForOneIdentity());
  test("twenty agents over five todos run five turns, no todo in two", () => checks.givesNoTodoToTwoTurns());
  test("twenty records, completions and spends of one turn count once each", () => checks.settlesOneTurnOnce());
});
