/** An advisory provider for Node, typed by comments: what Node 20 runs without a build. */
export function renderNodeProvider(id: string): string {
  return String.raw`#!/usr/bin/env node
// @ts-check
// Answers from the paragraphs of notes.txt: one JSON object on stdin, one on stdout, logs on stderr.
import { existsSync, readFileSync } from "node:fs";

const SCOPE = "notes:${id}";
const NOTES = new URL("notes.txt", import.meta.url);
const REQUEST = "decision_context_advisory_retrieve_request_v0";
const RESPONSE = "decision_context_advisory_retrieve_response_v0";
const TEXTS = ["schema_version", "operation", "namespace", "scope_ref", "query", "query_summary", "observed_at"];
const NUMBERS = ["max_results", "timeout_seconds"];

/**
 * Exactly the fields of the contract, each of its type and within its bounds.
 * @param {any} value
 */
function isRequest(value) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const isComplete = [...TEXTS, ...NUMBERS].toSorted().join() === Object.keys(value).toSorted().join();
  if (!isComplete || !TEXTS.every((name) => typeof value[name] === "string")) return false;
  if (value.schema_version !== REQUEST || value.operation !== "retrieve") return false;
  const { max_results: limit, timeout_seconds: timeout } = value;
  return Number.isInteger(limit) && limit >= 1 && limit <= 8 && timeout >= 1 && timeout <= 120;
}

/** @param {string} text */
function wordsOf(text) {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
}

/**
 * The notes that share a word with the query, those that share most first.
 * @param {string} query
 * @param {number} limit
 */
function findItems(query, limit) {
  const asked = [...wordsOf(query)];
  const notes = readFileSync(NOTES, "utf8").split("\n\n");
  return notes
    .map((note, at) => {
      const there = wordsOf(note);
      const score = asked.filter((word) => there.has(word)).length / Math.max(1, asked.length);
      return { resource_ref: ${"`note-${at + 1}`"}, summary: ${"`Note ${at + 1}`"}, content: note.trim(), score };
    })
    .filter(({ score }) => score > 0)
    .toSorted((left, right) => right.score - left.score)
    .slice(0, limit);
}

/**
 * @param {"completed" | "unavailable"} status
 * @param {string | null} reason
 * @param {readonly object[]} items
 */
function answer(status, reason, items) {
  process.stdout.write(JSON.stringify({ schema_version: RESPONSE, ok: true, status, reason_code: reason, items }));
}

function main() {
  if (process.argv[2] === "--doctor") return existsSync(NOTES) ? 0 : 1;
  let request;
  try {
    request = JSON.parse(readFileSync(0, "utf8"));
  } catch {
    return 2;
  }
  if (!isRequest(request)) return 2;
  if (request.scope_ref === SCOPE) answer("completed", null, findItems(request.query, request.max_results));
  else answer("unavailable", "scope_unsupported", []);
  return 0;
}

process.exitCode = main();
`;
}
