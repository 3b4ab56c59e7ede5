import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readRetrieveResponse } from "../../../packages/decision-context/src/recall/read-response.ts";
import { listAnswerFaults } from "../../../packages/extensions/src/conformance/advisory-answer-faults.ts";

const ITEM = { resource_ref: "r1", summary: "A note", content: "What it says", score: 0.5 };
const ANSWER = {
  schema_version: "decision_context_advisory_retrieve_response_v0",
  ok: true,
  status: "completed",
  reason_code: null as string | null,
  items: [ITEM] as object[],
};
const PIECES = [
  ..."a /home/ alice ~/ \n \u200b \u202e \0 \ud800 \u001b[31m https:// authorization: bearer password: hunter2hunter2".split(
    " ",
  ),
  " ",
  "x".repeat(120),
];
const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 6 }).map((pieces) => pieces.join(""));

function expectAgreement(answer: typeof ANSWER): void {
  expect({ answer, isFaultless: listAnswerFaults(answer, 4).length === 0 }).toEqual({
    answer,
    isFaultless: readRetrieveResponse(answer, 4).ok,
  });
}

test.each([
  ["a score that is null", { ...ITEM, score: null }],
  ["an address in a summary", { ...ITEM, summary: "see https://intranet.example/notes" }],
  ["a home folder in a summary", { ...ITEM, summary: "in ~/notes" }],
  ["a path in a summary behind an invisible character", { ...ITEM, summary: "in /ho\u200bme/alice/notes" }],
  ["a summary of invisible characters", { ...ITEM, summary: "\u200b\u2060" }],
])("what recall refuses, the conformance check doesn't pass: %s", (_name, item) => {
  const answer = { ...ANSWER, items: [item] };
  expect([readRetrieveResponse(answer, 4).ok, listAnswerFaults(answer, 4).length]).toEqual([false, 1]);
});

test("the conformance check passes the items that recall takes, and no other", () => {
  fc.assert(
    fc.property(text, text, text, fc.constantFrom(1, null, "1", Infinity), (resource_ref, summary, content, score) => {
      expectAgreement({ ...ANSWER, items: [{ resource_ref, summary, content, score }] });
    }),
  );
});

test("the conformance check passes the reasons that recall takes, and no other", () => {
  fc.assert(
    fc.property(text, (reason_code) => {
      expectAgreement({ ...ANSWER, status: "unavailable", reason_code, items: [] });
    }),
  );
});
