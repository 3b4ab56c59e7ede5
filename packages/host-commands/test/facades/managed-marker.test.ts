import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decideFileState } from "../../src/index.ts";
import { findManagedMarker, markManaged } from "../../src/facades/managed-marker.ts";

const FRONTMATTER = "---\nname: x\n---\n";
const text = fc.string({ unit: "grapheme" });

describe("the marker of a file of ours", () => {
  test.each(["markdown", "hash", "slashes"] as const)("is read back from a file with %s comments", (comment) => {
    fc.assert(
      fc.property(text, fc.boolean(), (body, hasFrontmatter) => {
        const parts = { body, ...(hasFrontmatter && { frontmatter: FRONTMATTER }) };
        expect(findManagedMarker(markManaged(parts, comment, "1.2.3"))).toEqual({ version: "1.2.3", isEdited: false });
      }),
    );
  });

  test("tells every edit of the rest of the file", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.nat(), fc.string({ minLength: 1 }), (body, seed, added) => {
        const file = markManaged({ frontmatter: FRONTMATTER, body }, "markdown", "1.2.3");
        const at = file.length - (seed % (body.length + 1));
        const edited = file.slice(0, at) + added + file.slice(at);
        expect(findManagedMarker(edited)).toEqual({ version: "1.2.3", isEdited: true });
      }),
    );
    const file = markManaged({ frontmatter: FRONTMATTER, body: "b" }, "markdown", "1.2.3");
    expect(findManagedMarker(file.replace("name: x", "name: y"))?.isEdited).toBe(true);
    expect(findManagedMarker(file.replaceAll("\n", "\r\n"))?.isEdited).toBe(true);
  });

  test("counts only as a line of its own in its place", () => {
    const marker = "<!-- loopx-managed:v1 version=1.2.3 digest=0123456789abcdef -->";
    for (const file of [
      `${FRONTMATTER}How LoopX marks files:\n${marker}\n`,
      `${FRONTMATTER}${marker} and more\n`,
      `${FRONTMATTER}> ${marker}\n`,
      `${FRONTMATTER}${marker.replace("v1", "v12")}\n`,
      `---\nname: ${marker}\n---\ntext\n`,
      "",
    ]) {
      expect(findManagedMarker(file)).toBeUndefined();
      expect(decideFileState(file, "wanted")).toBe("foreign");
    }
  });
});

describe("a file in the place of one of ours", () => {
  const wanted = markManaged({ frontmatter: FRONTMATTER, body: "now\n" }, "markdown", "2.0.0");

  test("is told apart by its marker", () => {
    expect(decideFileState(undefined, wanted)).toBe("absent");
    expect(decideFileState(wanted, wanted)).toBe("current");
    expect(decideFileState(markManaged({ body: "then\n" }, "markdown", "1.0.0"), wanted)).toBe("stale");
    expect(decideFileState(`${wanted}mine\n`, wanted)).toBe("edited");
  });

  test("is a legacy one only by a generated marker or sentence, not by quoting it", () => {
    const marker = "<!-- loopx-managed-slash-command:v1 command=/loopx surface=claude-skills -->";
    expect(decideFileState(`${FRONTMATTER}\n${marker}\n\n# LoopX /loopx\n`, wanted)).toBe("legacy");
    expect(decideFileState(`# ${marker}\ninterface:\n`, wanted)).toBe("legacy");
    expect(decideFileState(`${FRONTMATTER}\nThe output is loopx control-plane SETUP, so follow it.\n`, wanted)).toBe(
      "legacy",
    );
    expect(decideFileState(`${FRONTMATTER}\nMy notes.\n${marker}\n`, wanted)).toBe("foreign");
    expect(decideFileState("It says: The output is loopx control-plane SETUP\n", wanted)).toBe("foreign");
  });
});
