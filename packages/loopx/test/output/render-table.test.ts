import { describe, expect, test } from "vitest";
import { neutraliseText } from "../../src/output/neutralise-text.ts";
import { renderTable } from "../../src/output/render-table.ts";
import { createTextStyle } from "../../src/output/text-style.ts";

const plain = createTextStyle(false, 80);

describe("renderTable", () => {
  test("aligns columns by display width, numbers to the right, without trailing spaces", () => {
    const table = renderTable(
      [{ title: "todo" }, { title: "turns", align: "right" }, { title: "text" }],
      [
        ["todo_1", "7", "Fix login"],
        ["中文", "1200", ""],
        ["👩‍💻", "1", "emoji"],
      ],
      plain,
    );
    expect(table).toBe(
      ["todo    turns  text", "todo_1      7  Fix login", "中文     1200", "👩‍💻          1  emoji"].join("\n"),
    );
  });

  test("keeps a hostile cell in its cell", () => {
    const table = renderTable([{ title: "text" }], [["a\nb\u001b[2J\u202e"]], plain);
    expect(table).toBe("text\na b\\x1b[2J\\u202e");
  });

  test("paints cells after padding them", () => {
    const style = createTextStyle(true, 80);
    const table = renderTable([{ title: "s", paint: style.green }, { title: "t" }], [["ok", "x"]], style);
    expect(neutraliseText(table).split("\n")[1]).toBe("\u001b[32mok\u001b[39m  x");
  });
});
