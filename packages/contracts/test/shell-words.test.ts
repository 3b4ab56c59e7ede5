import { spawnSync } from "node:child_process";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseShellWords, quoteForShell, renderShellCommand } from "../src/shell-words.ts";
import { refusalOf } from "./refusal-of.ts";

describe("quoteForShell", () => {
  test.each([
    ["loopx", "loopx"],
    ["--goal-id=my-goal", "--goal-id=my-goal"],
    ["a/b.c:d,e@f%g+h", "a/b.c:d,e@f%g+h"],
    ["", "''"],
    ["a b", "'a b'"],
    ["it's", String.raw`'it'\''s'`],
    ["pay $15,000 $& $$", "'pay $15,000 $& $$'"],
    ["line\nbreak", "'line\nbreak'"],
    ["~", "'~'"],
    ["=x", "'=x'"],
    ["項目", "'項目'"],
  ])("renders %j as %s", (argument, quoted) => {
    expect(quoteForShell(argument)).toBe(quoted);
  });

  test.each(["a\0b", "\ud800"])("refuses %j, which no process can receive", (argument) => {
    expect(refusalOf(() => quoteForShell(argument))).toBe("text_not_storable");
  });
});

test("a first word that looks like an assignment is quoted", () => {
  expect(renderShellCommand(["A=b", "C=d"])).toBe("'A=b' C=d");
});

describe("parseShellWords", () => {
  test.each([
    ["", []],
    ["  npm   test\t--x\n", ["npm", "test", "--x"]],
    [`a'b c'"d e"f`, ["ab cd ef"]],
    [`'' ""`, ["", ""]],
    [String.raw`a\ b \' \\ "\"\\\n"`, ["a b", "'", "\\", String.raw`"\\n`]],
    ["a\\\nb 'c\\\nd'", ["ab", "c\\\nd"]],
    ["a\\\n b \\\n", ["a", "b"]],
    ["x#y *.ts", ["x#y", "*.ts"]],
    ["'$HOME' '`id`' '#'", ["$HOME", "`id`", "#"]],
    [String.raw`"\$HOME"`, ["$HOME"]],
  ])("reads %j", (line, words) => {
    expect(parseShellWords(line)).toEqual(words);
  });

  test.each([
    "'a",
    '"a',
    'a"b',
    "a\\",
    '"a\\',
    "a $HOME",
    '"$HOME"',
    '"`id`"',
    "a | b",
    "a; b",
    "a && b",
    "a > b",
    "(a)",
    "# x",
  ])("refuses %j", (line) => {
    expect(refusalOf(() => parseShellWords(line))).toBe("usage");
  });
});

const hostileWord = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc
    .array(fc.constantFrom(..." \t\n\r'\"\\`$&|;<>(){}[]*?~#=!%^-éa".split(""), "😀", "$(touch x)", "'\\''", "\\\n"), {
      maxLength: 10,
    })
    .map((parts) => parts.join("")),
);
const argvs = fc.array(
  hostileWord.map((word) => word.replaceAll("\0", "")),
  { minLength: 1, maxLength: 5 },
);

describe("a rendered command", () => {
  test("is read back as the same argv by our parser", () => {
    fc.assert(
      fc.property(argvs, (argv) => {
        expect(parseShellWords(renderShellCommand(argv))).toEqual(argv);
      }),
    );
  });

  test("is read as the same argv by sh", () => {
    const samples = fc.sample(argvs, { numRuns: 300, seed: 20_261_201 });
    // One shell for all samples: each line hands its words to a function that ends them with NUL, and a list with two.
    const script = ["show() { printf '%s\\0' \"$@\"; printf '=end=\\0'; }"];
    for (const argv of samples) script.push(`show ${renderShellCommand(argv)}`);
    const { stdout, stderr, status } = spawnSync("sh", ["-c", script.join("\n")], { encoding: "utf8" });
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
    expect(stdout).toBe(samples.map((argv) => [...argv, "=end="].map((word) => `${word}\0`).join("")).join(""));
  });
});
