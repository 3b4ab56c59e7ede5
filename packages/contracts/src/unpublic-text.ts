import { neutraliseText } from "./neutralise-text.ts";
import { findSensitive } from "./redaction.ts";
import { toVisibleText } from "./visible-text.ts";

/** Addresses of stores and sites lead to private material: a summary says what it is, not where. */
const ADDRESS = /\b(?:https?|file|s3|gs|tos|hdfs):\/\//i;
/** A header with or without its value: nothing public has a reason to hold one. Prose about credentials passes. */
const HEADER = /\bauthorization:|\bbearer\s+\S{8}|-----BEGIN [A-Z ]*PRIVATE KEY/i;
const HOME_PATH = /(?:^|[\s:=])~\//;

/** What a text holds that may not stand in a public packet (seed 000), as its reader would see it; undefined of one that may. */
export function findUnpublic(text: string): "a local path" | "a credential" | "an address" | undefined {
  const visible = toVisibleText(text);
  const [found] = findSensitive(visible);
  if (found !== undefined) return found.kind === "local_path" ? "a local path" : "a credential";
  if (HOME_PATH.test(visible)) return "a local path";
  if (HEADER.test(visible)) return "a credential";
  return ADDRESS.test(visible) ? "an address" : undefined;
}

/**
 * One line in which nothing hides or acts: white space runs become a space, and what Unicode calls white space at the ends
 * goes.
 */
export function toOneLine(text: string): string {
  return neutraliseText(text.replaceAll(/\s+/g, " ")).text.replaceAll(/ +/g, " ").trim();
}
