import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findCitations, parseCitations } from "./find-citations.ts";
import { REQUIREMENTS } from "./requirements.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const citations = ["test", "packages"].flatMap((folder) => findCitations(join(root, folder)));

describe("requirements of the seeds", () => {
  test("each has an id of its own and a sentence", () => {
    const ids = REQUIREMENTS.map((requirement) => requirement.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(REQUIREMENTS.filter(({ says }) => !says.endsWith("."))).toEqual([]);
    expect(new Set(REQUIREMENTS.map(({ seed }) => seed))).toEqual(new Set(["000", "003", "004"]));
  });

  test("each built one is cited by a test", () => {
    const cited = new Set(citations.map(({ id }) => id));
    const uncited = REQUIREMENTS.filter(({ id, status }) => status === "built" && !cited.has(id));
    expect(uncited.map(({ id }) => id)).toEqual([]);
  });

  test("no test cites one that does not exist or is not built yet", () => {
    const built = new Set(REQUIREMENTS.filter(({ status }) => status === "built").map(({ id }) => id));
    expect(citations.filter(({ id }) => !built.has(id))).toEqual([]);
  });

  test("each citation stands in a test with a title", () => {
    expect(citations.filter(({ title }) => title === "")).toEqual([]);
  });
});

describe("reading citations", () => {
  test("finds every id of a call with its test's title, and none in a comment", () => {
    const call = "verifies";
    const text = `describe("a thing", () => {\ntest("says \\"so\\"", () => {\n  ${call}("a.one", "b.two");\n  // ${call}("c.three")
test.each(["x", 'y'])("takes %s", async (given) => {\n  ${call}(\n    "d.four",\n  );`;
    expect(parseCitations(text)).toEqual([
      { id: "a.one", title: 'a thing: says "so"' },
      { id: "b.two", title: 'a thing: says "so"' },
      { id: "d.four", title: "a thing: takes %s" },
    ]);
  });
});
