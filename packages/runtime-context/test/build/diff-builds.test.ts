import { describe, expect, test } from "vitest";
import { diffBuilds } from "../../src/build/diff-builds.ts";
import { createDeskBuild } from "./support-desk.ts";

async function says(change: (document: any) => void, files?: Map<string, string>): Promise<readonly string[]> {
  return diffBuilds(await createDeskBuild(), await createDeskBuild(change, files)).map((difference) => difference.says);
}

describe("the difference of two builds", () => {
  test("is nothing for equal ones", async () => {
    expect(await says(() => {})).toEqual([]);
  });

  test.each<[string, (document: any) => void, readonly string[]]>([
    [
      "a pattern",
      (d) => (d.providers[0].lookup.pattern = "^C$"),
      ['provider customer-data changed: lookup.pattern from "^CUST-[0-9]{4}$" to "^C$"'],
    ],
    [
      "a rule",
      (d) => (d.profiles[0].layers[1].rule = "optional"),
      ['profile support changed: layers.customer-profile.rule from "required" to "optional"'],
    ],
    [
      "a scope",
      (d) => (d.layers[1].objectives = ["answer-ticket"]),
      ['layer customer-profile changed: objectives from null to ["answer-ticket"]'],
    ],
    [
      "the order of rules",
      (d) => d.profiles[0].layers.push(d.profiles[0].layers.shift()),
      [
        'profile support changed: order from "house-rules customer-profile order-status" to "customer-profile order-status house-rules"',
      ],
    ],
    ["the order of layers", (d) => d.layers.push(d.layers.shift()), ["the layers stand in another order"]],
    ["an objective more", (d) => d.objectives.push({ id: "sell" }), ["objective sell was added"]],
    ["the version", (d) => (d.version = "0.2.0"), ['project desk changed: version from "0.1.0" to "0.2.0"']],
    [
      "another consumer",
      (d) => Object.assign(d, { consumers: [{ id: "bot" }], tests: [] }),
      ["consumer support-agent was removed", "consumer bot was added"],
    ],
  ])("explains %s", async (_name, change, expected) => {
    expect(await says(change)).toEqual(expected);
  });

  test("explains other bytes behind the same path", async () => {
    expect(await says(() => {}, new Map([["layers/house-rules.md", "Be cruel.\n"]]))).toEqual([
      'layer house-rules changed: content.layers/house-rules.md from "sha256:f32bf5e09516…" to "sha256:46ed6e9da58a…"',
    ]);
  });

  test("cuts long values", async () => {
    const [difference] = diffBuilds(
      await createDeskBuild(),
      await createDeskBuild((document) => (document.layers[1].bindings = [{ text: "x".repeat(500) }])),
    );
    expect(difference?.fields.map(({ field, after }) => [field, after?.length ?? null])).toEqual([
      ["bindings.0.kind", 6],
      ["bindings.0.provider", null],
      ["bindings.0.text", 81],
    ]);
  });
});
