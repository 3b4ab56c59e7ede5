import { describe, expect, test } from "vitest";
import { neutraliseText } from "../../src/output/neutralise-text.ts";
import { createTextStyle, mayStyle } from "../../src/output/text-style.ts";

describe("mayStyle", () => {
  test.each([
    [{}, false, true, true],
    [{}, false, false, false],
    [{ NO_COLOR: "1" }, false, true, false],
    [{ NO_COLOR: "" }, false, true, true],
    [{ FORCE_COLOR: "1" }, false, false, true],
    [{ FORCE_COLOR: "0" }, false, true, false],
    [{ FORCE_COLOR: "1", NO_COLOR: "1" }, false, false, true],
    [{ FORCE_COLOR: "1" }, true, true, false],
    [{ TERM: "dumb" }, false, true, false],
  ])("env %j, --no-color %s, terminal %s: %s", (env, noColor, isTerminal, expected) => {
    expect(mayStyle({ env, noColor, isTerminal })).toBe(expected);
  });
});

describe("neutraliseText", () => {
  test("shows a style's own sequence in stored text as text, inside and outside of a style", () => {
    const { dim } = createTextStyle(true, 80);
    expect(neutraliseText(`\u001b[2m${dim("a\u001b[31mb")}\u001b[39m`)).toBe(
      "\\x1b[2m\u001b[2ma\\x1b[31mb\u001b[22m\\x1b[39m",
    );
  });

  test("takes no mark for a style that another process made", () => {
    createTextStyle(true, 80).red("painted");
    expect(neutraliseText("\ue00000000000-0000-4000-8000-000000000000:31\ue001x")).not.toContain("\u001b");
  });

  test("lets our own styles through and nothing else that drives a terminal", () => {
    const { red } = createTextStyle(true, 80);
    expect(neutraliseText(`${red("a")}\u001b[2J\u001b[5mb\n\tc\u001b]0;x\u0007`)).toBe(
      "\u001b[31ma\u001b[39m\\x1b[2J\\x1b[5mb\n\tc\\x1b]0;x\\x07",
    );
  });
});
