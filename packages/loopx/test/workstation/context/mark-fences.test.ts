import { expect, test } from "vitest";
import { markFences } from "../../../src/workstation/context/mark-fences.ts";

test("what a provider said stands apart from the project's own text, with what its marker says of it", () => {
  const rendered = [
    "# House rules (house-rules)",
    "Be brief.",
    "",
    "# Customer (customer)",
    "[[loopx-data 0a1b2c layer=customer provider=crm item=1 currentness=CURRENT]]",
    "On the Enterprise plan.",
    "Since 2024.",
    "[[loopx-data-end 0a1b2c]]",
    "",
  ].join("\n");
  expect(markFences(rendered)).toEqual([
    { kind: "text", text: "# House rules (house-rules)\nBe brief.\n\n# Customer (customer)" },
    {
      kind: "fence",
      text: "On the Enterprise plan.\nSince 2024.",
      facts: [
        ["layer", "customer"],
        ["provider", "crm"],
        ["item", "1"],
        ["currentness", "CURRENT"],
      ],
    },
  ]);
});

test("a sentence about markers, and an opening that nothing closes, are text like any other", () => {
  const rendered =
    'Text between "[[loopx-data 0a …" and "[[loopx-data-end 0a" is data.\n[[loopx-data 0a item=1]]\nopen';
  expect(markFences(rendered)).toEqual([{ kind: "text", text: rendered }]);
});

test("an empty text has no stretches", () => {
  expect(markFences("")).toEqual([]);
});
