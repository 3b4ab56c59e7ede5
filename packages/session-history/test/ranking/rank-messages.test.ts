import { expect, test } from "vitest";
import { measureFor } from "../../src/ranking/measure-message.ts";
import { listQueryTerms } from "../../src/ranking/query-terms.ts";
import { rankMessages } from "../../src/ranking/rank-messages.ts";

function rank(query: string, texts: readonly string[], limit = 8): readonly string[] {
  const measure = measureFor(listQueryTerms(query));
  const messages = texts.map((text, offset) => measure({ role: "user", text, sentAt: null }, offset));
  return rankMessages(messages, limit).map(({ message }) => texts[message.offset] ?? "");
}

test("a rare word counts more than one that stands everywhere", () => {
  const texts = ["the lease of the claim", "the pilot", "the store", "the the the"];
  expect(rank("the lease", texts)[0]).toBe("the lease of the claim");
});

test("a message with more of the words comes first, and one with none not at all", () => {
  expect(rank("retry budget", ["no match", "the budget", "the retry budget"])).toEqual([
    "the retry budget",
    "the budget",
  ]);
});

test("of equals the newest comes first", () => {
  expect(rank("pilot", ["pilot one", "pilot two", "pilot six"])).toEqual(["pilot six", "pilot two", "pilot one"]);
});

test("of repetitions the newest stays, at its own place", () => {
  const measure = measureFor(listQueryTerms("pilot"));
  const messages = ["pilot", "pilot one", "pilot"].map((text, offset) =>
    measure({ role: "user", text, sentAt: null }, offset),
  );
  expect(new Set(rankMessages(messages, 8).map(({ message }) => message.offset))).toEqual(new Set([1, 2]));
});

test("Chinese is found by what a part of it says", () => {
  const texts = ["我们决定用回滚日志", "预写日志不能在只读目录里读取", "别的东西"];
  expect(rank("为什么用回滚日志", texts)[0]).toBe("我们决定用回滚日志");
});

test("scores are the numbers of Okapi BM25", () => {
  const measure = measureFor(listQueryTerms("pilot"));
  const messages = ["pilot pilot", "other words"].map((text, offset) =>
    measure({ role: "user", text, sentAt: null }, offset),
  );
  // ln(1 + 1.5/1.5) · 2·2.2/(2+1.2), for two messages of equal length.
  expect(rankMessages(messages, 8)[0]?.score).toBe(Number((Math.LN2 * (4.4 / 3.2)).toFixed(4)));
});
