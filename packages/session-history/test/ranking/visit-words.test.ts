import { assert, property, string } from "fast-check";
import { expect, test } from "vitest";
import { visitWords } from "../../src/ranking/visit-words.ts";

function wordsOf(text: string): readonly string[] {
  const words: string[] = [];
  visitWords(text, ({ word, at, isPart }) => words.push(`${word}@${at}${isPart ? " part" : ""}`));
  return words;
}

test("words are runs of letters and digits, in lower case", () => {
  expect(wordsOf("Keep store_read_only, v2!")).toEqual(["keep@0", "store@5", "read@11", "only@16", "v2@22"]);
});

test("a plural is the same word as its singular", () => {
  expect(wordsOf("Retries, leases, stores; bus class is yes")).toEqual([
    "retry@0",
    "lease@9",
    "store@17",
    "bus@25",
    "class@29",
    "is@35",
    "yes@38",
  ]);
});

test("accents and marks belong to their word, and compatible forms are one", () => {
  expect(wordsOf("Café ＡＢＣ")).toEqual(["café@0", "abc@5"]);
  expect(wordsOf("Cafe\u0301")).toEqual(["café@0"]);
});

test("Chinese, Japanese and Korean give pairs, with the characters as parts", () => {
  expect(wordsOf("存储层")).toEqual(["存@0 part", "存储@0", "储@1 part", "储层@1", "层@2 part"]);
  expect(wordsOf("用SQLite存")).toEqual(["用@0", "sqlite@1", "存@7"]);
  expect(wordsOf("データ")).toEqual(["デ@0 part", "デー@0", "ー@1 part", "ータ@1", "タ@2 part"]);
});

test("an emoji or a mark alone is no word", () => {
  expect(wordsOf("👩‍👩‍👧‍👦 — …")).toEqual([]);
});

test("a text in ASCII has the same words as where letters beyond it follow", () => {
  assert(
    property(string({ unit: "grapheme-ascii" }), (text) => {
      expect([...wordsOf(text), `é@${text.length + 1}`]).toEqual(wordsOf(`${text} é`));
    }),
  );
  expect(wordsOf("a\u007f[Z`z{@9/0:")).toEqual(["a@0", "z@3", "z@5", "9@8", "0@10"]);
});
