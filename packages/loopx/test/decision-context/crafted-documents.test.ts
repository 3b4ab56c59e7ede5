import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createReviewWorld, type ReviewWorld } from "./review-world.ts";

let world: ReviewWorld;
beforeEach(async () => {
  world = await createReviewWorld();
});
afterEach(() => world.remove());

function nest(depth: number): string {
  return `${'{"changed_facts":'.repeat(depth)}1${"}".repeat(depth)}`;
}

describe("crafted documents", () => {
  test.each<[string, string, string]>([
    ["the key __proto__", '{"__proto__":{"semantic_no_change":true}}', "the key __proto__"],
    ["a key twice", '{"semantic_no_change":true,"semantic_no_change":false}', "a key written twice"],
    [
      "a key twice, once escaped",
      '{"semantic_no_change":true,"semantic_no_chang\\u0065":false}',
      "a key written twice",
    ],
    ["65 levels", nest(65), "nesting deeper than 64"],
    ["64 levels", nest(64), "/changed_facts must be a list"],
    ["the key constructor", '{"constructor":{"prototype":{}}}', "/constructor is an unknown key"],
    ["the key toString", '{"toString":1,"semantic_no_change":true}', "/toString is an unknown key"],
    ["an endless number", '{"semantic_no_change":1e999}', "a number that is not finite"],
    ["half a pair", '{"semantic_no_change":"\\ud800"}', "ill-formed Unicode"],
    ["two values", "{} {}", "is not valid JSON"],
  ])("with %s are refused and not repeated", async (_, text, said) => {
    const file = join(world.directory, "crafted.json");
    writeFileSync(file, text);
    for (const flag of ["rebase-json", "proposal-json"]) {
      const own =
        flag === "rebase-json"
          ? said
          : said.replace(/^\/changed_facts must be a list$/, "/changed_facts is an unknown key");
      const answer = await world.decide("prepare-review", [`--${flag}=${file}`, "--execute"]);
      expect(answer).toMatchObject({ ok: false });
      expect(JSON.stringify(answer)).toContain(own);
    }
    const profile = join(world.directory, "profile.json");
    writeFileSync(profile, text);
    expect(await world.decide("prepare-evidence")).toMatchObject({ reason_code: "profile_unavailable_or_invalid" });
  });
});
